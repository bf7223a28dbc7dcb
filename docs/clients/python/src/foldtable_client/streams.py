"""Follows server-sent events, and comes back with `Last-Event-ID` wherever it was cut off."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import httpx

from foldtable_client import types
from foldtable_client.problems import problem_of
from foldtable_client.sending import PASSING, Pauses, Sender, with_said

QUIET_SECONDS: Final = 45.0
"""Three missed pings: the connection is dead."""
RETURN_SECONDS: Final = 1.0
"""At most this long a pause before a stream that had been there is opened again; not all clients at once."""


@dataclass(frozen=True)
class Snapshot:
    """The table as it stands; what comes next follows on its version. A later one replaces what was known."""

    version: int
    view: types.View
    clocks: types.Clocks | None = None
    """What each seat has left; None without a clock."""


@dataclass(frozen=True)
class MoveApplied:
    """The next move. `to_act` and `status` are None on moves that are caught up with."""

    version: int
    seat: int | None
    events: list[types.Event]
    to_act: list[int] | None
    status: str | None
    timed_out: bool = False
    """The house made it in the seat's stead, because its time was up."""
    clocks: types.Clocks | None = None


@dataclass(frozen=True)
class MatchEnded:
    """The last event."""

    version: int


StreamEvent = Snapshot | MoveApplied | MatchEnded


@dataclass(frozen=True)
class FeedEvent:
    """An event of a feed: `snapshot` begins it, every other tells of one match."""

    kind: str
    data: Any


class ServerEvent(NamedTuple):
    """One event as the HTML standard tells it (§9.2)."""

    kind: str
    id: str
    data: str


def follow(sender: Sender, path: str, parameters: Mapping[str, Any]) -> Iterator[ServerEvent]:
    """Give every event, over as many connections as it takes; return when the server says there is no more (204).

    Unreachable if no connection holds for as long as the sender is patient, ProblemError if one is refused.
    """
    last_id, pauses = "", Pauses(sender.patience, first=RETURN_SECONDS)
    timeout = httpx.Timeout(sender.http.timeout.connect, read=QUIET_SECONDS)
    while True:
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        trouble, answer = f"GET {path}: the stream ended", None
        try:
            with sender.http.stream(
                "GET", path, params=with_said(path, parameters), headers=headers, timeout=timeout
            ) as answer:
                if answer.status_code == httpx.codes.NO_CONTENT:
                    return
                if answer.is_success:
                    for event in server_events(lines_of(answer.iter_bytes())):
                        last_id = event.id or last_id
                        yield event
                    pauses.begin_again()
                elif answer.status_code in PASSING:
                    trouble = f"GET {path}: {answer.status_code}"
                else:
                    answer.read()
                    raise problem_of(answer)
        except httpx.TransportError as error:
            trouble = f"GET {path}: {error!r}"
            if answer is not None and answer.is_success:  # it was cut off, so it had been there
                pauses.begin_again()
        pauses.wait(trouble, answer)


def match_events(sender: Sender, path: str, parameters: Mapping[str, Any]) -> Iterator[StreamEvent]:
    """Give what happens in a match, to its end; the housekeeping of the stream is kept to itself."""
    version = parameters.get("after_version") or 0
    for event in follow(sender, path, parameters):
        match event.kind:
            case "snapshot":
                told = json.loads(event.data)
                version = told["version"]
                yield Snapshot(version, told["view"], told.get("clocks"))
            case "move.applied":
                told = json.loads(event.data)
                version = told["version"]
                yield MoveApplied(
                    version=version,
                    seat=told["seat"],
                    events=told["events"],
                    to_act=told["to_act"],
                    status=told["status"],
                    timed_out=told.get("timed_out", False),
                    clocks=told.get("clocks"),
                )
            case "match.ended":
                break
    yield MatchEnded(
        version
    )  # also where the stream was cut right before the end: then the server only says 204


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """Cut bytes into lines at LF or CR LF only: within a text U+2028 and the like are letters."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode()


def server_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """Put lines together to events; comments and unknown fields are passed over."""
    kind, last_id, data = "", "", list[str]()
    for line in lines:
        if not line:
            if data:
                yield ServerEvent(kind or "message", last_id, "\n".join(data))
            kind, data = "", []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                kind = value
            case "id":
                last_id = value
            case "data":
                data.append(value)
