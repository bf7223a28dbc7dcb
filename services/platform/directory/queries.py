"""The SQL of the match directory: one statement per page, put together from fixed parts.

If no player is named, an index holds a tenant's matches in stretches, one for each combination of game, status and
visibility, each in the order of the listing. The statement takes the first rows of every stretch that is asked for and merges
them, so it reads at most one page of rows per stretch, however many matches there are. If a player is named, the statement
starts from the player's seats, and reads at most as many rows as the player has seats. If a reference or metadata are named, it
starts from the tenant's notes that have them: one with a reference, and with metadata as many as there are.

All parts are fixed texts; values from the request are passed as parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec

from services.movelog.postgres.lobby_queries import SEAT_COLUMNS
from services.movelog.postgres.note_queries import OF_TENANT
from services.movelog.postgres.proposal_queries import HAS_TODO, TODOS
from services.movelog.postgres.queries import MATCH_COLUMNS, NOT_ABORTED
from services.movelog.records import Visibility

FIRST_ID: Final = UUID(int=0)
LAST_ID: Final = UUID(int=2**128 - 1)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A validated request for a page."""

    tenant: str
    game: str
    """Empty: any."""
    statuses: Sequence[str]
    visibilities: Sequence[str]
    player: str
    waiting_for: str
    open_seats: bool
    reference: str
    """Of the tenant's notes; empty: any."""
    metadata: str
    """A JSON object whose members the metadata have; empty: any."""
    updated_since: datetime | None
    by_activity: bool
    """Whether to order by the minute of a match's last change; otherwise by creation."""
    descending: bool
    limit: int


@dataclass(frozen=True, kw_only=True)
class ListingPosition:
    """The row after which a page begins."""

    match_id: UUID
    minute: datetime | None
    """None when ordered by creation."""


class _Parameters:
    """Collects the values of a statement, and numbers them."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def add(self, value: Any, kind: str) -> str:
        self.values.append(value)
        return f"${len(self.values)}::{kind}"


def statement(question: Question, after: ListingPosition | None) -> tuple[str, list[Any]]:
    """Return the statement of a page, and its values. A row has a match, the minute of its last change, its seats (`seated`), what their
    players have to do (`todos`), and its reference and metadata (`noted`, or null).
    """
    parameters = _Parameters()
    direction = "DESC" if question.descending else "ASC"
    keys = ("active_minute", "id") if question.by_activity else ("id",)
    order = ", ".join(f"{key} {direction}" for key in keys)
    limit = parameters.add(question.limit, "int8")
    sql = f"""
    WITH RECURSIVE {_rows(question, after, parameters, order, limit)}, page AS (
        SELECT * FROM found ORDER BY {order} LIMIT {limit}
    )
    SELECT {MATCH_COLUMNS}, active_minute, {SEATS} AS seated, {TODOS} AS todos, {NOTED} AS noted
    FROM page AS matches ORDER BY {order}
    """  # noqa: S608 - our own words
    return sql, parameters.values


SEATS: Final = f"""
    ARRAY(SELECT ROW({SEAT_COLUMNS}) FROM seats WHERE seats.match_id = matches.id ORDER BY seats.seat)
"""  # noqa: S608 - our own words


NOTED: Final = """
    (SELECT ROW(reference, metadata) FROM match_notes WHERE match_notes.match_id = matches.id)
"""


def _rows(
    question: Question, after: ListingPosition | None, parameters: _Parameters, order: str, limit: str
) -> str:
    if question.player or question.waiting_for:
        return _of_player(question, after, parameters, order, limit)
    if question.reference or question.metadata:
        return _of_notes(question, after, parameters, order, limit)
    return _of_tenant(question, after, parameters, order, limit)


def _of_tenant(
    question: Question, after: ListingPosition | None, parameters: _Parameters, order: str, limit: str
) -> str:
    tenant = parameters.add(question.tenant, "text")
    statuses = parameters.add(list(question.statuses), "text[]")
    visibilities = parameters.add(list(question.visibilities), "text[]")
    if question.game:
        games = f"SELECT {parameters.add(question.game, 'text')}"
    else:  # the tenant's games, each found in one step from the one before
        games = f"""
        (SELECT game FROM matches WHERE tenant = {tenant} ORDER BY game LIMIT 1)
        UNION ALL
        SELECT (SELECT game FROM matches WHERE tenant = {tenant} AND game > games.name ORDER BY game LIMIT 1)
        FROM games WHERE games.name IS NOT NULL
        """  # noqa: S608 - our own words
    if question.by_activity:
        stretch = (
            f"visibility = wanted_visibility {_conditions(question, after, parameters)} ORDER BY {order}"
        )
    else:
        stretch = _by_creation(question, after, parameters)
    return f"""
    games (name) AS ({games}), found AS (
        SELECT stretch.*
        FROM games, unnest({statuses}) AS wanted_status, unnest({visibilities}) AS wanted_visibility,
        LATERAL (
            SELECT * FROM matches
            WHERE tenant = {tenant} AND game = games.name AND status = wanted_status
              AND {stretch}
            LIMIT {limit}
        ) AS stretch
    )"""  # noqa: S608 - our own words


def _by_creation(question: Question, after: ListingPosition | None, parameters: _Parameters) -> str:
    """Return the conditions and the order of a stretch by creation.

    The primary key has the order of `id`, too. Postgres would follow it through the whole table, past the matches of others, to
    find the few of a short stretch. So the order begins with the visibility, which a comparison that is no equality keeps in it:
    only the index of the stretch has that order.
    """
    sign, direction = ("<", "DESC") if question.descending else (">", "ASC")
    place = ""
    if after is not None:
        match_id = parameters.add(after.match_id, "uuid")
        place = f"AND (visibility, matches.id) {sign} (wanted_visibility, {match_id})"
    return (
        f"visibility >= wanted_visibility AND visibility <= wanted_visibility {place} "
        f"{_conditions(question, None, parameters)} ORDER BY visibility {direction}, id {direction}"
    )


def _of_player(
    question: Question, after: ListingPosition | None, parameters: _Parameters, order: str, limit: str
) -> str:
    tenant = parameters.add(question.tenant, "text")
    leading = parameters.add(question.waiting_for or question.player, "text")
    in_play = parameters.add(sorted({status != "ended" for status in question.statuses}), "bool[]")
    statuses = parameters.add(list(question.statuses), "text[]")
    visibilities = parameters.add(list(question.visibilities), "text[]")
    conditions = _conditions(question, after, parameters)
    if question.game:
        conditions += f" AND game = {parameters.add(question.game, 'text')}"
    is_noted = bool(question.reference or question.metadata)
    if is_noted:  # no EXISTS, which Postgres would turn into a join with all that is noted alike
        conditions += f""" AND (
            SELECT true FROM match_notes WHERE match_notes.match_id = matches.id AND {_noted(question, parameters)}
        ) IS TRUE"""  # noqa: S608 - our own words
    # Postgres cannot guess how many players have something to do, and may read all matches in order until it has found enough
    # of them. So each match of the player is looked up by itself.
    fence = "OFFSET 0" if question.waiting_for or is_noted else ""
    if question.waiting_for:
        conditions += f" AND (own.seat = ANY (seats_to_act) OR {HAS_TODO})"
    if question.player and question.waiting_for:
        conditions += f""" AND EXISTS (
            SELECT FROM seats AS other
            WHERE other.match_id = matches.id AND other.player = {parameters.add(question.player, "text")}
        )"""
    own = f"""(
                SELECT match_id, seat FROM seats
                WHERE tenant = {tenant} AND player = {leading} AND player <> '' AND match_open = in_play {fence}
            ) AS own"""  # noqa: S608 - our own words
    keys = order.replace("id ", "own.match_id ") if not question.by_activity else order
    distinct = "own.match_id" if not question.by_activity else "active_minute, id"
    return f"""
    found AS (
        SELECT stretch.*
        FROM unnest({in_play}) AS in_play, LATERAL (
            SELECT DISTINCT ON ({distinct}) matches.*
            FROM {own}, LATERAL (SELECT * FROM matches WHERE id = own.match_id {fence}) AS matches
            WHERE matches.tenant = {tenant}
              AND status = ANY ({statuses}) AND visibility = ANY ({visibilities}) {conditions}
            ORDER BY {keys} LIMIT {limit}
        ) AS stretch
    )"""  # noqa: S608 - our own words


def _of_notes(
    question: Question, after: ListingPosition | None, parameters: _Parameters, order: str, limit: str
) -> str:
    tenant = parameters.add(question.tenant, "text")
    statuses = parameters.add(list(question.statuses), "text[]")
    visibilities = parameters.add(list(question.visibilities), "text[]")
    conditions = _conditions(question, after, parameters)
    if question.game:
        conditions += f" AND game = {parameters.add(question.game, 'text')}"
    # Here, too, Postgres may read all matches in order until it has found enough of them. So what is noted comes first.
    return f"""
    noted AS MATERIALIZED (
        SELECT match_id FROM match_notes WHERE {_noted(question, parameters)}
    ), found AS (
        SELECT matches.* FROM noted, LATERAL (SELECT * FROM matches WHERE id = noted.match_id OFFSET 0) AS matches
        WHERE matches.tenant = {tenant}
          AND status = ANY ({statuses}) AND visibility = ANY ({visibilities}) {conditions}
        ORDER BY {order} LIMIT {limit}
    )"""  # noqa: S608 - our own words


def _noted(question: Question, parameters: _Parameters) -> str:
    """Return the condition on a tenant's notes, in the words of the indexes of `match_notes`."""
    wanted = [f"match_notes.tenant = {parameters.add(question.tenant, 'text')}"]
    if question.reference:
        reference = parameters.add(question.reference, "text")
        wanted.append(f"match_notes.reference = {reference} AND match_notes.reference <> ''")
    if question.metadata:
        under_tenant = msgspec.json.encode({question.tenant: msgspec.Raw(question.metadata.encode())})
        sought = parameters.add(under_tenant.decode(), "text")
        wanted.append(f"match_notes.metadata <> '{{}}' AND {OF_TENANT} @> {sought}::jsonb")
    return " AND ".join(wanted)


def _conditions(question: Question, after: ListingPosition | None, parameters: _Parameters) -> str:
    """Return further conditions on a match: it follows the previous page, has changed since a moment, has an open seat."""
    conditions: list[str] = []
    sign = "<" if question.descending else ">"
    if after is not None and after.minute is not None:
        minute, match_id = (
            parameters.add(after.minute, "timestamptz"),
            parameters.add(after.match_id, "uuid"),
        )
        conditions.append(f"(active_minute, id) {sign} ({minute}, {match_id})")
    elif after is not None:
        conditions.append(f"matches.id {sign} {parameters.add(after.match_id, 'uuid')}")
    if question.updated_since is not None:
        since = parameters.add(question.updated_since, "timestamptz")
        conditions.append(
            f"updated_at >= {since} AND active_minute >= "
            f"date_bin(INTERVAL '1 minute', {since}, TIMESTAMPTZ '2000-01-01 00:00:00+00')"
        )
    if list(question.visibilities) == [Visibility.PUBLIC] and not (question.player or question.waiting_for):
        conditions.append(NOT_ABORTED)
    if question.open_seats:
        conditions.append(
            "EXISTS (SELECT FROM seats AS free WHERE free.match_id = matches.id AND free.state = 'open')"
        )
    return "".join(f" AND {condition}" for condition in conditions)
