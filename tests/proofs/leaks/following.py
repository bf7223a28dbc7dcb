"""What an audience is told without asking again: event streams, RPC streams, and the feed of a player's matches."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx

from foldtable.matches.v1 import follow_pb2, match_service_pb2_grpc
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED
from tests.proofs.leaks.listeners import HEADERS, Listener, head, wire

SECONDS: Final = 60
"""How long the last move may take to arrive."""
FEED_VERSIONS: Final = 6
"""A feed may leave out what is overtaken, so up to here, and for the last version, the players wait for it."""
VERSION: Final = re.compile(r'"version":(\d+)')


class Followed:
    """The streams of one listener, open from the first version on."""

    def __init__(self, one: Listener, key: str) -> None:
        self._one = one
        self._key = key
        self._events = b""
        self._tables = b""
        self._watched: list[pb.WatchMatchResponse] = []
        self._updates: list[follow_pb2.FollowUpdate] = []
        self._feed: dict[int, bytes] = {}
        self._news = asyncio.Condition()

    # ── listening ──────────────────────────────────────────────────────────────────────────────────

    async def listen_to_events(self) -> None:
        async for part in self._stream():
            self._events += part
            await self._tell()

    async def listen_to_tables(self) -> None:
        async for part in self._stream(include="table"):
            self._tables += part
            await self._tell()

    async def _stream(self, **query: str) -> AsyncIterator[bytes]:
        one = self._one
        bearer = {"authorization": f"Bearer {one.credential}", "accept": "text/event-stream"}
        async with one.http.stream(
            "GET",
            f"{one.match.path}/stream",
            params={"after_version": 0, **query},
            headers=bearer,
            timeout=None,
        ) as answer:
            self._hear_headers(f"GET {one.match.path}/stream", answer)
            async for part in answer.aiter_raw():
                yield part

    async def listen_to_feed(self) -> None:
        """The tenant passes a player's feed on to the player, or the player has it with a session."""
        query = {"player": self._one.match.player(self._one.seat)}
        bearer = {"authorization": f"Bearer {self._one.credential if self._one.by_session else self._key}"}
        async with self._one.http.stream(
            "GET", "/v1/feed", params=query, headers=bearer, timeout=None
        ) as answer:
            self._hear_headers("GET /v1/feed", answer)
            async for line in answer.aiter_lines():
                if line.startswith("data: ") and (version := VERSION.search(line)) is not None:
                    self._feed.setdefault(int(version[1]), line.encode())  # the first is a snapshot
                    await self._tell()

    async def watch(self) -> None:
        stub = match_service_pb2_grpc.MatchServiceStub(self._one.channel)
        asked = pb.WatchMatchRequest(
            match_id=self._one.match.match_id, audience=self._one.audience, form=PAYLOAD_FORM_TYPED
        )
        async for update in stub.WatchMatch(asked, metadata=self._one.metadata):
            self._watched.append(update)
            await self._tell()

    async def follow(self) -> None:
        """As a gateway follows for its readers."""
        stub = match_service_pb2_grpc.MatchServiceStub(self._one.channel)
        asked = follow_pb2.Subscribe(
            follow_id=1,
            authorization=f"Bearer {self._one.credential}",
            match_id=self._one.match.match_id,
            audience=self._one.audience,
            after_version=0,
            form=PAYLOAD_FORM_JSON,
        )

        async def commands() -> AsyncIterator[follow_pb2.FollowRequest]:
            yield follow_pb2.FollowRequest(commands=[follow_pb2.FollowCommand(subscribe=asked)])
            await asyncio.Event().wait()

        async for response in stub.Follow(commands()):
            self._updates += response.updates
            await self._tell()

    # ── waiting and writing down ───────────────────────────────────────────────────────────────────

    async def until(self, version: int, *, last: bool = False) -> None:
        """Wait until every stream has told of this version; of the `last` one also the feed.

        What is told of a move says a little more while no other follows, so the players wait for those who listen.
        """
        fed = self._one.seat is not None and (last or version <= FEED_VERSIONS)
        async with asyncio.timeout(SECONDS), self._news:
            await self._news.wait_for(lambda: self._has(version) and (not fed or version in self._feed))

    def write_down(self, version: int) -> None:
        """Write down all that was told, for a match at this version."""
        one = self._one
        one.hear("event stream", version, "all of it", self._events)
        one.hear("tables", version, "the stream with tables", self._tables)
        for number, update in enumerate(self._watched):
            one.hear(
                "rpc watch", version, f"WatchMatch {number}", wire(update.SerializeToString(), type(update))
            )
        for number, told in enumerate(self._updates):
            one.hear("rpc follow", version, f"Follow {number}", wire(told.SerializeToString(), type(told)))
        for at, line in sorted(self._feed.items()):
            if at <= FEED_VERSIONS or at == version:
                one.hear("feed", at, "match.updated", line)

    def _has(self, version: int) -> bool:
        return (
            f"\nid: {version}\n".encode() in self._events
            and f"\nid: {version}\nevent: table".encode() in self._tables
            and any(version in {update.move.version, update.snapshot.version} for update in self._watched)
            and any(update.move.version == version for update in self._updates)
        )

    async def _tell(self) -> None:
        async with self._news:
            self._news.notify_all()

    def _hear_headers(self, what: str, answer: httpx.Response) -> None:
        lines = [
            line
            for line in head(answer).splitlines()
            if not line.startswith((b"traceparent", b"x-request-id"))
        ]
        self._one.hear(HEADERS, 1, what, b"\r\n".join(lines))


@asynccontextmanager
async def followed(one: Listener, key: str) -> AsyncIterator[Followed]:
    """Follow a match in every way there is; the streams are cut in the end."""
    streams = Followed(one, key)
    listening: list[Any] = [
        streams.listen_to_events(),
        streams.listen_to_tables(),
        streams.watch(),
        streams.follow(),
    ]
    if one.seat is not None:
        listening.append(streams.listen_to_feed())
    tasks = [asyncio.create_task(each) for each in listening]
    try:
        yield streams
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def glance_at_streams(one: Listener, version: int) -> None:
    """Begin to follow at this version: the first that is told is the whole table."""
    stub = match_service_pb2_grpc.MatchServiceStub(one.channel)
    asked = pb.WatchMatchRequest(match_id=one.match.match_id, audience=one.audience, form=PAYLOAD_FORM_JSON)
    watching = stub.WatchMatch(asked, metadata=one.metadata)
    first = await watching.read()
    watching.cancel()
    one.hear("rpc watch", version, "WatchMatch snapshot", wire(first.SerializeToString(), type(first)))
    bearer = {"authorization": f"Bearer {one.credential}"}
    one.hear("event stream", version, "snapshot", await _first_event(one, headers=bearer))
    include = {"include": "table"}
    table = await _first_event(one, headers=bearer, params=include, name="table")
    one.hear("tables", version, "table", table)
    several = {"matches": one.match.match_id}
    of_several = await _first_event(one, "/v1/stream", headers=bearer, params=several)
    one.hear("event stream", version, "GET /v1/stream", of_several)
    named = {"matches": [one.match.match_id]}
    given = await one.ask("tickets", version, "POST", "/v1/stream-tickets", json=named)
    ticket = {"ticket": given.json()["ticket"]}
    one.hear("tickets", version, "snapshot of several", await _first_event(one, "/v1/stream", params=ticket))
    watching = stub.WatchMatch(
        pb.WatchMatchRequest(match_id=one.match.match_id, audience=one.audience, include_table=True),
        metadata=one.metadata,
    )
    first = await watching.read()
    watching.cancel()
    one.hear("tables", version, "WatchMatch table", wire(first.SerializeToString(), type(first)))
    given = await one.ask("tickets", version, "POST", f"{one.match.path}/stream-tickets", json={})
    ticket = {"ticket": given.json()["ticket"]}
    one.hear("tickets", version, "snapshot", await _first_event(one, params=ticket))


async def _first_event(
    one: Listener, path: str = "", *, name: str = "snapshot", **asked: dict[str, str]
) -> bytes:
    told = b""
    async with one.http.stream("GET", path or f"{one.match.path}/stream", **asked) as answer:
        async for part in answer.aiter_raw():
            told += part
            is_told = f"event: {name}\n".encode() in told and told.endswith(b"\n\n")
            if answer.status_code != 200 or is_told:
                break
    return told
