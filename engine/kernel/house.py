"""What the house itself asks and records in a match, whatever the game: taking back, putting back, asking for consent.

These rows stand in the log like every other. They fold into no game's state: they say which rows count (course.py).
Requests and events are told from a game's own by their tags, so no game may use these.
"""

from __future__ import annotations

import re
from typing import Any, Final

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
    """Answer the open proposal."""

    accept: bool


class HouseEvent(Event, frozen=True, kw_only=True):
    """An event of no game. All of them are public."""


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


HouseRequest = Undo | Redo | AnswerUndo
AnyHouseEvent = MoveUndone | MoveRedone | UndoProposed | UndoAnswered
REQUEST_TAGS: Final = frozenset({"undo", "redo", "answer_undo"})
EVENT_TAGS: Final = frozenset({"move_undone", "move_redone", "undo_proposed", "undo_answered"})

_EVENTS: Final = Codec[AnyHouseEvent](AnyHouseEvent)
_OF_THE_HOUSE: Final = re.compile(rb'\[\{"type":"(?:%s)"' % "|".join(sorted(EVENT_TAGS)).encode())
"""Canonical JSON puts the tag first; a row is of the house or of the game, never of both."""


def is_house_row(events: bytes) -> bool:
    """Tell whether the events of a row are the house's own."""
    return _OF_THE_HOUSE.match(events) is not None


def read_events(game: AnyGame, events: bytes) -> tuple[Any, ...]:
    """Read the events of any row; `Unreadable` names the culprit's place."""
    if is_house_row(events):
        return _EVENTS.decode_many(events)
    return game.event_codec.decode_many(events)


def redact(game: AnyGame, event: Any, audience: Audience) -> Any:
    """Give any event as an audience may see it."""
    return event if isinstance(event, HouseEvent) else game.redact(event, audience)
