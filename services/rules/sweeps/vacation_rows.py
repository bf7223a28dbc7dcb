"""Seats whose players' vacations have begun or ended, as the database says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
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
_OF_MATCHES: Final = """matches.status = 'running' AND matches.clock ->> 'vacations' = 'true'
  AND (matches.game, matches.rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[]))"""

CHANGED: Final = f"""
SELECT seats.match_id, seats.seat, here.goes_on AS begins
FROM vacations
CROSS JOIN LATERAL (SELECT vacations.until > {_NOW} AS goes_on) AS here
JOIN seats ON seats.tenant = vacations.tenant AND seats.player = vacations.player
          AND seats.match_open AND seats.state = 'taken'
JOIN clocks ON clocks.match_id = seats.match_id AND clocks.seat = seats.seat
JOIN matches ON matches.id = seats.match_id
WHERE vacations.since <= {_NOW} AND vacations.until > {_NOW} - $3::interval
  AND (vacations.since > {_NOW} - $3::interval OR vacations.until <= {_NOW} OR $4::bool)
  AND CASE WHEN here.goes_on THEN NOT clocks.resting AND seats.bot = ''
           ELSE clocks.resting AND NOT {_ON_VACATION} END
  AND {_OF_MATCHES}
UNION
SELECT clocks.match_id, clocks.seat, false
FROM clocks
JOIN seats ON seats.match_id = clocks.match_id AND seats.seat = clocks.seat
JOIN matches ON matches.id = clocks.match_id
WHERE $4::bool AND clocks.resting AND NOT {_ON_VACATION} AND {_OF_MATCHES}
LIMIT $5::int4
"""  # noqa: S608 - only constants of ours
"""The seats whose clocks do not do what their players' vacations want: of vacations that began or ended in the last time ($3), or
of all ($4)."""


class VacationChange(msgspec.Struct, frozen=True, kw_only=True):
    """A seat whose player is on vacation while its clock does not rest, or the other way round."""

    match_id: UUID
    seat: int
    begins: bool


class PostgresVacations:
    """Finds seats whose players' vacations have begun or ended."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def changed(
        self, rules: Sequence[ServedRules], *, within: timedelta, every: bool, limit: int
    ) -> list[VacationChange]:
        """Return seats, at most `limit`, in matches under these (game, rules version) that a vacation that began or ended in this time is to
        change; with `every`, that any vacation is to change. Raises LogUnavailable.
        """
        games, versions = [game for game, _ in rules], [version for _, version in rules]
        rows = await ask(self._pool, CHANGED, (games, versions, within, every, limit))
        return [VacationChange(**row) for row in rows]
