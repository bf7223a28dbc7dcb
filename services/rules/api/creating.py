"""New matches: created, forked from another one, or played again by the same players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, Final, TypeVar
from uuid import UUID

from google.protobuf.duration_pb2 import Duration

from engine.kernel.game import AnyGame
from foldtable.matches.v1 import fork_pb2, match_pb2
from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.callers import AnyCaller, PlayerCaller, SeatCaller, TenantCaller, WatchCaller
from services.identity.match_tokens import MatchTokens
from services.identity.player_sessions import SessionScope
from services.movelog.lobby import TooManyWaiting
from services.movelog.records import (
    UNDO_TIMEOUT,
    JoinedBy,
    Match,
    MatchSettings,
    Seating,
    SeatRecord,
    SeatState,
    StartRule,
    UndoRule,
    Visibility,
)
from services.process.bounds import MAX_BOT_PACE, MAX_UNDO_TIMEOUT
from services.process.reasons import Reason
from services.rpc.bot_names import read_bot
from services.rpc.enums import members_of
from services.rpc.refusals import malformed
from services.rules.api.shown_matches import ShownMatches
from services.rules.match import forking, seating
from services.rules.match.access import MatchAccess, audience_at, request_id, seat_of
from services.rules.match.match_cache import MatchCache
from services.rules.match.notes import read_notes
from services.rules.match.permissions import may_fork, must_have, tenant_only
from services.rules.match.timekeeping import read_clock
from services.rules.match.token_use import write_with_token
from services.rules.seats import minting, rematch
from services.rules.seats.own_seats import own_plan, own_request_id
from services.rules.seats.player_data import read_data
from services.rules.seats.waiting_seats import room_for, too_many_waiting
from services.rules.wire.payloads import payloads_of

Value = TypeVar("Value", bound=int)
Meaning = TypeVar("Meaning")

_VISIBILITIES: Final = members_of(
    Visibility, match_pb2.MatchVisibility.DESCRIPTOR, unspecified=Visibility.PRIVATE
)
_START_RULES: Final = members_of(StartRule, match_pb2.StartRule.DESCRIPTOR, unspecified=StartRule.WHEN_FULL)
_UNDO_RULES: Final = members_of(UndoRule, match_pb2.UndoRule.DESCRIPTOR, unspecified=UndoRule.CONSENT)
_KINDS: Final = {
    lobby.SEATING_KIND_UNSPECIFIED: SeatState.TAKEN,
    lobby.SEATING_KIND_CLOSED: SeatState.TAKEN,
    lobby.SEATING_KIND_OPEN: SeatState.OPEN,
    lobby.SEATING_KIND_INVITED: SeatState.INVITED,
    lobby.SEATING_KIND_BOT: SeatState.TAKEN,
}

GameOf = Callable[[str], AnyGame | None]
"""Returns a game that this process serves, or None."""


class Creation:
    """Makes matches, and starts those whose seats are full."""

    def __init__(
        self,
        tables: MatchCache,
        access: MatchAccess,
        shown: ShownMatches,
        tokens: MatchTokens,
        game_of: GameOf,
        forks: forking.ForkBounds,
    ) -> None:
        self._tables = tables
        self._log = tables.log
        self._access = access
        self._shown = shown
        self._tokens = tokens
        self._game_of = game_of
        self._forks = forks

    async def create(
        self, request: pb.CreateMatchRequest, authorization: str | None
    ) -> pb.CreateMatchResponse:
        """Make a match for a tenant or a player, with the tokens of the caller's seats and the invites to others."""
        caller = await self._access.caller(authorization)
        if isinstance(caller, PlayerCaller):
            return await self._created_by(caller, request)
        new = await self.asked_of(tenant_only(caller), request, authorization)
        return pb.CreateMatchResponse(**await self._made(await seating.create(self._log, new), caller))

    async def asked_of(
        self, tenant: TenantCaller, request: pb.CreateMatchRequest, authorization: str | None
    ) -> seating.NewMatch:
        """Return the match that a tenant asks for. Raises Refused for what cannot be read."""
        game = game_named(self._game_of, request.game)
        return seating.NewMatch(
            tenant=tenant.tenant,
            game=game,
            seats=request.seats,
            options=payloads_of(game).read_options(request.options),
            players=request.players,
            open_seats=request.open_seats,
            plan=_plan(request.seating),
            settings=_settings(request),
            notes=read_notes(tenant, request.reference, request.metadata),
            rematch_of=await self._followed(authorization, request),
            rules_version=request.rules_version,
            request_id=request_id(request.request_id) or None,
        )

    async def _created_by(
        self, player: PlayerCaller, request: pb.CreateMatchRequest
    ) -> pb.CreateMatchResponse:
        """Make a match in which a player has one seat."""
        must_have(player, SessionScope.CREATE)
        read_notes(player, request.reference, request.metadata)  # which refuses any
        game = game_named(self._game_of, request.game)
        new = seating.NewMatch(
            tenant=player.tenant,
            game=game,
            seats=request.seats,
            options=payloads_of(game).read_options(request.options),
            plan=own_plan(player, request, _plan(request.seating), max(game.seat_counts)),
            settings=_settings(request),
            rules_version=request.rules_version,
            request_id=own_request_id(player, request_id(request.request_id)) or None,
            rule=room_for(player),
        )
        try:
            created = await seating.create(self._log, new)
        except TooManyWaiting:
            if new.request_id is None or await self._log.requested(player.tenant, new.request_id) is None:
                raise too_many_waiting() from None
            created = await seating.create(self._log, replace(new, rule=None))  # a repeat takes no seat
        return pb.CreateMatchResponse(**await self._made(created, player))

    async def fork(
        self, request: fork_pb2.ForkMatchRequest, authorization: str | None
    ) -> fork_pb2.ForkMatchResponse:
        """Make a match that begins with a state of another one."""
        seat = seat_of(request.audience)
        async with self._access.open(authorization, request.match_id, seat=seat, fresh=True) as (
            caller,
            table,
        ):
            may_fork(caller, table.match)
            await self._tables.catch_up(table)
            wanted = forking.ForkWanted(
                version=request.version if request.HasField("version") else None,
                audience=audience_at(caller, table, request.audience),
                plan=_plan(request.seating),
                settings=_settings(request),
                notes=read_notes(caller, request.reference, request.metadata),
                request_id=request_id(request.request_id),
            )
            new = await forking.new_match(self._tables, table, caller, wanted, self._forks)
            create = partial(seating.create, self._log, new)
            created = await write_with_token(self._tables, table, caller, create)
        return fork_pb2.ForkMatchResponse(**await self._made(created, caller))

    async def rematch(
        self, request: lobby.RematchRequest, authorization: str | None
    ) -> lobby.RematchResponse:
        """Make the match in which the players of an ended one play again, or return the existing one."""
        async with self._access.open(authorization, request.match_id, fresh=True) as (caller, table):
            notes = read_notes(caller, request.reference, request.metadata)
            following = await rematch.rematch(self._tables, table, caller, notes)
            before = table.match.seats
        match, seated = await self._shown.started(following)
        own = rematch.seat_after(caller.seat, before) if isinstance(caller, SeatCaller) else None
        session = caller.session if isinstance(caller, SeatCaller) else None
        return lobby.RematchResponse(
            match=await self._shown.message(match, seated, caller),
            tokens=minting.seat_tokens(
                self._tokens,
                match,
                [claim for claim in seated.claims if own is None or claim.seat == own],
                session,
            ),
        )

    async def _made(self, created: Match, caller: AnyCaller) -> dict[str, Any]:
        """Start a new match if its seats are full; return it with the caller's tokens and invites."""
        match, seated = await self._shown.started(created.id)
        return self.answer(match, seated, await self._shown.message(match, seated, caller), caller)

    def answer(
        self, match: Match, seated: Seating, message: match_pb2.Match, caller: AnyCaller
    ) -> dict[str, Any]:
        """Return what is answered about a new match: its message, the caller's tokens, and the invites.

        A repeat may come after tokens were revoked: the response has new ones only for a tenant.
        """
        revoked, session = isinstance(caller, TenantCaller), _session_of(caller)
        invited = [row for row in seated.seats if row.state is SeatState.INVITED]
        return {
            "match": message,
            "tokens": minting.seat_tokens(
                self._tokens,
                match,
                [
                    claim
                    for claim in seated.claims
                    if (revoked or claim.generation == 0)
                    and (session is None or claim.player == session.player)
                ],
                session,
            ),
            "invites": [minting.invite(self._tokens, match, row) for row in invited],
        }

    async def _followed(self, authorization: str | None, request: pb.CreateMatchRequest) -> UUID | None:
        """Return the match that a new one follows, if any. Raises Refused MATCH_NOT_FOUND, MALFORMED_REQUEST."""
        if not request.rematch_of:
            return None
        before = (await self._access.enter(authorization, request.rematch_of)).match
        if before.game != request.game:
            raise malformed("$.rematch_of", "is a match of another game")
        return before.id


def _session_of(caller: AnyCaller) -> PlayerCaller | None:
    """Return the session that a caller came with, if any."""
    if isinstance(caller, SeatCaller | WatchCaller):
        return caller.session
    return caller if isinstance(caller, PlayerCaller) else None


def game_named(game_of: GameOf, game_id: str) -> AnyGame:
    """Return a game by its name; raises Refused if this server does not have it."""
    game = game_of(game_id)
    if game is None:
        raise malformed("$.game", "is not a game of this server", reason=Reason.GAME_UNKNOWN)
    return game


def _plan(seats: Sequence[lobby.SeatPlan]) -> list[SeatRecord]:
    return [_planned(number, plan, f"$.seating[{number}]") for number, plan in enumerate(seats)]


def _planned(number: int, plan: lobby.SeatPlan, at: str) -> SeatRecord:
    state = _read(_KINDS, plan.kind, f"{at}.kind")
    is_bots = plan.kind == lobby.SEATING_KIND_BOT
    if not is_bots and (plan.level or plan.bot):
        raise malformed(f"{at}.kind", "is not that of a bot's seat, so no bot can be named")
    return SeatRecord(
        seat=number,
        state=state,
        player=plan.player,
        name=plan.name,
        joined_by=JoinedBy.BOT if is_bots else JoinedBy.CREATED,
        bot=read_bot(plan.level, plan.bot, at=at) if is_bots else "",
        data=read_data(plan.data, f"{at}.data"),
    )


def _settings(request: pb.CreateMatchRequest | fork_pb2.ForkMatchRequest) -> MatchSettings:
    """Return the settings that both requests have, and the clock, which a fork does not have. Raises Refused MALFORMED_REQUEST."""
    return MatchSettings(
        visibility=_read(_VISIBILITIES, request.visibility, "$.visibility"),
        start=_read(_START_RULES, request.start, "$.start"),
        title=request.title,
        undo=_read(_UNDO_RULES, request.undo, "$.undo"),
        undo_timeout=_undo_timeout(request),
        bot_pace=_bot_pace(request.bot_pace),
        clock=read_clock(request.clock)
        if isinstance(request, pb.CreateMatchRequest) and request.HasField("clock")
        else None,
    )


def _undo_timeout(request: pb.CreateMatchRequest | fork_pb2.ForkMatchRequest) -> timedelta:
    if not request.HasField("undo_timeout"):
        return UNDO_TIMEOUT
    asked = request.undo_timeout
    if asked.nanos or not 0 < asked.seconds <= MAX_UNDO_TIMEOUT.total_seconds():
        raise malformed(
            "$.undo_timeout",
            f"must be whole seconds, at least one and at most {MAX_UNDO_TIMEOUT.days} days",
        )
    return timedelta(seconds=asked.seconds)


def _bot_pace(asked: Duration) -> timedelta:
    pace = timedelta(seconds=asked.seconds, microseconds=asked.nanos // 1_000) if _is_pace(asked) else None
    if pace is None or not timedelta() <= pace <= MAX_BOT_PACE:
        raise malformed(
            "$.bot_pace", f"must be whole milliseconds, at most {MAX_BOT_PACE.total_seconds():g} seconds"
        )
    return pace


def _is_pace(asked: Duration) -> bool:
    """Return whether a duration is in whole milliseconds, and not so long that a timedelta cannot hold it."""
    return abs(asked.seconds) <= MAX_BOT_PACE.total_seconds() and asked.nanos % 1_000_000 == 0


def _read(meanings: Mapping[Value, Meaning], value: Value, field: str) -> Meaning:
    try:
        return meanings[value]
    except KeyError:
        raise malformed(field, "is not one of the known values") from None
