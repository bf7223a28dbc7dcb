"""What the house itself asks and records in a match: taking back, calling off, asking for consent, coming back.

These rows stand in the log like every other. They fold into no game's state: they say which rows count (course.py).
Requests and events are told from a game's own by their tags, so no game may use these.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec

from engine.kernel.codec import Codec
from engine.kernel.game import AnyGame
from engine.kernel.records import Event
from engine.kernel.seats import Audience, Seat


class Undo(msgspec.Struct, frozen=True, kw_only=True, tag="undo", forbid_unknown_fields=True):
    """Take the match back to how it stood at version `to`: at once where that is free, else by consent."""

    to: int


class Redo(msgspec.Struct, frozen=True, kw_only=True, tag="redo", forbid_unknown_fields=True):
    """Put back what the last undo took back."""


class AnswerUndo(msgspec.Struct, frozen=True, kw_only=True, tag="answer_undo", forbid_unknown_fields=True):
    """Answer the open proposal to take moves back."""

    accept: bool


class Abort(msgspec.Struct, frozen=True, kw_only=True, tag="abort", forbid_unknown_fields=True):
    """Call the match off: at once if nobody at the table asks for it but the platform, else by consent."""


class AnswerAbort(msgspec.Struct, frozen=True, kw_only=True, tag="answer_abort", forbid_unknown_fields=True):
    """Answer the open proposal to call the match off."""

    accept: bool


class ReturnToSeat(
    msgspec.Struct, frozen=True, kw_only=True, tag="return_to_seat", forbid_unknown_fields=True
):
    """A player who was away is back: the seat gets its time again (absence.py tells what was done meanwhile)."""


class HouseEvent(Event, frozen=True, kw_only=True):
    """An event of no game. All of them are public, but for the table of a fork."""


class MoveUndone(HouseEvent, frozen=True, kw_only=True, tag="move_undone"):
    """The match stands again as at version `to`."""

    seat: Seat
    """Who asked for it."""
    to: int


class MoveRedone(HouseEvent, frozen=True, kw_only=True, tag="move_redone"):
    """The match stands again as before the last undo, which was at version `to`."""

    seat: Seat
    to: int


class UndoProposed(HouseEvent, frozen=True, kw_only=True, tag="undo_proposed"):
    """A seat asks the others to go back to version `to`."""

    seat: Seat
    to: int


class UndoAnswered(HouseEvent, frozen=True, kw_only=True, tag="undo_answered"):
    """A seat has answered. A refusal ends the proposal; the last acceptance is followed by `move_undone`."""

    seat: Seat
    accept: bool


class SeatReturned(HouseEvent, frozen=True, kw_only=True, tag="seat_returned"):
    """The player of a seat that was away is back."""

    seat: Seat


class AbortProposed(HouseEvent, frozen=True, kw_only=True, tag="abort_proposed"):
    """A seat asks the others to call the match off."""

    seat: Seat


class AbortAnswered(HouseEvent, frozen=True, kw_only=True, tag="abort_answered"):
    """A seat has answered. A refusal ends the proposal; the last acceptance is followed by `match_aborted`."""

    seat: Seat
    accept: bool


class AbortedBy(StrEnum):
    """Whose decision it was."""

    TENANT = "tenant"
    """The platform's that runs the match."""
    CONSENT = "consent"
    """That of every seat that had not left."""


class MatchAborted(HouseEvent, frozen=True, kw_only=True, tag="match_aborted"):
    """The match is over without a result. Nothing follows."""

    by: AbortedBy
    seat: Seat | None
    """Who asked for it; None: the tenant."""


MatchId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\\s\\S])")]
"""Of a match that a fork comes from; a UUID as it is written."""

NOT_SHOWN: Final = msgspec.Raw(b"null")


class Forked(HouseEvent, frozen=True, kw_only=True, tag="forked"):
    """The match begins at a table of another one (forking.py). It counts like a start, and only the table is not public."""

    of: MatchId
    """The match that was forked."""
    version: int
    """Its version at whose table this one begins."""
    audience: Audience
    """Whose knowledge was kept; the rest was dealt again."""
    state: msgspec.Raw = NOT_SHOWN
    """The whole table as JSON; null for everybody but a referee."""

    def __repr__(self) -> str:
        """Without the table: it may hold what nobody may see yet."""
        return f"Forked(of={self.of}, version={self.version})"


HouseRequest = Undo | Redo | AnswerUndo | Abort | AnswerAbort | ReturnToSeat
AnyHouseEvent = (
    MoveUndone
    | MoveRedone
    | UndoProposed
    | UndoAnswered
    | AbortProposed
    | AbortAnswered
    | MatchAborted
    | SeatReturned
)
REQUEST_TAGS: Final = frozenset({"undo", "redo", "answer_undo", "abort", "answer_abort", "return_to_seat"})
EVENT_TAGS: Final = frozenset(
    {
        *("move_undone", "move_redone", "undo_proposed", "undo_answered"),
        *("abort_proposed", "abort_answered", "match_aborted", "seat_returned"),
    }
)

FORKED_TAG: Final = "forked"

_EVENTS: Final = Codec[AnyHouseEvent](AnyHouseEvent)
_FORKED: Final = Codec[Forked](Forked)
_OF_THE_HOUSE: Final = re.compile(rb'\[\{"type":"(?:%s)"' % "|".join(sorted(EVENT_TAGS)).encode())
"""Canonical JSON puts the tag first; a row is of the house or of the game, never of both."""


_OF_A_FORK: Final = b'[{"type":"%s"' % FORKED_TAG.encode()


def is_house_row(events: bytes) -> bool:
    """Tell whether the events of a row are the house's own, so that the row itself does not count."""
    return _OF_THE_HOUSE.match(events) is not None


def read_events(game: AnyGame, events: bytes) -> tuple[Any, ...]:
    """Read the events of any row; `Unreadable` names the culprit's place."""
    if is_house_row(events):
        return _EVENTS.decode_many(events)
    if events.startswith(_OF_A_FORK):
        return _FORKED.decode_many(events)
    return game.event_codec.decode_many(events)


def redact(game: AnyGame, event: Any, audience: Audience) -> Any:
    """Give any event as an audience may see it."""
    if isinstance(event, Forked):
        return event if audience.sees_all() else msgspec.structs.replace(event, state=NOT_SHOWN)
    return event if isinstance(event, HouseEvent) else game.redact(event, audience)
