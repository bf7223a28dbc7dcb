"""Read ICU messages far enough to say which arguments they use, and how."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Use:
    """One use of an argument. `options` are the branches of a select or a plural."""

    name: str
    kind: str
    """`plain`, `number`, `plural`, `selectordinal` or `select`."""
    options: tuple[str, ...] = ()


def uses_of(message: str) -> list[Use]:
    """Return every use of an argument. Raises ValueError for a message that is not well-formed."""
    found, end = _text(message, 0, [], inner=False)
    if end != len(message):
        raise ValueError(f"a brace too many at {end}: {message}")
    return found


def _text(message: str, at: int, found: list[Use], *, inner: bool) -> tuple[list[Use], int]:
    while at < len(message):
        match message[at]:
            case "{":
                at = _argument(message, at + 1, found)
            case "}":
                if inner:
                    return found, at
                raise ValueError(f"a brace too many at {at}: {message}")
            case "'":
                raise ValueError(f"a straight apostrophe quotes in ICU; write ’: {message}")
            case _:
                at += 1
    if inner:
        raise ValueError(f"a brace is not closed: {message}")
    return found, at


def _argument(message: str, at: int, found: list[Use]) -> int:
    end = min(place for place in (message.find("}", at), message.find(",", at)) if place >= 0)
    name = message[at:end].strip()
    if message[end] == "}":
        found.append(Use(name, "plain"))
        return end + 1
    at = end + 1
    end = min(place for place in (message.find("}", at), message.find(",", at)) if place >= 0)
    kind = message[at:end].strip()
    if message[end] == "}":
        found.append(Use(name, kind))
        return end + 1
    at, options = end + 1, []
    while True:
        while message[at].isspace():
            at += 1
        if message[at] == "}":
            break
        opening = message.index("{", at)
        options.append(message[at:opening].strip())
        _, at = _text(message, opening + 1, found, inner=True)
        at += 1
    if "other" not in options:
        raise ValueError(f"{name} has no branch `other`: {message}")
    found.append(Use(name, kind, tuple(options)))
    return at + 1
