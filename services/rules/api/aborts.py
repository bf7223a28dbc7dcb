"""Aborting a match, by the tenant or with the consent of all seats."""

from __future__ import annotations

from engine.match.commands import Abort, AnswerAbort
from foldtable.matches.v1 import abort_pb2
from services.rules.api.commands import Commands


class Aborts:
    """Serves requests to abort a match, and the seats' answers to a proposed abort."""

    def __init__(self, run: Commands) -> None:
        self._commands = run

    async def abort(
        self, request: abort_pb2.AbortMatchRequest, authorization: str | None
    ) -> abort_pb2.AbortMatchResponse:
        """Abort a match, or propose to abort it; a tenant that names no seat needs nobody's consent."""
        result = await self._commands.run(request, Abort(), authorization, of_tenant=True)
        return abort_pb2.AbortMatchResponse(result=result)

    async def answer(
        self, request: abort_pb2.AnswerAbortRequest, authorization: str | None
    ) -> abort_pb2.AnswerAbortResponse:
        """Agree or object to a proposed abort."""
        command = AnswerAbort(accept=request.accept)
        result = await self._commands.run_decided(request, command, authorization)
        return abort_pb2.AnswerAbortResponse(result=result)
