"""The `data` of server-sent events."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from gateway.schemas.fields import RawEvents, RawView, Status, VersionNumber


class SnapshotData(Struct, frozen=True, kw_only=True):
    """`event: snapshot`: the table as it stands; the moves that follow come after its version."""

    version: VersionNumber
    view: RawView


class MoveAppliedData(Struct, frozen=True, kw_only=True):
    """`event: move.applied`: the next move. `to_act` and `status` are null on moves that are caught up with."""

    version: VersionNumber
    type: Literal["move.applied"]
    seat: Annotated[int | None, Meta(description="Who asked for it; null for the start.")]
    events: RawEvents
    to_act: list[int] | None
    status: Status | None


class MatchEndedData(Struct, frozen=True, kw_only=True):
    """`event: match.ended`: the last event. The stream closes; a reconnect gets 204."""

    version: VersionNumber
    status: Literal["ended"]


class ResetData(Struct, frozen=True, kw_only=True):
    """`event: reset`: the client claimed a version the match does not have; a snapshot follows."""

    version: VersionNumber


class DrainData(Struct, frozen=True, kw_only=True):
    """`event: drain`: the server closes the stream; reconnect with the version you have."""

    version: VersionNumber | None
