"""Forks of matches: what one is made from, and the row it begins with.

The first state is dealt when the fork begins, which may be long after it was made, by whichever server opens it then. Every
server deals the same: rows of the other match never change, and luck comes from the fork's own secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Audience
from engine.match import forking
from engine.match.commands import Forked
from engine.match.forking import Fork
from services.identity.callers import Caller, PlayerCaller, SeatCaller, TenantCaller, WatchCaller
from services.identity.match_tokens import seat_account
from services.movelog.notes import Notes
from services.movelog.records import (
    ForkedFrom,
    ForkQuota,
    Match,
    MatchSettings,
    SeatRecord,
    StartRule,
    Visibility,
)
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed, rule_broken
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.seating import NewMatch

FIRST_ROW: Final = 1
"""Draws of the deal carry the number of the row that records it."""


@dataclass(frozen=True, kw_only=True)
class ForkWanted:
    """A requested fork. The caller has checked that the requester may look as the audience."""

    version: int | None
    """None: the newest."""
    audience: Audience
    plan: Sequence[SeatRecord]
    settings: MatchSettings
    notes: Notes
    request_id: str


@dataclass(frozen=True, kw_only=True)
class ForkBounds:
    """The most forks of one match that one account may make."""

    of_token: int = 100
    """For the holder of a seat token or a watch token."""
    of_tenant: int = 10_000

    def quota(self, caller: Caller) -> ForkQuota:
        """Return the quota of a caller: that of a token's account, or that of the tenant with all its keys."""
        if isinstance(caller, TenantCaller):
            return ForkQuota(account=f"tenant/{caller.tenant}", most=self.of_tenant)
        return ForkQuota(account=account_of(caller), most=self.of_token)


async def new_match(
    tables: MatchCache, table: LoadedMatch, caller: Caller, wanted: ForkWanted, bounds: ForkBounds
) -> NewMatch:
    """Return the match to be made. Raises Refused. The caller holds the lock of the match, which is up to date."""
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
        plan=_with_accounts(table, wanted.plan),
        players=_players(caller, before.seats),
        settings=wanted.settings,
        notes=wanted.notes,
        request_id=request_id,
        forked_from=ForkedFrom(match_id=before.id, version=version, audience=wanted.audience),
        account=account_of(caller),
        quota=bounds.quota(caller),
    )


def account_of(caller: Caller) -> str:
    """Return whose rate limits the seats of a caller's fork count for; empty for a tenant, who hands them to players."""
    return caller.account if isinstance(caller, SeatCaller | WatchCaller) else ""


def _players(caller: Caller, seats: int) -> tuple[str, ...]:
    """Return whom the seats of a fork belong to: to a session's player, who acts in them with any session; else to nobody."""
    session = caller.session if isinstance(caller, SeatCaller | WatchCaller) else None
    return () if session is None else (session.player,) * seats


def _with_accounts(table: LoadedMatch, plan: Sequence[SeatRecord]) -> list[SeatRecord]:
    """Return the seats, each with the account that its player has at the forked match."""
    accounts = {
        row.player: row.account or seat_account(table.match.id, row.seat, row.generation)
        for row in table.claims
        if row.player
    }
    return [replace(row, account=accounts.get(row.player, "")) for row in plan]


async def _newest(tables: MatchCache, table: LoadedMatch, request_id: str | None) -> int:
    """Return the newest version; for a repeat, the one that was newest when its fork was made."""
    if request_id is not None:
        made = await tables.log.requested(table.match.tenant, request_id)
        if made is not None and made.forked_from is not None and made.forked_from.match_id == table.match.id:
            return made.forked_from.version
    return table.version


def _must_be_for_oneself(wanted: ForkWanted) -> None:
    """Refuse visibility, start and seats in a request with a match token: its fork is only for the caller."""
    if wanted.plan:
        raise malformed("$.seating", "is for the tenant to say; all seats of this fork are yours")
    if wanted.settings.visibility is not Visibility.PRIVATE:
        raise malformed("$.visibility", "is for the tenant to say; this fork is private")
    if wanted.settings.start is not StartRule.WHEN_FULL:
        raise malformed("$.start", "is for the tenant to say; this fork begins at once")


def _request_id(caller: Caller, request_id: str) -> str | None:
    """Return the request id under which the fork is stored, different for different callers.

    A repeat returns the tokens of the match, so one caller must not repeat another caller's request.
    """
    if not request_id:
        return None
    match caller:
        case SeatCaller(session=PlayerCaller() as player) | WatchCaller(session=PlayerCaller() as player):
            who = player.account
        case SeatCaller(match_id, seat, generation):
            who = f"{match_id} seat {seat} {generation}"
        case WatchCaller(match_id, role, generation):
            who = f"{match_id} {role} {generation}"
        case _:
            return request_id
    return f"fork:{blake2b(f'{who} {request_id}'.encode(), digest_size=24).hexdigest()}"


async def first_request(tables: MatchCache, match: Match, forked_from: ForkedFrom) -> Fork:
    """Return the request of a fork's first row."""
    async with tables.hold(forked_from.match_id) as original:
        if original.version < forked_from.version:  # the fork was made through another replica
            await tables.catch_up(original)
        left = original.timeline.left(forked_from.version)
    return Fork(
        of=str(forked_from.match_id),
        version=forked_from.version,
        audience=forked_from.audience,
        seats=match.seats,
        options=msgspec.Raw(match.options),
        left=tuple(sorted(left)),
    )


async def deal(tables: MatchCache, table: LoadedMatch, fork: Fork) -> tuple[Forked, ...]:
    """Return the events of a fork's first row."""
    async with tables.hold(UUID(fork.of)) as original:
        state = await tables.state_at(original, fork.version)
    chance = SeededChance(table.match.secret, FIRST_ROW)
    return forking.deal(table.game, state, fork, chance)
