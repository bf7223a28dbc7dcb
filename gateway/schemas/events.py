"""The `data` of server-sent events."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from gateway.schemas.answers import PendingDecision, Seat, Todos
from gateway.schemas.clocks import Clocks
from gateway.schemas.fields import (
    BotLevel,
    BotName,
    Instant,
    MatchId,
    RawEvents,
    RawMetadata,
    RawView,
    Reference,
    SeatNumber,
    Status,
    Title,
    VersionNumber,
    Visibility,
)
from gateway.schemas.outcome import Outcome
from gateway.schemas.texts import Texts

# ── of one match ───────────────────────────────────────────────────────────────────────────────────


PatchOperation = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "type": "object",
            "required": ["op", "path"],
            "properties": {
                "op": {"enum": ["add", "remove", "replace"], "description": "What is done."},
                "path": {"type": "string", "description": "Where: a JSON Pointer (RFC 6901)."},
                "value": {"description": "The new value; absent with `remove`."},
            },
        }
    ),
]


class SnapshotData(Struct, frozen=True, kw_only=True):
    """`event: snapshot`: the current state of the match. The moves after its version follow."""

    version: VersionNumber
    view: RawView
    clocks: Clocks | None
    pending: list[PendingDecision] | UnsetType = UNSET
    outcome: Outcome | UnsetType = UNSET


class MoveAppliedData(Struct, frozen=True, kw_only=True):
    """`event: move.applied`: the next move. `to_act` and `status` are null on moves sent to catch up."""

    version: VersionNumber
    type: Annotated[Literal["move.applied"], Meta(description="The same as the event's name.")]
    seat: int | None
    events: RawEvents
    to_act: list[int] | None
    status: Status | None
    timed_out: bool
    clocks: Clocks | None
    event_texts: Texts | UnsetType = UNSET


class TablePatchedData(Struct, frozen=True, kw_only=True):
    """`event: table.patched`: what has changed in the table since the last `table` or `table.patched` of this stream."""

    version: VersionNumber
    patch: Annotated[
        list[PatchOperation],
        Meta(
            description="A JSON Patch (RFC 6902) of the last table; only with `add`, `remove` and `replace`."
        ),
    ]


class SeatsUpdatedData(Struct, frozen=True, kw_only=True):
    """`event: seats.updated`: somebody has joined or left, has another name or other data, or has something else to do besides
    moving, such as to answer a proposal; or the match has another title or visibility. Sent without an id.
    """

    version: VersionNumber
    status: Status
    seats: list[Seat]
    todos: Todos
    next_match_id: MatchId | None
    title: Title
    visibility: Visibility


class MatchEndedData(Struct, frozen=True, kw_only=True):
    """`event: match.ended`: the last event. The stream closes; a reconnect gets 204."""

    version: VersionNumber
    status: Annotated[Literal["ended"], Meta(description="The match has ended.")]


class ResetData(Struct, frozen=True, kw_only=True):
    """`event: reset`: the client claimed a version the match does not have; a snapshot follows."""

    version: VersionNumber


# ── of every stream ────────────────────────────────────────────────────────────────────────────────


class DrainData(Struct, frozen=True, kw_only=True):
    """`event: drain`: the server closes the stream; reconnect with the last id you have."""

    version: Annotated[
        VersionNumber | None, Meta(description="The version sent last; null before the first, and on feeds.")
    ]


class LaggedData(Struct, frozen=True, kw_only=True):
    """`event: lagged`: the client read too slowly and the stream closes; reconnect with the last id you have."""

    version: Annotated[VersionNumber | None, Meta(description="As in `drain`.")]


class RevokedData(Struct, frozen=True, kw_only=True):
    """`event: revoked`: the credential is no longer valid; the stream closes, and a reconnect is refused."""

    reason: Annotated[str, Meta(description="The reason with which a request would be refused.")]


# ── of a feed ──────────────────────────────────────────────────────────────────────────────────────


class WaitingBot(Struct, frozen=True, kw_only=True):
    """A bot that must act."""

    seat: SeatNumber
    level: BotLevel | None
    bot: BotName | None


class FeedMatch(Struct, frozen=True, kw_only=True):
    """The current status of a match."""

    match_id: str
    game: str
    version: VersionNumber
    status: Status
    to_act: list[int]
    waiting_for: Annotated[
        list[str],
        Meta(
            description="The ids of the players who must act or have something else to do; players without an id are omitted."
        ),
    ]
    waiting_for_me: Annotated[
        bool | None,
        Meta(
            description="Whether the feed's player must act or has something else to do; null on a tenant's feed."
        ),
    ]
    todos: Todos
    title: Title
    visibility: Visibility
    deadline: Instant | None
    waiting_bots: Annotated[list[WaitingBot], Meta(description="The bots that must act.")]
    players: Annotated[
        list[str], Meta(description="The players' ids, by seat; empty for a seat without one.")
    ]
    reference: Reference | UnsetType = UNSET
    metadata: RawMetadata | UnsetType = UNSET


class FeedSnapshotData(Struct, frozen=True, kw_only=True):
    """`event: snapshot` of a feed: the player's open matches, or those that wait for bots; null on a tenant's feed."""

    matches: Annotated[list[FeedMatch] | None, Meta(description="The matches; null on a tenant's feed.")]
