"""A very small MatchService on a real socket, for what the real one does not do on demand: break, stall, stay silent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
from google.rpc import code_pb2, status_pb2

from foldtable.matches.v1 import match_pb2, match_service_pb2_grpc, play_pb2
from foldtable.matches.v1.match_service_pb2 import (
    GetMatchRequest,
    GetMatchResponse,
    WatchMatchRequest,
    WatchMatchResponse,
)
from foldtable.rules.v1.payload_pb2 import Payload


class SmallServer(match_service_pb2_grpc.MatchServiceServicer):
    """Accepts every move: version = expected version + 1. A request id is played once, as the real one does it."""

    def __init__(self) -> None:
        self.messages: list[list[int]] = []
        """Call ids of every message, in order."""
        self.played: list[str] = []
        """What was played: the bodies of the actions, once per request id."""
        self.streams = 0
        self.silent = False
        """Read, but never answer."""
        self.break_after_reading = 0
        """Break so many streams as soon as a message was read and played."""
        self.refuse = False
        self.open_gate = asyncio.Event()
        """Answers wait for it."""
        self.open_gate.set()
        self._answered: dict[str, int] = {}
        self._server: grpc.aio.Server | None = None
        self.port = 0
        self.moves = 0
        """The match has so many moves."""
        self.status: match_pb2.MatchStatus.ValueType = match_pb2.MATCH_STATUS_RUNNING
        self.metadata: list[dict[str, str]] = []
        """What came with every GetMatch."""
        self.get_refusal: grpc.StatusCode | None = None
        self.watch_ends = False
        """Streams end without an error after the newest move, as those of a server that stops."""
        self.watch_silent = False
        """Streams begin with nothing, not even with headers."""
        self.watch_refusal: grpc.StatusCode | None = None
        self.update_bytes = 2
        self.watched_after: list[int] = []
        """The version every stream was opened with."""
        self.nobody_watches = asyncio.Event()
        self.updates_sent = 0

    async def start(self) -> str:
        """Listen, on the port of the last time if there was one."""
        self._server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
        match_service_pb2_grpc.add_MatchServiceServicer_to_server(self, self._server)
        self.port = self._server.add_insecure_port(f"127.0.0.1:{self.port}")
        await self._server.start()
        return f"127.0.0.1:{self.port}"

    async def stop(self) -> None:
        """Stop at once; streams break."""
        if self._server is not None:
            await self._server.stop(None)
            self._server = None

    async def Play(  # noqa: N802 - the contract says so
        self, request_iterator: AsyncIterator[play_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[play_pb2.PlayResponse]:
        self.streams += 1
        async for request in request_iterator:
            self.messages.append([call.call_id for call in request.calls])
            replies = [self._reply(call) for call in request.calls]
            if self.break_after_reading > 0:
                self.break_after_reading -= 1
                await context.abort(grpc.StatusCode.UNAVAILABLE, "the stream breaks here")
            await self.open_gate.wait()
            if not self.silent:
                yield play_pb2.PlayResponse(replies=reversed(replies))

    async def GetMatch(self, request: GetMatchRequest, context: Any) -> GetMatchResponse:  # noqa: N802 - as above
        self.metadata.append(dict(context.invocation_metadata()))
        if self.get_refusal is not None:
            await context.abort(self.get_refusal, "no")
        return GetMatchResponse(
            match=match_pb2.Match(
                match_id=request.match_id, game="harbour", version=self.moves, status=self.status
            )
        )

    async def WatchMatch(  # noqa: N802 - as above
        self, request: WatchMatchRequest, context: Any
    ) -> AsyncIterator[WatchMatchResponse]:
        if self.watch_refusal is not None:
            await context.abort(self.watch_refusal, "no")
        if self.watch_silent:
            await asyncio.Event().wait()
        await context.send_initial_metadata(())
        self.watched_after.append(request.after_version)
        self.nobody_watches.clear()
        try:
            reached = request.after_version
            while True:
                while reached < self.moves:
                    reached += 1
                    yield self._update(reached)
                    self.updates_sent += 1
                if self.watch_ends or self.status == match_pb2.MATCH_STATUS_ENDED:
                    return
                await asyncio.sleep(0.01)
        finally:
            self.nobody_watches.set()

    def _update(self, version: int) -> WatchMatchResponse:
        newest = version == self.moves
        return WatchMatchResponse(
            move=match_pb2.Move(
                version=version,
                events=Payload(json=b" " * self.update_bytes),
                status=self.status if newest else match_pb2.MATCH_STATUS_UNSPECIFIED,
            )
        )

    def _reply(self, call: play_pb2.PlayCall) -> play_pb2.PlayReply:
        act = call.act
        if self.refuse:
            status = status_pb2.Status(code=code_pb2.FAILED_PRECONDITION, message=act.action.json.decode())
            return play_pb2.PlayReply(call_id=call.call_id, refused=status)
        replayed = act.request_id != "" and act.request_id in self._answered
        if not replayed:
            self.played.append(act.action.json.decode())
            self._answered[act.request_id] = act.expected_version + 1
        accepted = play_pb2.ActResponse(
            match_id=act.match_id, version=act.expected_version + 1, events=act.action, replayed=replayed
        )
        return play_pb2.PlayReply(call_id=call.call_id, accepted=accepted)
