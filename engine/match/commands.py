"""The server's own requests and events in a match: undo, abort, pause, replacement, proposals and their answers, return, time and
vacations.

These rows are in the log like all others. They do not change a game's state, but decide which rows count (timeline.py).
Their tags distinguish them from a game's own requests and events, so no game may use these tags.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec

from engine.kernel.codec import Codec, form
from engine.kernel.game import AnyGame
from engine.kernel.records import Event
from engine.kernel.seats import Audience, Seat


class Undo(msgspec.Struct, frozen=True, kw_only=True, tag="undo", forbid_unknown_fields=True):
    """Take the match back to its state at version `to`: at once if no consent is needed, otherwise by consent."""

    to: int


class Redo(msgspec.Struct, frozen=True, kw_only=True, tag="redo", forbid_unknown_fields=True):
    """Put back what the last undo took back."""


class AnswerUndo(msgspec.Struct, frozen=True, kw_only=True, tag="answer_undo", forbid_unknown_fields=True):
    """Answer the open proposal to take moves back."""

    accept: bool


class Abort(msgspec.Struct, frozen=True, kw_only=True, tag="abort", forbid_unknown_fields=True):
    """Call the match off: at once if the tenant asks for it, by consent if a seat does."""


class AnswerAbort(msgspec.Struct, frozen=True, kw_only=True, tag="answer_abort", forbid_unknown_fields=True):
    """Answer the open proposal to call the match off."""

    accept: bool


class ReturnToSeat(
    msgspec.Struct, frozen=True, kw_only=True, tag="return_to_seat", forbid_unknown_fields=True
):
    """A player who was away is back: the seat gets its time again. See absence.py for the decisions made meanwhile."""


class Pause(msgspec.Struct, frozen=True, kw_only=True, tag="pause", forbid_unknown_fields=True):
    """Pause the match: at once if the tenant asks for it, by consent if a seat does."""


class AnswerPause(msgspec.Struct, frozen=True, kw_only=True, tag="answer_pause", forbid_unknown_fields=True):
    """Answer the open proposal to pause the match."""

    accept: bool


class Resume(msgspec.Struct, frozen=True, kw_only=True, tag="resume", forbid_unknown_fields=True):
    """End the pause."""


class AskToReplace(
    msgspec.Struct, frozen=True, kw_only=True, tag="ask_to_replace", forbid_unknown_fields=True
):
    """Ask the others whether another player may have the seat. The tenant asks for it, or the seat itself."""


class AnswerReplacement(
    msgspec.Struct, frozen=True, kw_only=True, tag="answer_replace", forbid_unknown_fields=True
):
    """Answer the open proposal to give a seat to another player."""

    accept: bool


class AddTime(msgspec.Struct, frozen=True, kw_only=True, tag="add_time", forbid_unknown_fields=True):
    """Add time to the clocks of seats. A seat may give it to others, the tenant to any."""

    seats: tuple[Seat, ...]
    seconds: int


class BeginVacation(
    msgspec.Struct, frozen=True, kw_only=True, tag="begin_vacation", forbid_unknown_fields=True
):
    """A vacation that the seat's player announced begins: the seat's clock stands. The server asks for it."""


class EndVacation(msgspec.Struct, frozen=True, kw_only=True, tag="end_vacation", forbid_unknown_fields=True):
    """The vacation of the seat's player is over. The server asks for it."""


class Abandon(msgspec.Struct, frozen=True, kw_only=True, tag="abandon", forbid_unknown_fields=True):
    """The server calls off a match that nobody plays any more. No seat and no tenant asks for it."""


class MatchEvent(Event, frozen=True, kw_only=True):
    """An event of the server. All of them are public, except for the state of a fork."""


class MoveUndone(MatchEvent, frozen=True, kw_only=True, tag="move_undone"):
    """The match is again in its state at version `to`."""

    seat: Seat
    """The seat that asked for it."""
    to: int


class MoveRedone(MatchEvent, frozen=True, kw_only=True, tag="move_redone"):
    """The match is again in its state before the last undo, which was its state at version `to`."""

    seat: Seat
    to: int


class UndoProposed(MatchEvent, frozen=True, kw_only=True, tag="undo_proposed"):
    """A seat asks the others to go back to version `to`."""

    seat: Seat
    to: int


class UndoAnswered(MatchEvent, frozen=True, kw_only=True, tag="undo_answered"):
    """A seat has answered. A refusal ends the proposal; the last acceptance is followed by `move_undone`."""

    seat: Seat
    accept: bool


class SeatReturned(MatchEvent, frozen=True, kw_only=True, tag="seat_returned"):
    """The player of a seat that was away is back."""

    seat: Seat


class AbortProposed(MatchEvent, frozen=True, kw_only=True, tag="abort_proposed"):
    """A seat asks the others to call the match off."""

    seat: Seat


class AbortAnswered(MatchEvent, frozen=True, kw_only=True, tag="abort_answered"):
    """A seat has answered. A refusal ends the proposal; the last acceptance is followed by `match_aborted`."""

    seat: Seat
    accept: bool


class PauseProposed(MatchEvent, frozen=True, kw_only=True, tag="pause_proposed"):
    """A seat asks the others to pause the match."""

    seat: Seat


class PauseAnswered(MatchEvent, frozen=True, kw_only=True, tag="pause_answered"):
    """A seat has answered. A refusal ends the proposal; the last acceptance is followed by `match_paused`."""

    seat: Seat
    accept: bool


class PausedBy(StrEnum):
    """Who paused the match."""

    TENANT = "tenant"
    """The tenant that runs the match. Only the tenant ends this pause."""
    CONSENT = "consent"
    """All seats that had not left, by agreement. Each of them may end it."""


class MatchPaused(MatchEvent, frozen=True, kw_only=True, tag="match_paused"):
    """Nobody has to act, and all clocks stand, until the match is resumed."""

    by: PausedBy
    seat: Seat | None
    """The seat that proposed it; None: the tenant."""


class MatchResumed(MatchEvent, frozen=True, kw_only=True, tag="match_resumed"):
    """The pause is over."""

    seat: Seat | None
    """The seat that asked for it; None: the tenant."""


class ReplacementProposed(MatchEvent, frozen=True, kw_only=True, tag="replacement_proposed"):
    """The others are asked whether another player may have a seat."""

    seat: Seat


class ReplacementAnswered(MatchEvent, frozen=True, kw_only=True, tag="replacement_answered"):
    """A seat has answered. A refusal ends the proposal; the last acceptance is followed by `replacement_agreed`."""

    seat: Seat
    accept: bool


class ReplacementAgreed(MatchEvent, frozen=True, kw_only=True, tag="replacement_agreed"):
    """All others agree that another player may have a seat. It holds for the player who has the seat now."""

    seat: Seat


class TimeAdded(MatchEvent, frozen=True, kw_only=True, tag="time_added"):
    """The clocks of seats have more time."""

    by: Seat | None
    """The seat that gave it; None: the tenant."""
    seats: tuple[Seat, ...]
    seconds: int


class VacationBegan(MatchEvent, frozen=True, kw_only=True, tag="vacation_began"):
    """The player of a seat is on vacation: the seat's clock stands."""

    seat: Seat


class VacationEnded(MatchEvent, frozen=True, kw_only=True, tag="vacation_ended"):
    """The vacation of a seat's player is over."""

    seat: Seat


class AbortedBy(StrEnum):
    """Who called the match off."""

    TENANT = "tenant"
    """The tenant that runs the match."""
    CONSENT = "consent"
    """All seats that had not left, by agreement."""
    ABSENCE = "absence"
    """The server: nobody was there to play."""


class MatchAborted(MatchEvent, frozen=True, kw_only=True, tag="match_aborted"):
    """The match has ended without a result. No row follows."""

    by: AbortedBy
    seat: Seat | None
    """The seat that proposed it; None: the tenant, or the server."""


MatchId = Annotated[
    str,
    msgspec.Meta(pattern=form("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\\s\\S])", "the id of a match")),
]
"""The id of the match that a fork comes from: a UUID as text."""

NOT_SHOWN: Final = msgspec.Raw(b"null")


class Forked(MatchEvent, frozen=True, kw_only=True, tag="forked"):
    """The match begins with a state of another one (forking.py). It counts like a start. Everything but the state is public."""

    of: MatchId
    """The match that was forked."""
    version: int
    """The version of that match with whose state this one begins."""
    audience: Audience
    """The audience whose knowledge was kept; everything hidden from it was dealt again."""
    state: msgspec.Raw = NOT_SHOWN
    """The complete state as JSON; null except for a referee."""

    def __repr__(self) -> str:
        """Return a text without the state, which may contain hidden facts."""
        return f"Forked(of={self.of}, version={self.version})"


MatchCommand = (
    Undo
    | Redo
    | AnswerUndo
    | Abort
    | AnswerAbort
    | Abandon
    | ReturnToSeat
    | Pause
    | AnswerPause
    | Resume
    | AskToReplace
    | AnswerReplacement
    | AddTime
    | BeginVacation
    | EndVacation
)
AnyMatchEvent = (
    MoveUndone
    | MoveRedone
    | UndoProposed
    | UndoAnswered
    | AbortProposed
    | AbortAnswered
    | MatchAborted
    | SeatReturned
    | PauseProposed
    | PauseAnswered
    | MatchPaused
    | MatchResumed
    | ReplacementProposed
    | ReplacementAnswered
    | ReplacementAgreed
    | TimeAdded
    | VacationBegan
    | VacationEnded
)
REQUEST_TAGS: Final = frozenset(
    {
        *("undo", "redo", "answer_undo", "abort", "answer_abort", "abandon", "return_to_seat"),
        *("pause", "answer_pause", "resume", "add_time", "begin_vacation", "end_vacation"),
        *("ask_to_replace", "answer_replace"),
    }
)
EVENT_TAGS: Final = frozenset(
    {
        *("move_undone", "move_redone", "undo_proposed", "undo_answered"),
        *("abort_proposed", "abort_answered", "match_aborted", "seat_returned"),
        *("pause_proposed", "pause_answered", "match_paused", "match_resumed"),
        *("time_added", "vacation_began", "vacation_ended"),
        *("replacement_proposed", "replacement_answered", "replacement_agreed"),
    }
)

FORKED_TAG: Final = "forked"

_EVENTS: Final = Codec[AnyMatchEvent](AnyMatchEvent)
_FORKED: Final = Codec[Forked](Forked)
_COMMAND_ROW: Final = re.compile(rb'\[\{"type":"(?:%s)"' % "|".join(sorted(EVENT_TAGS)).encode())
"""Canonical JSON puts the tag first; a row is of the server or of the game, never of both."""


_OF_A_FORK: Final = b'[{"type":"%s"' % FORKED_TAG.encode()


def is_command_row(events: bytes) -> bool:
    """Return whether the events of a row are the server's own, so that the row itself does not count."""
    return _COMMAND_ROW.match(events) is not None


def read_events(game: AnyGame, events: bytes) -> tuple[Any, ...]:
    """Return the events of any row. Raises Unreadable, which names the place of the error."""
    if is_command_row(events):
        return _EVENTS.decode_many(events)
    if events.startswith(_OF_A_FORK):
        return _FORKED.decode_many(events)
    return game.event_codec.decode_many(events)


def redact(game: AnyGame, event: Any, audience: Audience) -> Any:
    """Return any event as an audience may see it."""
    if isinstance(event, Forked):
        return event if audience.sees_all() else msgspec.structs.replace(event, state=NOT_SHOWN)
    return event if isinstance(event, MatchEvent) else game.redact(event, audience)
