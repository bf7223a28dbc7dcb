"""Moves as text: the request, its events, who decides next, how the match ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.kernel.outcome import Outcome, SeatResult
from engine.kernel.pending import Pending
from engine.kernel.records import Action
from engine.kernel.seats import Audience, AudienceKind
from engine.match.absence import TimeOut
from engine.match.commands import (
    Abort,
    AbortAnswered,
    AbortedBy,
    AbortProposed,
    AnswerAbort,
    AnswerUndo,
    Forked,
    MatchAborted,
    MatchCommand,
    MoveRedone,
    MoveUndone,
    Redo,
    ReturnToSeat,
    SeatReturned,
    Undo,
    UndoAnswered,
    UndoProposed,
)
from engine.match.forking import Fork
from engine.match.requests import Resign, StartMatch, read_request
from services.cli.console import printable
from services.cli.replay.recorded_match import NotShown, Recorded
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


def heading(match: Recorded, version: int, audience: Audience) -> str:
    """Return who requested what."""
    seat = match.document.moves[version - 1].seat
    who = "start" if version == 1 else "the platform"
    return f"{who if seat is None else f'seat {seat}'}: {asked(match, version, audience)}"


def asked(match: Recorded, version: int, audience: Audience) -> str:
    """Return the request as text, as far as the audience may know it."""
    try:
        request = match.asked(version, audience)
    except NotShown as problem:
        return printable(f"({problem})")
    match request:
        case None:
            return HIDDEN
        case StartMatch():
            return printable(f"{request.seats} players, options {bytes(request.options).decode()}")
        case Fork(of=of, version=number, audience=maker):
            return f"a fork of match {of} at move {number}, {looking(maker).partition(':')[0]}"
        case Resign():
            return "resigns"
        case TimeOut(action=action):
            return printable(f"time is up, the server decides: {_instead(match, bytes(action))}")
        case _ if isinstance(request, MatchCommand):
            return _requested_command(request)
        case Action():
            return printable(match.game.notation.action(request))
        case _:
            return printable(str(request))


def _requested_command(request: MatchCommand) -> str:
    match request:
        case Undo(to=to):
            return f"asks to go back to move {to}"
        case Redo():
            return "redoes what was undone"
        case AnswerUndo(accept=accept):
            return f"{'agrees' if accept else 'does not agree'} to go back"
        case Abort():
            return "asks to abort the match"
        case AnswerAbort(accept=accept):
            return f"{'agrees' if accept else 'does not agree'} to abort the match"
        case ReturnToSeat():
            return "has returned"


def _instead(match: Recorded, action: bytes) -> str:
    read = read_request(match.game, action)
    return "resigns" if isinstance(read, Resign) else match.game.notation.action(read)


def event_lines(match: Recorded, version: int, audience: Audience) -> list[str]:
    """Return the events of a move, one per line."""
    try:
        events = match.events(version, audience)
    except NotShown as problem:
        return [printable(f"({problem})")]
    return [_happened(match, event) for event in events]


def _happened(match: Recorded, event: Any) -> str:
    match event:
        case MoveUndone(to=to):
            return f"the match stands again as after move {to}"
        case MoveRedone(to=to):
            return f"the match stands again as after move {to}, before it was undone"
        case Forked(version=number):
            return f"the match begins in the state of move {number}; what could not be known was dealt again"
        case UndoProposed(seat=seat, to=to):
            return f"seat {seat} asks the others to go back to move {to}"
        case AbortProposed(seat=seat):
            return f"seat {seat} asks the others to abort the match"
        case MatchAborted(by=AbortedBy.TENANT):
            return "the platform aborts the match"
        case MatchAborted():
            return "the match is aborted: everybody agrees"
        case UndoAnswered(seat=seat, accept=accept) | AbortAnswered(seat=seat, accept=accept):
            return f"seat {seat} {'accepts' if accept else 'refuses'}"
        case SeatReturned(seat=seat):
            return f"seat {seat} plays again"
        case _:
            return printable(match.game.notation.event(event))


def decisions(pending: Sequence[Pending]) -> str:
    """Return who decides next, and by which paragraph."""
    grouped: dict[tuple[str, str], list[int]] = {}
    for each in pending:
        grouped.setdefault((each.decision, each.rule), []).append(each.seat)
    return "; ".join(
        printable(f"{_seats(seats)} {'decides' if len(seats) == 1 else 'decide'} {decision} (§{rule})")
        for (decision, rule), seats in grouped.items()
    )


def next_up(match: Recorded, version: int, view: Any | None) -> str:
    """Return how the match goes on after a move; without a view, only from the moves."""
    if view is not None:
        return "the match is over" if view.outcome is not None else f"next: {decisions(view.pending)}"
    if version < len(match.document.moves):
        return f"next: seat {match.document.moves[version].seat} moves"
    return ""


def scores(outcome: Outcome) -> Iterator[str]:
    """Return who won and why, then every seat's result, best first."""
    winners = _seats(outcome.winners) if outcome.winners else "nobody"
    yield printable(f"{outcome.reason} (§{outcome.rule}), won by {winners}")
    for result in sorted(outcome.results, key=lambda result: (result.rank, result.seat)):
        yield printable(_result(result))


def _result(result: SeatResult) -> str:
    place = f"{result.rank}. seat {result.seat}"
    if result.score is None:
        return place
    parts = ", ".join(f"{line.reason} {line.points:+d} (§{line.rule})" for line in result.breakdown)
    return f"{place}: {result.score} points{f' = {parts}' if parts else ''}"


def _seats(seats: Sequence[int]) -> str:
    """`seat 2`; `seats 0, 1 and 3`."""
    if len(seats) == 1:
        return f"seat {seats[0]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"
