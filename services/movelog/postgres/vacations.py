"""Seats whose players' vacations have begun or ended, as the database says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec

from services.movelog.downtimes import ServedRules
from services.movelog.postgres.asking import ask
from services.postgres.database import Pool

_NOW: Final = "statement_timestamp()"
_ON_VACATION: Final = f"""EXISTS (
        SELECT FROM vacations
        WHERE vacations.tenant = seats.tenant AND vacations.player = seats.player
          AND vacations.since <= {_NOW} AND vacations.until > {_NOW}
    )"""
_CHANGED: Final = f"""
WITH changed AS (
    SELECT seats.match_id, seats.seat, true AS begins
    FROM vacations
    JOIN seats ON seats.tenant = vacations.tenant AND seats.player = vacations.player
              AND seats.match_open AND seats.state = 'taken' AND seats.bot = ''
    JOIN clocks ON clocks.match_id = seats.match_id AND clocks.seat = seats.seat AND NOT clocks.resting
    WHERE vacations.since <= {_NOW} AND vacations.until > {_NOW}
    UNION
    SELECT clocks.match_id, clocks.seat, false
    FROM clocks JOIN seats ON seats.match_id = clocks.match_id AND seats.seat = clocks.seat
    WHERE clocks.resting AND NOT {_ON_VACATION}
)
SELECT changed.match_id, changed.seat, changed.begins
FROM changed JOIN matches ON matches.id = changed.match_id
WHERE matches.status = 'running' AND matches.clock ->> 'vacations' = 'true'
  AND (matches.game, matches.rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  AND (changed.match_id, changed.seat) > ($3::uuid, $4::int2)
ORDER BY changed.match_id, changed.seat
LIMIT $5::int4
"""  # noqa: S608 - only constants of ours
"""The seats, page by page, in the order of their matches."""

NO_MATCH: Final = UUID(int=0)


class VacationChange(msgspec.Struct, frozen=True, kw_only=True):
    """A seat whose player is on vacation while its clock does not rest, or the other way round."""

    match_id: UUID
    seat: int
    begins: bool


FIRST: Final = VacationChange(match_id=NO_MATCH, seat=-1, begins=False)
"""Comes before every other one."""


class PostgresVacations:
    """Finds seats whose players' vacations have begun or ended."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def changed(
        self, rules: Sequence[ServedRules], *, after: VacationChange = FIRST, limit: int
    ) -> list[VacationChange]:
        """Return the next seats in matches under these (game, rules version). Raises LogUnavailable."""
        games, versions = [game for game, _ in rules], [version for _, version in rules]
        rows = await ask(self._pool, _CHANGED, (games, versions, after.match_id, after.seat, limit))
        return [VacationChange(**row) for row in rows]
