"""Pausing a match and resuming it, by the tenant or with the consent of all seats."""

from __future__ import annotations

from engine.match.commands import AnswerPause, Pause, Resume
from foldtable.matches.v1 import pause_pb2
from services.rules.api.commands import Commands


class Pauses:
    """Serves requests to pause a match, the seats' answers to a proposed pause, and requests to go on."""

    def __init__(self, run: Commands) -> None:
        self._commands = run

    async def pause(
        self, request: pause_pb2.PauseMatchRequest, authorization: str | None
    ) -> pause_pb2.PauseMatchResponse:
        """Pause a match, or propose to pause it; a tenant that names no seat needs nobody's consent."""
        result = await self._commands.run(request, Pause(), authorization, of_tenant=True)
        return pause_pb2.PauseMatchResponse(result=result)

    async def answer(
        self, request: pause_pb2.AnswerPauseRequest, authorization: str | None
    ) -> pause_pb2.AnswerPauseResponse:
        """Agree or object to a proposed pause."""
        command = AnswerPause(accept=request.accept)
        result = await self._commands.run_decided(request, command, authorization)
        return pause_pb2.AnswerPauseResponse(result=result)

    async def resume(
        self, request: pause_pb2.ResumeMatchRequest, authorization: str | None
    ) -> pause_pb2.ResumeMatchResponse:
        """End a pause."""
        result = await self._commands.run(request, Resume(), authorization, of_tenant=True)
        return pause_pb2.ResumeMatchResponse(result=result)
