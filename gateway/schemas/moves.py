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
    events: Annotated[RawEvents, Meta(description="What happened, as the acting seat may see it.")]
    to_act: Annotated[list[int], Meta(description="The seats that must act now.")]
    status: Annotated[Status, Meta(description="The status of the match.")]
    outcome: Outcome | None
    clocks: Annotated[
        Clocks | None,
        Meta(
            description="The time each seat has left; null without a clock, and if the match already has a newer version."
        ),
    ]
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
    """One move as an audience may see it."""

    version: VersionNumber
    seat: Annotated[
        int | None, Meta(description="The seat that made it; null for the start and for what the tenant did.")
    ]
    action: RawMoveAction
    events: Annotated[
        RawEvents, Meta(description="What happened; each event without the parts hidden from the audience.")
    ]
    hash: Digest
    recorded_at: Instant
    timed_out: Annotated[bool, Meta(description="The server made it for the seat, whose time was up.")]
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
    moves: Annotated[list[Move], Meta(description="The moves of this page.")]
    next_page_token: Annotated[str, Meta(description="Token of the next page; empty on the last page.")]
    version: Annotated[VersionNumber, Meta(description="The match's version.")]
    status: Annotated[Status, Meta(description="Once it is `ended`, there are no further moves.")]
