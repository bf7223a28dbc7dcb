"""The games' descriptions, read from the rules servers and cached for a while."""

from __future__ import annotations

import asyncio
import hashlib
import time
from dataclasses import dataclass
from typing import Final, Self

import msgspec

from foldtable.rules.v1.rules_service_pb2 import (
    DescribeGameRequest,
    DescribeGameResponse,
    GameSummary,
    GetTextsRequest,
    ListGamesRequest,
)
from gateway.problems.document import ProblemError
from gateway.schemas import games
from gateway.upstream.rules import RulesServer, RulesServers, call

_encode: Final = msgspec.json.Encoder(order="sorted").encode
KEEP_SECONDS: Final = 30.0
"""A new rules version becomes visible after at most this long. Within it, a server may be down unnoticed."""


@dataclass(frozen=True)
class Texts:
    """The messages of a game in one language, as they are sent."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, game: str, language: str, messages: dict[str, str]) -> Self:
        body = _encode(games.Catalogue(game=game, language=language, messages=messages))
        return cls(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


class Catalogue:
    """Caches the games' descriptions, and reads them again when they are old."""

    def __init__(self, servers: RulesServers, *, seconds: float) -> None:
        self._servers = servers
        self._seconds = seconds
        self._summaries: dict[str, tuple[float, list[GameSummary]]] = {}
        self._descriptions: dict[tuple[str, str], tuple[float, DescribeGameResponse]] = {}
        self._texts: dict[tuple[str, str], tuple[float, Texts]] = {}

    async def games(self) -> list[GameSummary]:
        """Return the routed games in order of their ids.

        Games whose server cannot be reached are returned as last read. Raises ProblemError RULES_UNAVAILABLE if no server
        could ever be reached.
        """
        answers = await asyncio.gather(
            *(self._list(server) for server in self._servers.all), return_exceptions=True
        )
        found: dict[str, GameSummary] = {}
        refused: ProblemError | None = None
        for summaries in answers:
            if isinstance(summaries, ProblemError):
                refused = summaries
            elif isinstance(summaries, BaseException):
                raise summaries
            else:
                found |= {
                    summary.game: summary for summary in summaries if self._servers.serves(summary.game)
                }
        if not found and refused is not None:
            raise refused
        return [found[game] for game in sorted(found)]

    async def describe(self, game: str, language: str = "") -> DescribeGameResponse:
        """Return a game's description, with names in a language if one is given. Raises ProblemError GAME_NOT_FOUND if the
        game has no route.
        """
        if not self._servers.serves(game):
            raise ProblemError("GAME_NOT_FOUND")
        kept = self._descriptions.get((game, language))
        if kept is not None and _fresh(kept[0]):
            return kept[1]
        server = self._servers.of_game(game)
        try:
            answer = await call(
                server.rules.DescribeGame,
                DescribeGameRequest(game=game, language=language),
                seconds=self._seconds,
            )
        except ProblemError:
            if kept is None:
                raise
            return kept[1]
        self._descriptions[game, language] = (time.monotonic(), answer)
        return answer

    async def texts(self, game: str, language: str) -> Texts:
        """Return the messages of a game in one language. Raises ProblemError GAME_NOT_FOUND if the game has no route."""
        if not self._servers.serves(game):
            raise ProblemError("GAME_NOT_FOUND")
        kept = self._texts.get((game, language))
        if kept is not None and _fresh(kept[0]):
            return kept[1]
        server = self._servers.of_game(game)
        try:
            answer = await call(
                server.rules.GetTexts,
                GetTextsRequest(game=game, language=language),
                seconds=self._seconds,
            )
        except ProblemError:
            if kept is None:
                raise
            return kept[1]
        texts = Texts.of(game, language, dict(answer.messages))
        self._texts[game, language] = (time.monotonic(), texts)
        return texts

    async def _list(self, server: RulesServer) -> list[GameSummary]:
        kept = self._summaries.get(server.address)
        if kept is not None and _fresh(kept[0]):
            return kept[1]
        try:
            answer = await call(server.rules.ListGames, ListGamesRequest(), seconds=self._seconds)
        except ProblemError:
            if kept is None:
                raise
            return kept[1]
        summaries = list(answer.games)
        self._summaries[server.address] = (time.monotonic(), summaries)
        return summaries


def _fresh(read_at: float) -> bool:
    return time.monotonic() - read_at < KEEP_SECONDS
