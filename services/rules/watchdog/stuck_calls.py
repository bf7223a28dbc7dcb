"""What the rules did not return from, as the database knows it: it is refused by every rules server, and after every restart."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
import structlog

from services.postgres.database import Connection, DatabaseUnavailable, Pool, connected
from services.process.reasons import Reason
from services.rules.marks import Work, match_of, request_of
from services.rules.match.playable import NotPlayableHere

POLL_SECONDS: Final = 1.0
"""How soon a rules server refuses what another one got stuck in."""
MAX_OF_MATCH: Final = 3
"""A match in which as many different actions got stuck is refused as a whole."""
MAX_OF_GAME: Final = 5
"""A game that got stuck as often within an hour is refused until that hour is over, for each time costs the others a restart."""
NEWEST: Final = 10_000

_NO_MATCH: Final = bytes(16)
_READ: Final = """
SELECT id, game, match_id, digest, recorded_at > now() - interval '1 hour' FROM stuck_calls
WHERE lifted_at IS NULL AND (game, distribution) IN (SELECT * FROM unnest($1::text[], $2::text[]))
ORDER BY id DESC LIMIT $3::int4
"""
_LIST: Final = """
SELECT id, recorded_at, distribution, game, function, match_id, version, seat, action FROM stuck_calls
WHERE lifted_at IS NULL ORDER BY id DESC LIMIT $1::int4
"""
_LIFT: Final = (
    "UPDATE stuck_calls SET lifted_at = now() WHERE id = $1::int8 AND lifted_at IS NULL RETURNING id"
)
_log: Final = structlog.get_logger("foldtable.rules")


class StuckCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call that did not return."""

    id: int
    recorded_at: datetime
    distribution: str
    game: str
    function: str
    match_id: UUID | None
    version: int | None
    seat: int | None
    action: str
    """The type of the action, or the method of the request; empty if it was neither."""


async def list_stuck(connection: Connection) -> list[StuckCall]:
    """Return what is refused at present, newest first."""
    cursor = await connection.execute(_LIST, (NEWEST,))
    names = StuckCall.__struct_fields__
    return [StuckCall(**dict(zip(names, row, strict=True))) for row in await cursor.fetchall()]


async def lift_stuck(connection: Connection, number: int) -> bool:
    """Have a call tried again; return whether it was refused until now."""
    cursor = await connection.execute(_LIFT, (number,))
    return await cursor.fetchone() is not None


class RulesStuck(NotPlayableHere):
    """RULES_STUCK: the rules did not return from this before, so they are not called again."""

    def __init__(self, message: str, game_id: str) -> None:
        super().__init__(Reason.RULES_STUCK, message, metadata={"game": game_id})


class StuckCalls:
    """The calls that are not made again. Belongs to one event loop; `refuse` may be called in any thread."""

    def __init__(self, pool: Pool, games: Mapping[str, str]) -> None:
        """`games`: the distribution of each game that is served; what got stuck in another version of it is tried again."""
        self._pool = pool
        self._games = games
        self._requests: frozenset[bytes] = frozenset()
        self._matches: frozenset[bytes] = frozenset()
        self._out: frozenset[str] = frozenset()
        self.any = False
        """Whether there is anything to refuse."""

    def refuse(self, game_id: str, work: Work) -> None:
        """Raises Refused RULES_STUCK if the rules did not return from this work before."""
        if game_id in self._out:
            raise RulesStuck(
                f"the rules of {game_id} have not returned several times within the last hour, so they are not called "
                "until it is over",
                game_id,
            )
        match = match_of(work)
        if match in self._matches:
            raise RulesStuck(
                "the rules did not return from reading this match, so it is stopped until an operator has examined it",
                game_id,
            )
        if request_of(work) in self._requests:
            raise RulesStuck(
                "the rules did not return from this request before, so it is not tried again; any other can be made",
                game_id,
            )

    @property
    def matches(self) -> list[UUID]:
        """The matches that are refused as a whole."""
        return [UUID(bytes=one) for one in self._matches]

    async def load(self) -> None:
        """Read what is stuck. Raises DatabaseUnavailable."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_READ, (list(self._games), list(self._games.values()), NEWEST))
            rows = await cursor.fetchall()
        requests, whole, lately = set(), set(), Counter[str]()
        of_match: Counter[bytes] = Counter()
        for _, game, match_id, digest, is_recent in rows:
            match = _NO_MATCH if match_id is None else match_id.bytes
            lately[game] += is_recent
            if digest is not None:
                requests.add(match + bytes(digest))
                of_match[match] += match_id is not None
            elif match_id is not None:
                whole.add(match)
        self._requests = frozenset(requests)
        self._matches = frozenset(whole | {one for one, times in of_match.items() if times >= MAX_OF_MATCH})
        self._out = frozenset(game for game, times in lately.items() if times >= MAX_OF_GAME)
        self.any = bool(rows)

    async def keep(self) -> None:
        """Read it again and again, until cancelled."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.load()
            except DatabaseUnavailable as problem:
                _log.warning("log unavailable", method="stuck_calls", error=str(problem))
                await asyncio.sleep(POLL_SECONDS)
