"""What happens in matches, as their streams tell it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

from foldtable_client import types
from foldtable_client.events import ServerEvent
from foldtable_client.sending import Sender
from foldtable_client.streams import follow


@dataclass(frozen=True)
class Snapshot:
    """The present view; the next events follow its version. A later snapshot replaces it."""

    version: int
    view: types.View
    clocks: types.Clocks | None = None
    """The time each seat has left; None without a clock."""
    match_id: str = ""


@dataclass(frozen=True)
class MoveApplied:
    """The next move. `to_act` and `status` are None on moves that are caught up with."""

    version: int
    seat: int | None
    events: list[types.Event]
    to_act: list[int] | None
    status: str | None
    timed_out: bool = False
    """The server made it for the seat, because its time was up."""
    clocks: types.Clocks | None = None
    event_texts: list[types.Text] | None = None
    """Words for each event; None unless a language was asked for."""
    match_id: str = ""


@dataclass(frozen=True)
class TableShown:
    """The newest table as a whole, with `include_table`. It replaces an earlier one."""

    version: int
    table: types.Table
    match_id: str = ""


@dataclass(frozen=True)
class TablePatched:
    """What has changed since the last table, with `include_table`: `patched(table, patch)` is the newest one."""

    version: int
    patch: list[dict[str, Any]]
    match_id: str = ""


@dataclass(frozen=True)
class SeatsUpdated:
    """Somebody has joined or left, has another name or other data, or has something else to do besides moving. Not with `include_table`."""

    version: int
    status: str
    seats: list[types.Seat]
    next_match_id: str | None
    """The rematch; None: none so far."""
    match_id: str = ""
    todos: list[types.Todo] = field(default_factory=list)
    """What players have to do besides moving, such as to answer a proposal."""


@dataclass(frozen=True)
class AccessRevoked:
    """The credential no longer opens this one of several matches. The others go on; to follow it alone is refused with this reason."""

    reason: str
    match_id: str = ""


@dataclass(frozen=True)
class MatchEnded:
    """The last event of a match."""

    version: int
    match_id: str = ""


StreamEvent = Snapshot | MoveApplied | TableShown | TablePatched | SeatsUpdated | AccessRevoked | MatchEnded


@dataclass(frozen=True)
class FeedEvent:
    """An event of a feed: `snapshot` begins it, every other tells of one match."""

    kind: str
    data: Any


async def match_events(
    sender: Sender, path: str, match_ids: Sequence[str], parameters: Mapping[str, Any]
) -> AsyncGenerator[StreamEvent]:
    """Yield what happens in matches, to the end of each; the stream's own control events are left out."""
    versions = dict.fromkeys(match_ids, parameters.get("after_version") or 0)
    ended, lost = set[str](), set[str]()
    async with aclosing(follow(sender, path, parameters)) as events:
        async for event in events:
            read = _read(event, match_ids)
            if read is None or read.match_id in ended:  # after an interruption, ends are told again
                continue
            if isinstance(read, MatchEnded):
                ended.add(read.match_id)
            if isinstance(read, AccessRevoked):
                lost.add(read.match_id)
            else:
                lost.discard(read.match_id)  # it may be read again
                versions[read.match_id] = read.version
            yield read
            if len(ended) == len(versions):
                return
    # Cut right before the end, a stream is only answered with 204; so it is when no match may be read any more.
    for match_id, version in versions.items():
        if match_id not in ended | lost:
            yield MatchEnded(version, match_id)


def _read(event: ServerEvent, match_ids: Sequence[str]) -> StreamEvent | None:
    """Return an event of a match, None for another. The stream of a single match does not name it.

    Without access to its match, such a stream is refused when it is opened again, which says why.
    """
    is_only_one = len(match_ids) == 1
    if event.kind not in _READERS:
        return None
    told = json.loads(event.data)
    if event.kind == "revoked" and "match_id" not in told:
        return None
    return _READERS[event.kind](told, match_ids[0] if is_only_one else told["match_id"])


def _snapshot(told: dict[str, Any], match_id: str) -> Snapshot:
    return Snapshot(told["version"], told["view"], told.get("clocks"), match_id)


def _move_applied(told: dict[str, Any], match_id: str) -> MoveApplied:
    return MoveApplied(
        version=told["version"],
        seat=told["seat"],
        events=told["events"],
        to_act=told["to_act"],
        status=told["status"],
        timed_out=told.get("timed_out", False),
        clocks=told.get("clocks"),
        event_texts=told.get("event_texts"),
        match_id=match_id,
    )


_READERS: Final[Mapping[str, Callable[[Any, str], StreamEvent]]] = {
    "snapshot": _snapshot,
    "move.applied": _move_applied,
    "table": lambda told, match_id: TableShown(told["version"], told, match_id),
    "table.patched": lambda told, match_id: TablePatched(told["version"], told["patch"], match_id),
    "seats.updated": lambda told, match_id: SeatsUpdated(
        told["version"],
        told["status"],
        told["seats"],
        told["next_match_id"],
        match_id,
        told.get("todos", []),
    ),
    "revoked": lambda told, match_id: AccessRevoked(told["reason"], match_id),
    "match.ended": lambda told, match_id: MatchEnded(told["version"], match_id),
}
