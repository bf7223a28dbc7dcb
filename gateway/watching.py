"""Following a match at its rules server, over restarts of that server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

import grpc
import structlog

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import WatchMatchRequest, WatchMatchResponse
from gateway.auth import Caller
from gateway.clients import RulesServer
from gateway.directory import Directory
from gateway.problem_documents import ProblemError
from gateway.refusals import refused_call
from gateway.tracing import Trace

Watch = grpc.aio.UnaryStreamCall[WatchMatchRequest, WatchMatchResponse]

FIRST_PAUSE_SECONDS: Final = 0.2
LONGEST_PAUSE_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 60.0
"""How long a stream waits for its rules server to come back before it gives up."""

_PASSING: Final = frozenset({"RULES_UNAVAILABLE", "LOG_UNAVAILABLE", "RULES_TIMEOUT"})

_log = structlog.get_logger("gateway.watching")


class MatchWatch:
    """One follower's updates. Nothing is read ahead: a slow reader slows the rules server's stream, not our memory."""

    def __init__(
        self,
        server: RulesServer,
        directory: Directory,
        request: WatchMatchRequest,
        caller: Caller,
        trace: Trace,
    ) -> None:
        """`request.after_version`, where set, is the version the follower has."""
        self._server = server
        self._directory = directory
        self._request = request
        self._caller = caller
        self._trace = trace
        self._call: Watch | None = None
        self._status: int = match_pb2.MATCH_STATUS_UNSPECIFIED

    @property
    def version(self) -> int | None:
        """The version the follower has been told."""
        return self._request.after_version if self._request.HasField("after_version") else None

    async def begin(self, *, seconds: float) -> None:
        """Wait until the rules server lets the caller in; ProblemError if it does not."""
        self._call = call = self._open()
        try:
            async with asyncio.timeout(seconds):
                await call.initial_metadata()
                if call.done() and await call.code() is not grpc.StatusCode.OK:
                    await call.wait_for_connection()  # raises what the call ended with
        except TimeoutError:
            call.cancel()
            raise ProblemError("RULES_TIMEOUT") from None
        except grpc.aio.AioRpcError as error:
            raise refused_call(error, in_query=True) from None

    async def updates(self) -> AsyncGenerator[WatchMatchResponse, None]:
        """Give updates until the match has ended; ProblemError when it cannot be followed any longer."""
        loop = asyncio.get_running_loop()
        pause, deadline = FIRST_PAUSE_SECONDS, loop.time() + PATIENCE_SECONDS
        try:
            while True:
                try:
                    async for update in self._read():
                        yield update
                        pause, deadline = FIRST_PAUSE_SECONDS, loop.time() + PATIENCE_SECONDS
                    if await self._ended():
                        return
                except ProblemError as problem:
                    if problem.reason.name not in _PASSING or loop.time() > deadline:
                        raise
                    _log.info("follow again", reason=problem.reason.name, match_id=self._request.match_id)
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
        finally:
            self.close()

    def close(self) -> None:
        """End the call at the rules server."""
        if self._call is not None:
            self._call.cancel()
            self._call = None

    def _open(self) -> Watch:
        # No deadline: a match is followed for as long as somebody follows it.
        return self._server.matches.WatchMatch(
            self._request, metadata=self._trace.metadata(self._caller.authorization)
        )

    async def _read(self) -> AsyncGenerator[WatchMatchResponse, None]:
        """Give the updates of one call, and move the position to continue from."""
        call = self._call or self._open()
        self._call = call
        try:
            while isinstance(update := await call.read(), WatchMatchResponse):
                self._note(update)
                yield update
        except grpc.aio.AioRpcError as error:
            raise refused_call(error, in_query=True) from None
        finally:
            self.close()

    def _note(self, update: WatchMatchResponse) -> None:
        match update.WhichOneof("update"):
            case "snapshot":
                self._request.after_version = update.snapshot.version
            case "move":
                self._request.after_version = update.move.version
                self._status = update.move.status

    async def _ended(self) -> bool:
        """Tell the end of the match from a server that stops: both end the call without an error."""
        if self._status != match_pb2.MATCH_STATUS_ENDED:
            match = await self._directory.find(self._request.match_id, self._caller, self._trace)
            self._status = match.status
            return match.status == match_pb2.MATCH_STATUS_ENDED and match.version == self.version
        return True
