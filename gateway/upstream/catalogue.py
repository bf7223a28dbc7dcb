"""The games' descriptions, read from the rules servers and cached for a while."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Self, TypeVar

import msgspec

from foldtable.rules.v1.rules_service_pb2 import (
    DescribeGameRequest,
    DescribeGameResponse,
    GameSummary,
    GetLayoutRequest,
    GetTextsRequest,
    ListGamesRequest,
    ListParagraphsRequest,
    ListParagraphsResponse,
)
from gateway.problems.document import ProblemError
from gateway.schemas import games
from gateway.translate.table import layout
from gateway.upstream.rules import RulesServer, RulesServers, call

_encode: Final = msgspec.json.Encoder(order="sorted").encode
KEEP_SECONDS: Final = 30.0
"""A new rules version becomes visible after at most this long. Within it, a server may be down unnoticed."""


Kept = TypeVar("Kept")
Cache = dict[tuple[str, str], tuple[float, Kept]]
"""What was read when, by game and language."""


@dataclass(frozen=True)
class PublicDocument:
    """Something that everybody may read, as it is sent."""

    body: bytes
    etag: str

    @classmethod
    def of(cls, struct: msgspec.Struct) -> Self:
        return cls.of_bytes(_encode(struct))

    @classmethod
    def of_bytes(cls, body: bytes) -> Self:
        return cls(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


class Catalogue:
    """Caches the games' descriptions, and reads them again when they are old."""

    def __init__(self, servers: RulesServers, *, seconds: float) -> None:
        self._servers = servers
        self._seconds = seconds
        self._summaries: dict[str, tuple[float, list[GameSummary]]] = {}
        self._descriptions: Cache[DescribeGameResponse] = {}
        self._texts: Cache[PublicDocument] = {}
        self._layouts: Cache[PublicDocument] = {}
        self._paragraphs: Cache[ListParagraphsResponse] = {}

    async def games(self) -> list[GameSummary]:
        """Return the games that their routed servers serve, in order of their ids.

        Games whose server cannot be reached are returned as last read. Raises ProblemError RULES_UNAVAILABLE if no server
        could ever be reached.
        """
        answers = await asyncio.gather(
            *(self._list(server) for server in self._servers.all), return_exceptions=True
        )
        found: dict[str, GameSummary] = {}
        refused: ProblemError | None = None
        for server, summaries in zip(self._servers.all, answers, strict=True):
            if isinstance(summaries, ProblemError):
                refused = summaries
            elif isinstance(summaries, BaseException):
                raise summaries
            else:
                found |= {
                    summary.game: summary
                    for summary in summaries
                    if self._servers.serves(summary.game) and self._servers.of_game(summary.game) is server
                }
        if not found and refused is not None:
            raise refused
        return [found[game] for game in sorted(found)]

    async def describe(self, game: str, language: str = "") -> DescribeGameResponse:
        """Return a game's description, with names in a language if one is given. Raises ProblemError GAME_NOT_FOUND if the
        game has no route.
        """

        async def read(server: RulesServer) -> DescribeGameResponse:
            asked = DescribeGameRequest(game=game, language=language)
            return await call(server.rules.DescribeGame, asked, seconds=self._seconds)

        return await self._kept(self._descriptions, game, language, read)

    async def descriptions(self) -> list[DescribeGameResponse]:
        """Return the descriptions of all games. Raises ProblemError if a server cannot be reached.

        While replicas are replaced, one may list a game that another does not have yet; such a game is left out.
        """
        found = []
        for summary in await self.games():
            try:
                found.append(await self.describe(summary.game))
            except ProblemError as problem:
                if problem.reason.name != "GAME_NOT_FOUND":
                    raise
        return found

    async def layout(self, game: str) -> PublicDocument:
        """Return where the things of a game are. Raises ProblemError as `describe` does."""

        async def read(server: RulesServer) -> PublicDocument:
            found = await call(server.rules.GetLayout, GetLayoutRequest(game=game), seconds=self._seconds)
            return PublicDocument.of(layout(found.layout, game=game))

        return await self._kept(self._layouts, game, "", read)

    async def texts(self, game: str, language: str) -> PublicDocument:
        """Return the messages of a game in one language. Raises ProblemError as `describe` does."""

        async def read(server: RulesServer) -> PublicDocument:
            asked = GetTextsRequest(game=game, language=language)
            found = await call(server.rules.GetTexts, asked, seconds=self._seconds)
            return PublicDocument.of(
                games.Catalogue(game=game, language=language, messages=dict(found.messages))
            )

        return await self._kept(self._texts, game, language, read)

    async def paragraphs(self, game: str) -> ListParagraphsResponse:
        """Return what each paragraph of a game's rules says. Raises ProblemError as `describe` does."""

        async def read(server: RulesServer) -> ListParagraphsResponse:
            asked = ListParagraphsRequest(game=game)
            return await call(server.rules.ListParagraphs, asked, seconds=self._seconds)

        return await self._kept(self._paragraphs, game, "", read)

    async def _kept(
        self,
        cache: Cache[Kept],
        game: str,
        language: str,
        read: Callable[[RulesServer], Awaitable[Kept]],
    ) -> Kept:
        """Return what was read lately, or read it now; what is old is better than nothing."""
        if not self._servers.serves(game):
            raise ProblemError("GAME_NOT_FOUND")
        kept = cache.get((game, language))
        if kept is not None and _fresh(kept[0]):
            return kept[1]
        try:
            answer = await read(self._servers.of_game(game))
        except ProblemError:
            if kept is None:
                raise
            return kept[1]
        cache[game, language] = (time.monotonic(), answer)
        return answer

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
