"""Forks of matches: what one is made from, and the row it begins with.

The table is dealt when the fork begins, which may be long after it was made, by whoever opens it then. It is the same
whoever deals it: rows of the other match never change, and luck comes from the fork's own secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import Final
from uuid import UUID

import msgspec

from engine.kernel import forking
from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation
from engine.kernel.forking import Fork
from engine.kernel.house import Forked
from engine.kernel.seats import Audience
from services.movelog.records import ForkedFrom, Match, SeatRecord, StartRule, UndoRule, Visibility
from services.rpc.callers import Caller, SeatCaller, TenantCaller, WatchCaller
from services.rpc.refusals import Reason, Refused, malformed, rule_broken
from services.rules.seating import NewMatch
from services.rules.tables import Table, Tables

FIRST_ROW: Final = 1
"""Draws of the deal carry the number of the row that records it."""


@dataclass(frozen=True, kw_only=True)
class ForkWanted:
    """A fork as asked for, by somebody who may look as the audience."""

    version: int | None
    """None: the newest."""
    audience: Audience
    plan: Sequence[SeatRecord]
    visibility: Visibility
    start: StartRule
    title: str
    undo: UndoRule
    undo_timeout: timedelta
    request_id: str


async def new_match(tables: Tables, table: Table, caller: Caller, wanted: ForkWanted) -> NewMatch:
    """Give the match to be made. The caller holds the table, up to date; Refused."""
    if table.version == 0:
        raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players: there is no table yet")
    if not isinstance(caller, TenantCaller):
        _must_be_for_oneself(wanted)
    request_id = _request_id(caller, wanted.request_id)
    version = await _newest(tables, table, request_id) if wanted.version is None else wanted.version
    state = await tables.laid_at(table, version)
    try:
        forking.must_go_on_from(table.game, state)
    except RuleViolation as violation:
        raise rule_broken(violation, game=table.game.id) from violation
    before = table.match
    return NewMatch(
        tenant=before.tenant,
        game=table.game,
        seats=before.seats,
        options=table.game.options_codec.decode(before.options),
        plan=wanted.plan,
        visibility=wanted.visibility,
        start=wanted.start,
        title=wanted.title,
        undo=wanted.undo,
        undo_timeout=wanted.undo_timeout,
        request_id=request_id,
        forked_from=ForkedFrom(match_id=before.id, version=version, audience=wanted.audience),
    )


async def _newest(tables: Tables, table: Table, request_id: str | None) -> int:
    """Give the newest version; for a repeat, the one that was newest when its fork was made."""
    if request_id is not None:
        made = await tables.log.requested(table.match.tenant, request_id)
        if made is not None and made.forked_from is not None and made.forked_from.match_id == table.match.id:
            return made.forked_from.version
    return table.version


def _must_be_for_oneself(wanted: ForkWanted) -> None:
    """Refuse to fill the tenant's lobby with a token for one match."""
    if wanted.plan:
        raise malformed("$.seating", "is for the tenant to say; all seats of this fork are yours")
    if wanted.visibility is not Visibility.PRIVATE:
        raise malformed("$.visibility", "is for the tenant to say; this fork is private")
    if wanted.start is not StartRule.WHEN_FULL:
        raise malformed("$.start", "is for the tenant to say; this fork begins at once")


def _request_id(caller: Caller, request_id: str) -> str | None:
    """Keep apart what different callers say: who repeats a request is given the tokens of the match it made."""
    if not request_id:
        return None
    match caller:
        case SeatCaller(match_id, seat, generation):
            who = f"{match_id} seat {seat} {generation}"
        case WatchCaller(match_id, role, generation):
            who = f"{match_id} {role} {generation}"
        case _:
            return request_id
    return f"fork:{blake2b(f'{who} {request_id}'.encode(), digest_size=24).hexdigest()}"


async def first_request(tables: Tables, match: Match, forked_from: ForkedFrom) -> Fork:
    """Give the request of a fork's first row."""
    async with tables.hold(forked_from.match_id) as original:
        if original.version < forked_from.version:  # the fork was made through another replica
            await tables.catch_up(original)
        left = original.course.left(forked_from.version)
    return Fork(
        of=str(forked_from.match_id),
        version=forked_from.version,
        audience=forked_from.audience,
        seats=match.seats,
        options=msgspec.Raw(match.options),
        left=tuple(sorted(left)),
    )


async def deal(tables: Tables, table: Table, fork: Fork) -> tuple[Forked, ...]:
    """Give the events of a fork's first row."""
    async with tables.hold(UUID(fork.of)) as original:
        state = await tables.state_at(original, fork.version)
    chance = SeededChance(table.match.secret, FIRST_ROW)
    return forking.deal(table.game, state, fork, chance)
