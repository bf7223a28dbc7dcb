"""Asking the table whether another player may have a seat."""

from __future__ import annotations

from engine.match.commands import AnswerReplacement, AskToReplace
from foldtable.matches.v1 import replacing_pb2
from services.rules.api.commands import Commands


class Replacements:
    """Serves requests to ask the table, and the seats' answers. Lobby replaces the player."""

    def __init__(self, run: Commands) -> None:
        self._commands = run

    async def ask(
        self, request: replacing_pb2.AskToReplaceRequest, authorization: str | None
    ) -> replacing_pb2.AskToReplaceResponse:
        """Ask all other seats whether another player may have a seat."""
        result = await self._commands.run(request, AskToReplace(), authorization)
        return replacing_pb2.AskToReplaceResponse(result=result)

    async def answer(
        self, request: replacing_pb2.AnswerReplacementRequest, authorization: str | None
    ) -> replacing_pb2.AnswerReplacementResponse:
        """Agree or object to another player for a seat."""
        command = AnswerReplacement(accept=request.accept)
        result = await self._commands.run_decided(request, command, authorization)
        return replacing_pb2.AnswerReplacementResponse(result=result)
