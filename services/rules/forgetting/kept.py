"""Everything that is kept of one player of a tenant, as JSON records, a page at a time.

The records come in sections. Those that grow with what a player plays, seats and events, are read in the order of an index, so that a
page costs the same wherever it is; of the others a player has few, and each page sorts them. A player's moves are rows of the player's seats: the export of each match has them, and every record of a seat says which match it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from services.identity.player_sessions import player_account
from services.movelog.checks import check_text
from services.movelog.postgres.asking import ask
from services.postgres.database import Pool
from services.postgres.records import NamedRow


@dataclass(frozen=True)
class _Section:
    """A kind of record: `sql` gets the tenant, the player, the text of the last position and a limit."""

    kind: str
    sql: str
    """Returns `at`, the text of a position to continue after, and `record`, JSON; perhaps `data`, the bytes of a value in it."""
    at: str
    """What such a text looks like, as a regular expression: the SQL converts it."""


_ID: Final = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_SEAT: Final = "[0-9]{5}"
_NUMBER: Final = "0[0-8][0-9]{18}"
"""Of an event, with zeros before it; it fits into eight bytes."""

_SESSIONS: Final = """
SELECT '1' AS at, jsonb_build_object('revocations', revocations)::text AS record
FROM session_revocations WHERE tenant = $1::text AND player = $2::text AND player <> '' AND $3::text = '' LIMIT $4::int8
"""
_CODES: Final = """
SELECT encode(sha256(hash), 'hex') AS at, jsonb_build_object('scopes', scopes, 'expires_at', expires_at)::text AS record
FROM login_codes
WHERE tenant = $1::text AND player = $2::text AND player <> '' AND encode(sha256(hash), 'hex') > $3::text
ORDER BY encode(sha256(hash), 'hex') LIMIT $4::int8
"""
_VACATIONS: Final = """
SELECT id::text AS at, jsonb_build_object(
    'vacation_id', id, 'since', since, 'until', until, 'created_at', created_at, 'by_tenant', by_tenant
)::text AS record
FROM vacations WHERE tenant = $1::text AND player = $2::text AND player <> '' AND id::text > $3::text
ORDER BY id::text LIMIT $4::int8
"""
_MATCH: Final = """
    'match_id', coalesce(matches.original_id, matches.id), 'game', matches.game, 'title', matches.title,
    'status', matches.status, 'created_at', matches.created_at, 'updated_at', matches.updated_at
"""
_SEATS: Final = f"""
SELECT concat_ws(' ', seats.match_open::int4, seats.match_id, lpad(seats.seat::text, 5, '0')) AS at, jsonb_build_object(
    {_MATCH}, 'seat', seats.seat, 'state', seats.state, 'player', seats.player, 'name', seats.name,
    'data', NULL, 'bot', seats.bot, 'joined_by', seats.joined_by, 'claimed_at', seats.claimed_at
)::text AS record, seats.data
FROM seats JOIN matches ON matches.id = seats.match_id
WHERE seats.tenant = $1::text AND seats.player = $2::text AND seats.player <> ''
  AND (seats.match_open, seats.match_id, seats.seat) > (
      coalesce(nullif(split_part($3::text, ' ', 1), '')::int4 = 1, false),
      coalesce(nullif(split_part($3::text, ' ', 2), '')::uuid, '00000000-0000-0000-0000-000000000000'),
      coalesce(nullif(split_part($3::text, ' ', 3), '')::int4, -1)
  )
ORDER BY seats.match_open, seats.match_id, seats.seat LIMIT $4::int8
"""  # noqa: S608 - our own words
"""The data of a seat is not read as `jsonb`, which takes not all JSON, and changes numbers."""
_EARLIER: Final = f"""
SELECT concat_ws(' ', seats.match_id, lpad(seats.seat::text, 5, '0'), lpad(before.number::text, 5, '0')) AS at,
    jsonb_build_object({_MATCH}, 'seat', seats.seat)::jsonb || (before.value - 'salt') AS record
FROM seats JOIN matches ON matches.id = seats.match_id
CROSS JOIN LATERAL jsonb_array_elements(seats.replaced) WITH ORDINALITY AS before (value, number)
WHERE jsonb_set('{{}}'::jsonb, ARRAY[seats.tenant], seats.replaced)
      @> jsonb_build_object($1::text, jsonb_build_array(jsonb_build_object('player', $2::text)))
  AND seats.replaced <> '[]' AND before.value ->> 'player' = $2::text AND $2::text <> ''
  AND concat_ws(' ', seats.match_id, lpad(seats.seat::text, 5, '0'), lpad(before.number::text, 5, '0')) > $3::text
ORDER BY 1 LIMIT $4::int8
"""  # noqa: S608 - our own words
_EVENTS: Final = """
SELECT lpad(number::text, 20, '0') AS at, jsonb_build_object(
    'event_id', id, 'type', type, 'match_id', match_id, 'version', version, 'seat', seat, 'recorded_at', recorded_at
)::text AS record
FROM events
WHERE tenant = $1::text AND {column} = $2::text AND {column} <> '' AND number > coalesce(nullif($3::text, '')::int8, -1)
ORDER BY number LIMIT $4::int8
"""
_FORKS: Final = """
SELECT match_id::text AS at, jsonb_build_object('match_id', match_id, 'forks_made', made)::text AS record
FROM forks WHERE account = $2::text AND $1::text <> '' AND match_id::text > $3::text
ORDER BY match_id::text LIMIT $4::int8
"""
_BY_ACCOUNT: Final = "forks"
_SECTIONS: Final = (
    _Section("sessions", _SESSIONS, "1"),
    _Section("login_code", _CODES, "[0-9a-f]{64}"),
    _Section("vacation", _VACATIONS, _ID),
    _Section("seat", _SEATS, f"[01] {_ID} {_SEAT}"),
    _Section("earlier_seat", _EARLIER, f"{_ID} {_SEAT} {_SEAT}"),
    _Section("event", _EVENTS.format(column="player"), _NUMBER),
    _Section("event_of_replacement", _EVENTS.format(column="replaced"), _NUMBER),
    _Section(_BY_ACCOUNT, _FORKS, _ID),
)
KINDS: Final = tuple(section.kind for section in _SECTIONS)
"""The kinds of records, in the order in which they come."""


class RecordPlace(NamedTuple):
    """Where a page ends."""

    section: int
    at: str
    """The last record of the section; empty: none yet."""


BEGINNING: Final = RecordPlace(0, "")


class Page(NamedTuple):
    """A page of records."""

    records: Sequence[bytes]
    """JSON objects; `kind` comes first."""
    after: RecordPlace | None
    """Where to go on; None: these are all."""


class Kept:
    """Reads what is kept of players. All methods raise LogUnavailable."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def page(self, tenant: str, player: str, after: RecordPlace, *, limit: int) -> Page:
        """Return the records after a place, at most `limit`."""
        check_text(player)
        records: list[bytes] = []
        section, at = after
        while section < len(_SECTIONS):
            one = _SECTIONS[section]
            who = player_account(tenant, player) if one.kind == _BY_ACCOUNT else player
            rows = await ask(self._pool, one.sql, (tenant, who, at, limit - len(records)))
            records += [_record(one.kind, row) for row in rows]
            if len(records) >= limit:
                return Page(
                    records, RecordPlace(section, rows[-1]["at"]) if rows else RecordPlace(section, at)
                )
            section, at = section + 1, ""
        return Page(records, None)


def _record(kind: str, row: NamedRow) -> bytes:
    found = row["record"]
    said: dict[str, Any] = msgspec.json.decode(found) if isinstance(found, str) else found
    if data := row.get("data"):
        said = said | {"data": msgspec.Raw(data)}
    return msgspec.json.encode({"kind": kind, **said})


def is_place(place: RecordPlace) -> bool:
    """Return whether a place is one that a page of ours can end at."""
    if not 0 <= place.section < len(_SECTIONS):
        return False
    return re.fullmatch(_SECTIONS[place.section].at, place.at) is not None
