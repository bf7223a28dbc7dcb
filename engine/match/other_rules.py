"""A match decided again by other rules than its own: the first row that they would have decided otherwise.

The first event of a match names its rules, so it always differs in that name; it is compared without it. From the first
difference on the match would have been another one, so nothing after it is compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.kernel.chance import Draw
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.rules_versions import recorded
from engine.match.forking import Fork
from engine.match.replay import Difference, LoggedMove, Playing, decide_again
from engine.match.requests import StartMatch, read_request


class KeepsItsRules(Exception):  # noqa: N818 - the name says what happened
    """A match cannot be decided by other rules: it is a fork, and its first state names its own."""


def decide_by(
    own: AnyGame,
    other: AnyGame,
    moves: Iterable[LoggedMove],
    secret: bytes,
    *,
    drawn: list[Draw] | None = None,
) -> Difference | None:
    """Decide every row again by other rules of the same game than the match's own; return the first difference, or None.

    `drawn` collects every draw. Raises KeepsItsRules, and Unreadable if a row cannot be read.
    """
    rows = tuple(moves)
    if own.rules_version == other.rules_version or not rows:
        return decide_again(other, rows, secret, drawn=drawn)
    request = read_request(own, rows[0].request)
    if isinstance(request, Fork):
        raise KeepsItsRules("a fork keeps the rules that its first state names")
    if isinstance(request, StartMatch):
        begun = _begun(own, other, rows[0], request, secret)
        if isinstance(begun, Difference):
            return begun
        rows = (begun, *rows[1:])
    return decide_again(other, rows, secret, drawn=drawn)


def _begun(
    own: AnyGame, other: AnyGame, first: LoggedMove, request: StartMatch, secret: bytes
) -> LoggedMove | Difference:
    """Return the first row as the other rules decide it, if it differs in nothing but the name of the rules."""
    if difference := decide_again(own, (first,), secret):
        return difference  # not even its own rules decide it like this
    try:
        events, _ = Playing(other, secret).decide(first.seat, request, first.request)
    except (RuleViolation, Unreadable) as refusal:
        return Difference(seq=first.seq, place="request", logged="accepted", decided=str(refusal))
    decided = encode(events)
    was: list[Any] = msgspec.json.decode(first.events)
    now: list[Any] = msgspec.json.decode(decided)
    names = recorded(own.rules_version), recorded(other.rules_version)
    for number, (before, after) in enumerate(zip(was, now, strict=False)):
        if number == 0:
            before, after = _without_name(before, after, names)  # noqa: PLW2901 - the first event only
        if before != after:
            return Difference(
                seq=first.seq,
                place=f"events[{number}]",
                logged=_text(was[number]),
                decided=_text(now[number]),
            )
    if len(was) != len(now):
        return Difference(
            seq=first.seq, place="events", logged=f"{len(was)} events", decided=f"{len(now)} events"
        )
    return replace(first, events=decided)


def _without_name(
    before: dict[str, Any], after: dict[str, Any], names: tuple[str | None, str | None]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two events without the field in which each names its rules."""
    fields = [one for one in (*before, *after) if (before.get(one), after.get(one)) == names]
    return (
        {name: value for name, value in before.items() if name not in fields},
        {name: value for name, value in after.items() if name not in fields},
    )


def _text(event: Any) -> str:
    return msgspec.json.encode(event).decode()
