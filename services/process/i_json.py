"""JSON that every parser reads alike: the restrictions of I-JSON (RFC 7493), for JSON that its decoder has accepted.

Parsers differ where JSON has two members of one name, numbers beyond a double, or strings that are not Unicode. What one
program checked would then not be what another one stores or shows.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

MAX_DEPTH: Final = 32
"""Levels of objects and arrays in one another that are read."""
MAX_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader represents exactly (RFC 8259 §6)."""

_ZEROS: Final = bytes(ord("0") if chr(byte).isdigit() else byte for byte in range(128)) + bytes(
    range(128, 256)
)
_MANY_DIGITS: Final = b"0" * 16
_WHITE: Final = " \t\r\n"
_ESCAPES: Final = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD](?:[c-eC-E]..|[fF](?:[0-9a-eA-E].|[fF][0-9a-dA-D]))"  # a pair, which is one character
    r"|u(?P<odd>[dD][89a-fA-F]..|[fF][dD][dDeE].|[fF]{3}[eEfF])|.)",
    re.DOTALL,
)
"""Escapes in strings; `odd` are those that may be a surrogate or a noncharacter."""
_NO_TEXT: Final = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))
    + "]"
)
"""Surrogates and noncharacters, which I-JSON excludes from names and values (§2.1)."""

_TEXTS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""JSON strings. An unterminated one extends to the end of the text; searching for its end from every quote would be quadratic."""
_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")


class Fault(NamedTuple):
    """The first place at which parsers may differ."""

    code: str
    """DUPLICATE_NAME, OUT_OF_RANGE or NOT_TEXT."""
    what: str
    """The rest of a sentence about the place."""
    steps: tuple[str | int, ...]
    """The names and numbers that lead to the place."""

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer (RFC 6901)."""
        return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in self.steps)

    @property
    def path(self) -> str:
        """The place as a path, such as `$.seating[0].data`."""
        return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps)


class _Odd(Exception):  # noqa: N818 - says what was found, and is caught here
    """Something that may be read differently."""


class _Object(list[tuple[str, Any]]):
    """The members of an object, duplicates included."""


class _TooLarge:
    """A number that a double does not hold."""


_TOO_LARGE: Final = _TooLarge()


def fault_of(text: bytes) -> Fault | None:
    """Return the first place that parsers may read differently, or None.

    The text has at most MAX_DEPTH levels, or as many as its decoder takes. Text that is not JSON may get either result.
    """
    try:
        whole = text.decode()
        return next(_faults(_IN_FULL.decode(whole)), None) if _is_odd(text, whole) else None
    except (ValueError, RecursionError):
        return None


def _is_odd(text: bytes, whole: str) -> bool:
    """Return whether the text may have a fault. It keeps nothing of what it reads, and is fast: every move passes here."""
    if not text.isascii() and _NO_TEXT.search(whole):
        return True
    if b"\\u" in text and any(found["odd"] for found in _ESCAPES.finditer(whole)):
        return True
    zeros = text.translate(_ZEROS)
    large = _MANY_DIGITS in zeros or b"e000" in zeros or b"E000" in zeros or b"+000" in zeros
    try:
        (_NAMES_AND_NUMBERS if large else _NAMES).raw_decode(whole.lstrip(_WHITE))
    except _Odd:
        return True
    return False


def _pass(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) != len(pairs):
        raise _Odd


def _passed_integer(digits: str) -> int:
    if _integer(digits) is _TOO_LARGE:
        raise _Odd
    return 0


def _passed_fraction(digits: str) -> int:
    if _fraction(digits) is _TOO_LARGE:
        raise _Odd
    return 0


def _integer(digits: str) -> int | _TooLarge:
    if len(digits) > len(str(MAX_INTEGER)) + 1:  # so that no long number is computed
        return _TOO_LARGE
    return 0 if abs(int(digits)) <= MAX_INTEGER else _TOO_LARGE


def _fraction(digits: str) -> int | _TooLarge:
    return 0 if math.isfinite(float(digits)) else _TOO_LARGE


_NAMES: Final = json.JSONDecoder(object_pairs_hook=_pass, strict=False)
_NAMES_AND_NUMBERS: Final = json.JSONDecoder(
    object_pairs_hook=_pass, parse_int=_passed_integer, parse_float=_passed_fraction, strict=False
)
_IN_FULL: Final = json.JSONDecoder(
    object_pairs_hook=_Object, parse_int=_integer, parse_float=_fraction, strict=False
)


def _faults(value: Any) -> Iterator[Fault]:
    """Yield the faults in the order of the text."""
    waiting: list[tuple[tuple[str | int, ...], Any, str]] = [((), value, "")]
    while waiting:  # no recursion: the text may be deeply nested
        steps, value, known = waiting.pop()
        if known:
            yield Fault("DUPLICATE_NAME", known, steps)
        match value:
            case _TooLarge():
                yield Fault(
                    "OUT_OF_RANGE",
                    f"is a number that parsers read differently: integers go from -{MAX_INTEGER} to {MAX_INTEGER}, others "
                    "must fit into a double; send it as a string",
                    steps,
                )
            case str() if (found := _NO_TEXT.search(value)) is not None:
                yield Fault("NOT_TEXT", _said_of_text(found[0]), steps)
            case _Object():
                names: set[str] = set()
                members: list[tuple[tuple[str | int, ...], Any, str]] = []
                for name, member in value:
                    if (found := _NO_TEXT.search(name)) is not None:
                        yield Fault("NOT_TEXT", f"has a name that {_said_of_text(found[0])}", steps)
                    again = (
                        "is there more than once; parsers differ in which one counts" if name in names else ""
                    )
                    names.add(name)
                    members.append(((*steps, name), member, again))
                waiting += reversed(members)
            case list():
                waiting += [((*steps, number), item, "") for number, item in reversed(list(enumerate(value)))]


def _said_of_text(sign: str) -> str:
    what = "half of a character (a lone surrogate)" if "\ud800" <= sign <= "\udfff" else "a noncharacter"
    return f"has {what}, U+{ord(sign):04X}"


def is_too_deep(text: bytes) -> bool:
    """Return whether JSON has more levels than MAX_DEPTH. Text that is not JSON may get either result: its decoder refuses it.

    Only the brackets outside of strings are kept; then the innermost pairs are removed, level by level.
    """
    if text.count(b"[") + text.count(b"{") <= MAX_DEPTH:
        return False
    brackets = _TEXTS.sub(b"", text).translate(_BRACKETS, _NOT_BRACKETS)
    for _ in range(MAX_DEPTH):
        if b"[]" not in brackets:
            break
        brackets = brackets.replace(b"[]", b"")
    return b"[]" in brackets or brackets.count(b"[") > MAX_DEPTH  # too many that were never closed
