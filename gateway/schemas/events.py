"""The `data` of server-sent events."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gateway.schemas.clocks import Clocks
from gateway.schemas.fields import (
    BotLevel,
    BotName,
    RawEvents,
    RawView,
    SeatNumber,
    Status,
    VersionNumber,
)

# ── of one match ───────────────────────────────────────────────────────────────────────────────────


class SnapshotData(Struct, frozen=True, kw_only=True):
    """`event: snapshot`: the table as it stands; the moves that follow come after its version."""

    version: VersionNumber
    view: RawView
    clocks: Annotated[Clocks | None, Meta(description="What each seat has left; null without a clock.")]


class MoveAppliedData(Struct, frozen=True, kw_only=True):
    """`event: move.applied`: the next move. `to_act` and `status` are null on moves that are caught up with."""

    version: VersionNumber
    type: Annotated[Literal["move.applied"], Meta(description="As the event.")]
    seat: Annotated[int | None, Meta(description="Who asked for it; null for the start.")]
    events: Annotated[RawEvents, Meta(description="What happened, each event without its hidden parts.")]
    to_act: Annotated[
        list[int] | None,
        Meta(description="The seats that are waited for; null on moves that are caught up with."),
    ]
    status: Annotated[
        Status | None, Meta(description="Whether the match goes on; null on moves that are caught up with.")
    ]
    timed_out: Annotated[
        bool, Meta(description="The house made it in the seat's stead, because its time was up.")
    ]
    clocks: Annotated[
        Clocks | None,
        Meta(
            description="What each seat has left; null without a clock, and on moves that are caught up with."
        ),
    ]


class MatchEndedData(Struct, frozen=True, kw_only=True):
    """`event: match.ended`: the last event. The stream closes; a reconnect gets 204."""

    version: VersionNumber
    status: Annotated[Literal["ended"], Meta(description="It is over.")]


class ResetData(Struct, frozen=True, kw_only=True):
    """`event: reset`: the client claimed a version the match does not have; a snapshot follows."""

    version: VersionNumber


# ── of every stream ────────────────────────────────────────────────────────────────────────────────


class DrainData(Struct, frozen=True, kw_only=True):
    """`event: drain`: the server closes the stream; reconnect with the last id you have."""

    version: Annotated[
        VersionNumber | None, Meta(description="The version told last; null before the first, and on feeds.")
    ]


class LaggedData(Struct, frozen=True, kw_only=True):
    """`event: lagged`: the client read too slowly and the stream closes; reconnect with the last id you have."""

    version: Annotated[VersionNumber | None, Meta(description="As in `drain`.")]


class RevokedData(Struct, frozen=True, kw_only=True):
    """`event: revoked`: the credential is no longer good; the stream closes, and a reconnect is refused."""

    reason: Annotated[str, Meta(description="The reason a request would be refused with.")]


# ── of a feed ──────────────────────────────────────────────────────────────────────────────────────


class WaitingBot(Struct, frozen=True, kw_only=True):
    """A bot that is waited for."""

    seat: SeatNumber
    level: BotLevel | None
    bot: BotName | None


class FeedMatch(Struct, frozen=True, kw_only=True):
    """How a match stands."""

    match_id: Annotated[str, Meta(description="The match.")]
    game: Annotated[str, Meta(description="Its game.")]
    version: VersionNumber
    status: Annotated[Status, Meta(description="Whether it waits for players, is played, or is over.")]
    to_act: Annotated[list[int], Meta(description="The seats that are waited for.")]
    waiting_for: Annotated[list[str], Meta(description="The players in those seats, where they have an id.")]
    waiting_for_me: Annotated[
        bool | None, Meta(description="The feed's player is waited for; null on a tenant's feed.")
    ]
    waiting_bots: Annotated[list[WaitingBot], Meta(description="The bots that are waited for.")]


class FeedSnapshotData(Struct, frozen=True, kw_only=True):
    """`event: snapshot` of a feed: the player's open matches, or those that wait for bots; null on a tenant's feed."""

    matches: Annotated[list[FeedMatch] | None, Meta(description="The matches; null on a tenant's feed.")]
