"""Open proposals as the log keeps them, and what a player has to do at a match that is no move."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec

from engine.match.commands import PausedBy
from engine.match.timeline import ProposalKind

PauseChange: TypeAlias = PausedBy | Literal[""] | None
"""How a row changes whether a match is paused: who pauses it; empty: the pause is over; None: it does not."""


class Result(StrEnum):
    """How a proposal ended. A name is never reused for another meaning."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    MOVED = "moved"
    """A move, an undo, or somebody's leaving came first."""
    ENDED = "ended"
    """The match ended otherwise."""
    EXPIRED = "expired"


class ProposalChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a row changes the open proposal of its match, and whether the match is paused."""

    version: int | None = None
    """The version at which the proposal was made that is open after the row; None: none is."""
    kind: ProposalKind | None = None
    seat: int | None = None
    """The seat that made it."""
    asked: tuple[int, ...] = ()
    """The seats that have not answered yet."""
    is_new: bool = False
    """Whether the row makes it."""
    expires_at: datetime | None = None
    result: Result = Result.MOVED
    """How the proposal that was open before ended, if the row closes it."""
    paused: PauseChange = None


class TodoKind(StrEnum):
    """What a player has to do at a match, besides moving."""

    ANSWER_UNDO = "answer_undo"
    ANSWER_ABORT = "answer_abort"
    ANSWER_PAUSE = "answer_pause"
    ANSWER_REPLACE = "answer_replace"
    RETURN = "return"
    """The player is away: the server decides for the seat until the player returns."""
    GET_READY = "get_ready"
    """The match starts on demand, and the player has not said to be ready."""
    TAKE_INVITE = "take_invite"
    TAKE_SEAT = "take_seat"
    """The seat is kept for the player of the match before."""


class Todo(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a player has to do at a match, besides moving."""

    kind: TodoKind
    seat: int
    player: str = ""
    """The platform's id of the player; may be empty."""
    deadline: datetime | None = None
    """Until when it may be done; None: there is no limit."""
