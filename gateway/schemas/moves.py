"""The answers to moves, and moves as they are listed."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.clocks import Clocks
from gateway.schemas.fields import (
    Digest,
    Instant,
    MatchId,
    RawEvents,
    RawMoveAction,
    Status,
    VersionNumber,
)
from gateway.schemas.outcome import Outcome
from gateway.schemas.tables.table import Table
from gateway.schemas.texts import Text, Texts


class MoveAnswer(Struct, frozen=True, kw_only=True):
    """An accepted move; it is durable."""

    match_id: MatchId
    version: VersionNumber
    events: RawEvents
    to_act: list[int]
    status: Status
    outcome: Outcome | None
    clocks: Clocks | None
    event_texts: Texts | UnsetType = UNSET
    table: (
        Annotated[
            Table | None,
            Meta(
                description="The table as the seat sees it now, perhaps after further moves; only with `include=table`. "
                "Null if it could not be read: the move stands."
            ),
        ]
        | UnsetType
    ) = UNSET


class MoveRehearsed(Struct, frozen=True, kw_only=True):
    """The move is legal now. It was not made, and the response does not say what it would lead to."""

    match_id: MatchId
    version: Annotated[VersionNumber, Meta(description="The version at which it was checked.")]
    dry_run: Annotated[Literal[True], Meta(description="The move was only checked.")]
    legal: Annotated[Literal[True], Meta(description="The move is legal.")]


class Move(Struct, frozen=True, kw_only=True):
    version: VersionNumber
    seat: int | None
    action: RawMoveAction
    events: RawEvents
    hash: Digest
    recorded_at: Instant
    timed_out: bool
    action_text: (
        Annotated[
            Text,
            Meta(
                description="What was asked, as a log line; only with `action`, if a language is asked for."
            ),
        ]
        | UnsetType
    ) = UNSET
    event_texts: Texts | UnsetType = UNSET


class MoveList(Struct, frozen=True, kw_only=True):
    """A page of moves, oldest first, without gaps."""

    match_id: MatchId
    moves: list[Move]
    next_page_token: str
    version: VersionNumber
    status: Status
