"""A very small MatchService on a real socket, for what the real one does not do on demand: break, stall, stay silent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
from google.rpc import code_pb2, status_pb2

from foldtable.matches.v1 import follow_pb2, match_pb2, match_service_pb2_grpc, play_pb2
from foldtable.matches.v1.match_service_pb2 import (
    GetMatchRequest,
    GetMatchResponse,
    GetViewRequest,
    GetViewResponse,
    ListMovesRequest,
    ListMovesResponse,
)
from foldtable.matches.v1.table_pb2 import GetTableRequest, GetTableResponse
from foldtable.rules.v1.payload_pb2 import Payload
from foldtable.rules.v1.table_pb2 import Audience


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
        self.subscriptions: _Subscriptions | None = None
        """Of the newest stream."""
        self.follow_streams = 0
        self.follow_silence = False
        """Commands are read and nothing is said."""
        self.follow_refusals: dict[str, grpc.StatusCode] = {}
        """By authorization."""
        self.view_refusal: grpc.StatusCode | None = None
        self.views = 0
        self.tables = 0
        """How many tables were asked for, besides those that followers were told."""
        self.name = ""
        """What the player of seat 0 is called."""
        self.update_bytes = 2
        self.listed_after: list[int] = []
        """The version every page of moves was asked after."""

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

    async def Follow(  # noqa: N802 - as above
        self, request_iterator: AsyncIterator[follow_pb2.FollowRequest], context: Any
    ) -> AsyncIterator[follow_pb2.FollowResponse]:
        self.follow_streams += 1
        updates: asyncio.Queue[follow_pb2.FollowUpdate | None] = asyncio.Queue()
        subscriptions = _Subscriptions(self, updates)
        reading = asyncio.create_task(subscriptions.read(request_iterator))
        self.subscriptions = subscriptions
        try:
            while (update := await updates.get()) is not None:
                yield follow_pb2.FollowResponse(updates=[update])
        finally:
            reading.cancel()

    async def GetView(self, request: GetViewRequest, context: Any) -> GetViewResponse:  # noqa: N802 - as above
        self.views += 1
        if self.view_refusal is not None:
            await context.abort(self.view_refusal, "no")
        return GetViewResponse(version=self.moves, view=Payload(json=b"{}"))

    async def GetTable(self, request: GetTableRequest, context: Any) -> GetTableResponse:  # noqa: N802 - as above
        self.tables += 1
        return self.table(request.match_id)

    async def ListMoves(self, request: ListMovesRequest, context: Any) -> ListMovesResponse:  # noqa: N802 - as above
        self.listed_after.append(request.after_version)
        last = min(self.moves, request.after_version + request.page_size)
        return ListMovesResponse(
            moves=[self.move(version) for version in range(request.after_version + 1, last + 1)]
        )

    def move_on(self, moves: int = 1) -> None:
        """Somebody has moved; followers are told at once."""
        for _ in range(moves):
            self.moves += 1
            if self.subscriptions is not None:
                self.subscriptions.tell_move()

    def end_match(self) -> None:
        """The match is over."""
        self.status = match_pb2.MATCH_STATUS_ENDED
        if self.subscriptions is not None:
            self.subscriptions.tell_end()

    def call_the_player(self, name: str) -> None:
        """The player of seat 0 has another name; followers are told at once."""
        self.name = name
        if self.subscriptions is not None:
            self.subscriptions.tell_news()

    def match(self, match_id: str) -> match_pb2.Match:
        seat = match_pb2.Seat(seat=0, taken=True, state=match_pb2.SEAT_STATE_TAKEN, name=self.name)
        return match_pb2.Match(
            match_id=match_id,
            version=self.moves,
            status=self.status,
            seats=[seat],
            commitment=bytes(32),
        )

    def table(self, match_id: str) -> GetTableResponse:
        return GetTableResponse(
            version=self.moves,
            audience=Audience(kind=Audience.KIND_PUBLIC),
            match=self.match(match_id),
            seats_revision=self.name,
        )

    def move(self, version: int) -> match_pb2.Move:
        newest = version == self.moves
        return match_pb2.Move(
            version=version,
            events=Payload(json=b"[" + b" " * (self.update_bytes - 2) + b"]"),
            status=self.status if newest else match_pb2.MATCH_STATUS_UNSPECIFIED,
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


class _Subscriptions:
    """The subscriptions of one stream. There is one match here, whatever it is called."""

    def __init__(self, server: SmallServer, updates: asyncio.Queue[follow_pb2.FollowUpdate | None]) -> None:
        self._server = server
        self._updates = updates
        self.open: dict[int, follow_pb2.Subscribe] = {}
        self.listening: dict[int, int] = {}
        """The subscriptions that are told moves, and the version each has."""

    async def read(self, requests: AsyncIterator[follow_pb2.FollowRequest]) -> None:
        async for request in requests:
            for command in request.commands:
                if not self._server.follow_silence:
                    self._carry_out(command)

    def _carry_out(self, command: follow_pb2.FollowCommand) -> None:
        match command.WhichOneof("command"):
            case "subscribe":
                self._subscribe(command.subscribe)
            case "listen":
                self.listening[command.listen.follow_id] = command.listen.after_version
                self.tell_move()
            case "unsubscribe":
                self.open.pop(command.unsubscribe.follow_id, None)
                self.listening.pop(command.unsubscribe.follow_id, None)

    def _subscribe(self, asked: follow_pb2.Subscribe) -> None:
        if asked.follow_id in self.open:  # as the real one says it: the subscription that is there goes on
            in_use = status_pb2.Status(code=code_pb2.INVALID_ARGUMENT, message="is in use in this stream")
            self._updates.put_nowait(follow_pb2.FollowUpdate(follow_id=asked.follow_id, refused=in_use))
            return
        refusal = self._server.follow_refusals.get(asked.authorization)
        if refusal is not None:
            self.refuse(asked.follow_id, refusal)
            return
        self.open[asked.follow_id] = asked
        kind = (
            Audience.KIND_PUBLIC if asked.audience.kind == Audience.KIND_UNSPECIFIED else asked.audience.kind
        )
        audience = Audience(kind=kind, seat=asked.audience.seat if asked.audience.HasField("seat") else None)
        begun = follow_pb2.FollowUpdate.Begun(
            audience=audience, version=self._server.moves, status=self._server.status
        )
        self._updates.put_nowait(follow_pb2.FollowUpdate(follow_id=asked.follow_id, begun=begun))
        if not asked.silent:
            self.listening[asked.follow_id] = asked.after_version
            self.tell_move()

    def tell_move(self) -> None:
        for follow_id, reached in self.listening.items():
            for version in range(reached + 1, self._server.moves + 1):
                told = follow_pb2.FollowUpdate(follow_id=follow_id, move=self._server.move(version))
                self._updates.put_nowait(told)
            self.listening[follow_id] = self._server.moves
            if follow_id in self.open and self.open[follow_id].include_table:
                self.tell_news(only=follow_id)
        if self._server.status == match_pb2.MATCH_STATUS_ENDED:
            self.tell_end()

    def tell_news(self, *, only: int | None = None) -> None:
        """Tell the table to those who want tables, and the seats to the others."""
        for follow_id in self.listening if only is None else (only,):
            asked = self.open[follow_id]
            told = follow_pb2.FollowUpdate(follow_id=follow_id)
            if asked.include_table:
                told.table.CopyFrom(self._server.table(asked.match_id))
            else:
                told.match.CopyFrom(self._server.match(asked.match_id))
            self._updates.put_nowait(told)

    def tell_end(self) -> None:
        ended = follow_pb2.FollowUpdate.Ended(version=self._server.moves)
        for follow_id in tuple(self.listening):
            self.open.pop(follow_id, None)
            self.listening.pop(follow_id)
            self._updates.put_nowait(follow_pb2.FollowUpdate(follow_id=follow_id, ended=ended))

    def refuse(self, follow_id: int, code: grpc.StatusCode) -> None:
        """End a subscription."""
        self.open.pop(follow_id, None)
        self.listening.pop(follow_id, None)
        status = status_pb2.Status(code=code.value[0], message="no")
        self._updates.put_nowait(follow_pb2.FollowUpdate(follow_id=follow_id, refused=status))

    def refuse_credential(self, authorization: str, code: grpc.StatusCode) -> None:
        """End the subscriptions of a credential, now and from now on."""
        self._server.follow_refusals[authorization] = code
        for follow_id in [one for one, asked in self.open.items() if asked.authorization == authorization]:
            self.refuse(follow_id, code)

    def end(self) -> None:
        """End the stream without an error, as a server that stops does."""
        self._updates.put_nowait(None)
