"""Moves as text: the request, its events, who decides next, how the match ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.outcome import Outcome, ScoreLine, SeatResult
from engine.kernel.pending import Pending
from engine.kernel.seats import Audience, AudienceKind, Seat
from engine.kernel.text.text import Text
from engine.kernel.text.words import SEAT, several
from engine.match.absence import TimeOut
from engine.match.forking import Fork
from engine.match.requests import StartMatch, read_request
from engine.match.texts import MATCH_TEXTS, event_text, request_text
from services.cli.console import printable
from services.cli.replay.recorded_match import NotShown, Recorded
from services.cli.sentences import printable_sentence
from services.movelog.records import Status

HIDDEN: Final = "(not shown)"


def title(match: Recorded) -> str:
    """Return a line that describes the match."""
    document = match.document
    stands = {
        Status.WAITING: "waits for players",
        Status.RUNNING: f"runs, {len(document.moves)} moves so far",
        Status.ENDED: f"ended after {len(document.moves)} moves",
    }[document.status]
    rules = printable(document.rules_version)
    return f"{match.game.title} {rules}, {document.seats} players, {stands}, match {document.match_id}"


def looking(audience: Audience) -> str:
    """Return a text that names the audience."""
    match audience.kind:
        case AudienceKind.SEAT:
            return f"as seat {audience.seat}"
        case AudienceKind.PUBLIC:
            return "as the public"
        case AudienceKind.REFEREE:
            return "as the referee: everything"


def heading(match: Recorded, version: int, audience: Audience, language: str) -> str:
    """Return who requested what. `language` is that of the sentences, here and below."""
    seat = match.document.moves[version - 1].seat
    told_request = asked(match, version, audience, language)
    if seat is not None and _is_sentence(match, version, audience):
        return told_request
    who = "start" if version == 1 else "the platform"
    return f"{who if seat is None else _seats(match, (seat,), language)}: {told_request}"


def _is_sentence(match: Recorded, version: int, audience: Audience) -> bool:
    """Return whether the request of a seat is known; then its sentence names the seat."""
    try:
        return match.asked(version, audience) is not None
    except NotShown:
        return False


def asked(match: Recorded, version: int, audience: Audience, language: str) -> str:
    """Return the request as text, as far as the audience may know it."""
    try:
        request = match.asked(version, audience)
    except NotShown as problem:
        return printable(f"({problem})")
    seat = match.document.moves[version - 1].seat
    match request:
        case None:
            return HIDDEN
        case StartMatch():
            return printable(f"{request.seats} players, options {bytes(request.options).decode()}")
        case Fork(of=of, version=number, audience=maker):
            return f"a fork of match {of} at move {number}, {looking(maker).partition(':')[0]}"
        case TimeOut(action=action):
            return f"{_requested(match, seat, request, language)} {_instead(match, seat, bytes(action), language)}"
        case _:
            return _requested(match, seat, request, language)


def _requested(match: Recorded, seat: int | None, request: Any, language: str) -> str:
    def text() -> Text:
        found = request_text(match.game, None if seat is None else Seat(seat), request)
        return MATCH_TEXTS.action(request) if found is None else found

    return printable_sentence(match.game, language, text, encode(request).decode())


def _instead(match: Recorded, seat: int | None, action: bytes, language: str) -> str:
    """Return what the server decided for a seat whose time was up."""
    try:
        return _requested(match, seat, read_request(match.game, action), language)
    except Unreadable as problem:
        return printable(f"({problem.detail})")


def event_lines(match: Recorded, version: int, audience: Audience, language: str) -> list[str]:
    """Return the events of a move, one per line."""
    try:
        events = match.events(version, audience)
    except NotShown as problem:
        return [printable(f"({problem})")]
    return [_happened(match, event, language) for event in events]


def _happened(match: Recorded, event: Any, language: str) -> str:
    return printable_sentence(
        match.game, language, lambda: event_text(match.game, event), encode(event).decode()
    )


def decisions(match: Recorded, pending: Sequence[Pending], language: str) -> str:
    """Return who decides what next, and by which paragraph."""
    grouped: dict[tuple[str, str], list[Pending]] = {}
    for each in pending:
        grouped.setdefault((each.decision, each.rule), []).append(each)
    return "; ".join(_decision(match, group, language) for group in grouped.values())


def _decision(match: Recorded, group: list[Pending], language: str) -> str:
    one = group[0]
    prompt = printable_sentence(match.game, language, lambda: match.game.texts.decision(one), one.decision)
    return printable(f"{_seats(match, [each.seat for each in group], language)} – {prompt} (§{one.rule})")


def next_up(match: Recorded, version: int, view: Any | None, language: str) -> str:
    """Return how the match goes on after a move; without a view, only from the moves."""
    if view is not None and view.outcome is not None:
        return printable_sentence(match.game, language, lambda: Text("match.ended"), "")
    if view is not None:
        return _to_act(match, decisions(match, view.pending, language), language)
    if version == len(match.document.moves):
        return ""
    seat = match.document.moves[version].seat
    return "" if seat is None else _to_act(match, _seats(match, (seat,), language), language)


def _to_act(match: Recorded, seats: str, language: str) -> str:
    return printable_sentence(match.game, language, lambda: Text("match.to_act", {"seats": seats}), seats)


def scores(match: Recorded, outcome: Outcome, language: str) -> Iterator[str]:
    """Return who won and why, then every seat's result, best first."""
    end = printable_sentence(match.game, language, lambda: match.game.texts.end(outcome), outcome.reason)
    yield printable(f"{end} (§{outcome.rule})")
    for result in sorted(outcome.results, key=lambda result: (result.rank, result.seat)):
        yield _result(match, result, language)


def _result(match: Recorded, result: SeatResult, language: str) -> str:
    place = f"{result.rank}. {_seats(match, (result.seat,), language)}"
    if result.score is None:
        return place
    parts = ", ".join(_score_line(match, line, language) for line in result.breakdown)
    return f"{place}: {result.score}{f' = {parts}' if parts else ''}"


def _score_line(match: Recorded, line: ScoreLine, language: str) -> str:
    reason = printable_sentence(match.game, language, lambda: match.game.texts.score_line(line), line.reason)
    return printable(f"{reason} {line.points:+d} (§{line.rule})")


def _seats(match: Recorded, seats: Sequence[int], language: str) -> str:
    """`Seat 2`; `Seat 0, Seat 1`."""
    named = several(seats, SEAT)
    return printable_sentence(match.game, language, lambda: Text("list", {"items": named}), str(seats))
