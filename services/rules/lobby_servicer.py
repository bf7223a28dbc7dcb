"""The half of MatchService that is about seats: requests in, responses out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, TypeVar
from uuid import UUID

from engine.kernel.game import AnyGame
from foldtable.matches.v1 import fork_pb2, match_pb2, match_service_pb2_grpc
from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.lobby import LobbyError
from services.movelog.records import (
    LONGEST_UNDO_TIMEOUT,
    UNDO_TIMEOUT,
    JoinedBy,
    Match,
    Seating,
    SeatRecord,
    SeatState,
    StartRule,
    Status,
    UndoRule,
    Visibility,
)
from services.platform.match_tokens import MatchTokens
from services.rpc.bot_names import read_bot
from services.rpc.callers import Callers, Context, SeatCaller, TenantCaller, authorization_of
from services.rpc.match_messages import START_RULES, UNDO_RULES, VISIBILITIES, match_message
from services.rpc.refusals import Reason, malformed
from services.rules import forking, joining, minting, player_data, rematch, seating, starting
from services.rules.door import Door, audience_at, request_id
from services.rules.payloads import payloads_of
from services.rules.permissions import key_only, may_change, may_fork, may_mint, tenant_only
from services.rules.tables import Tables
from services.rules.timekeeping import clocks_of, read_clock

Value = TypeVar("Value", bound=int)
Meaning = TypeVar("Meaning")

_VISIBILITIES: Final = {
    match_pb2.MATCH_VISIBILITY_UNSPECIFIED: Visibility.PRIVATE,
    **{message: meaning for meaning, message in VISIBILITIES.items()},
}
_START_RULES: Final = {
    match_pb2.START_RULE_UNSPECIFIED: StartRule.WHEN_FULL,
    **{message: meaning for meaning, message in START_RULES.items()},
}
_UNDO_RULES: Final = {
    match_pb2.UNDO_RULE_UNSPECIFIED: UndoRule.CONSENT,
    **{message: meaning for meaning, message in UNDO_RULES.items()},
}
_KINDS: Final = {
    lobby.SEATING_KIND_UNSPECIFIED: SeatState.TAKEN,
    lobby.SEATING_KIND_CLOSED: SeatState.TAKEN,
    lobby.SEATING_KIND_OPEN: SeatState.OPEN,
    lobby.SEATING_KIND_INVITED: SeatState.INVITED,
    lobby.SEATING_KIND_BOT: SeatState.TAKEN,
}


class LobbyServicer(match_service_pb2_grpc.MatchServiceServicer):
    """Creating matches, taking and leaving seats, tokens, starting, playing again."""

    def __init__(
        self,
        tables: Tables,
        callers: Callers,
        tokens: MatchTokens,
        game_of: Callable[[str], AnyGame | None],
    ) -> None:
        self._tables = tables
        self._log = tables.log
        self._tokens = tokens
        self._game_of = game_of
        self._door = Door(tables, callers)

    async def CreateMatch(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        authorization = authorization_of(context)
        tenant = tenant_only(await self._door.caller(authorization)).tenant
        game = self._game(request.game)
        new = seating.NewMatch(
            tenant=tenant,
            game=game,
            seats=request.seats,
            options=payloads_of(game).read_options(request.options),
            players=request.players,
            open_seats=request.open_seats,
            plan=_plan(request.seating),
            visibility=_read(_VISIBILITIES, request.visibility, "$.visibility"),
            start=_read(_START_RULES, request.start, "$.start"),
            title=request.title,
            undo=_read(_UNDO_RULES, request.undo, "$.undo"),
            undo_timeout=_undo_timeout(request),
            clock=read_clock(request.clock) if request.HasField("clock") else None,
            rematch_of=await self._followed(authorization, request),
            rules_version=request.rules_version,
            request_id=request_id(request.request_id) or None,
        )
        return pb.CreateMatchResponse(**await self._made(new, revoked=True))

    async def ForkMatch(
        self, request: fork_pb2.ForkMatchRequest, context: Context
    ) -> fork_pb2.ForkMatchResponse:
        async with self._door.open(authorization_of(context), request.match_id) as (caller, table):
            may_fork(caller, table.match)
            await self._tables.catch_up(table)
            wanted = forking.ForkWanted(
                version=request.version if request.HasField("version") else None,
                audience=audience_at(caller, table, request.audience),
                plan=_plan(request.seating),
                visibility=_read(_VISIBILITIES, request.visibility, "$.visibility"),
                start=_read(_START_RULES, request.start, "$.start"),
                title=request.title,
                undo=_read(_UNDO_RULES, request.undo, "$.undo"),
                undo_timeout=_undo_timeout(request),
                request_id=request_id(request.request_id),
            )
            new = await forking.new_match(self._tables, table, caller, wanted)
            of_tenant = isinstance(caller, TenantCaller)
        return fork_pb2.ForkMatchResponse(**await self._made(new, revoked=of_tenant))

    async def _made(self, new: seating.NewMatch, *, revoked: bool) -> dict[str, Any]:
        """Store a new match and start it if its seats are full; give it with its tokens and invites.

        A repeat may come after tokens were revoked: `revoked` says whether it gets fresh ones, as a tenant may.
        """
        created = await seating.create(self._log, new)
        match, seated = await self._started(created.id)
        invited = [row for row in seated.seats if row.state is SeatState.INVITED]
        return {
            "match": await self._told(match, seated),
            "tokens": minting.seat_tokens(
                self._tokens, match, [claim for claim in seated.claims if revoked or claim.generation == 0]
            ),
            "invites": [minting.invite(self._tokens, match, row) for row in invited],
        }

    async def JoinMatch(self, request: pb.JoinMatchRequest, context: Context) -> pb.JoinMatchResponse:
        authorization = authorization_of(context)
        async with self._door.open(authorization, request.match_id, invites=True) as (caller, table):
            asked = joining.Joining(
                seat=request.seat if request.HasField("seat") else None,
                player=request.player,
                name=request.name,
                data=request.data,
                request_id=request_id(request.request_id),
            )
            claim = await joining.join(self._tables, table, caller, asked)
            await starting.start_when_full(self._tables, table)
            match_id = table.match.id
        match, seated = await self._now(match_id)
        return pb.JoinMatchResponse(
            match=await self._told(match, seated), token=minting.seat_token(self._tokens, match, claim)
        )

    async def QuickJoin(self, request: lobby.QuickJoinRequest, context: Context) -> lobby.QuickJoinResponse:
        tenant = tenant_only(await self._door.caller(authorization_of(context))).tenant
        game = self._game(request.game)
        has_options = request.HasField("options")
        asked = joining.LookingForMatch(
            tenant=tenant,
            game=game,
            seats=request.seats if request.HasField("seats") else None,
            options=payloads_of(game).read_options(request.options) if has_options else None,
            player=request.player,
            name=request.name,
            create_if_none=request.create_if_none,
            request_id=request_id(request.request_id),
        )
        joined, claim = await joining.quick_join(self._log, asked)
        match, seated = await self._started(joined)
        return lobby.QuickJoinResponse(
            match=await self._told(match, seated), token=minting.seat_token(self._tokens, match, claim)
        )

    async def LeaveMatch(
        self, request: lobby.LeaveMatchRequest, context: Context
    ) -> lobby.LeaveMatchResponse:
        async with self._door.open(authorization_of(context), request.match_id) as (caller, table):
            seat = request.seat if request.HasField("seat") else None
            await joining.leave(self._tables, table, caller, seat)
            match_id = table.match.id
        match, seated = await self._now(match_id)
        return lobby.LeaveMatchResponse(match=await self._told(match, seated))

    async def UpdateSeat(
        self, request: lobby.UpdateSeatRequest, context: Context
    ) -> lobby.UpdateSeatResponse:
        async with self._door.open(authorization_of(context), request.match_id) as (caller, table):
            seat = request.seat if request.HasField("seat") else None
            name = request.name if request.HasField("name") else None
            data = request.data if request.HasField("data") else None
            await player_data.update_seat(self._tables, table, caller, seat, name, data)
            match_id = table.match.id
        match, seated = await self._now(match_id)
        return lobby.UpdateSeatResponse(match=await self._told(match, seated))

    async def StartMatch(
        self, request: lobby.StartMatchRequest, context: Context
    ) -> lobby.StartMatchResponse:
        async with self._door.open(authorization_of(context), request.match_id) as (caller, table):
            await starting.start_on_demand(self._tables, table, caller)
            match_id = table.match.id
        match, seated = await self._now(match_id)
        return lobby.StartMatchResponse(match=await self._told(match, seated))

    async def Rematch(self, request: lobby.RematchRequest, context: Context) -> lobby.RematchResponse:
        async with self._door.open(authorization_of(context), request.match_id) as (caller, table):
            following = await rematch.rematch(self._tables, table, caller)
            before = table.match.seats
        match, seated = await self._started(following)
        own = rematch.seat_after(caller.seat, before) if isinstance(caller, SeatCaller) else None
        return lobby.RematchResponse(
            match=await self._told(match, seated),
            tokens=minting.seat_tokens(
                self._tokens, match, [claim for claim in seated.claims if own is None or claim.seat == own]
            ),
        )

    # ── tokens ─────────────────────────────────────────────────────────────────────────────────────

    async def InviteToSeat(
        self, request: lobby.InviteToSeatRequest, context: Context
    ) -> lobby.InviteToSeatResponse:
        match, _ = await self._of_tenant(context, request.match_id)
        seating.check_player(request.player, request.name)
        lifetime = minting.INVITE_LIFETIME
        if request.HasField("lifetime"):
            lifetime = minting.lifetime_of(request.lifetime)
        _existing(match, request.seat)
        try:
            row = await self._log.lobby.invite(match.id, request.seat, request.player, request.name)
        except LobbyError as refusal:
            raise joining.refused(refusal, seat=request.seat) from None
        return lobby.InviteToSeatResponse(invite=minting.invite(self._tokens, match, row, lifetime))

    async def IssueSeatToken(
        self, request: pb.IssueSeatTokenRequest, context: Context
    ) -> pb.IssueSeatTokenResponse:
        authorization = authorization_of(context)
        key_only(await self._door.caller(authorization))
        entered = await self._door.enter(authorization, request.match_id)
        match = entered.match
        claim = next((claim for claim in entered.seating.claims if claim.seat == request.seat), None)
        may_mint(entered.caller, claim)
        if claim is None:
            raise malformed("$.seat", "nobody has taken this seat")
        return pb.IssueSeatTokenResponse(token=minting.seat_token(self._tokens, match, claim))

    async def RevokeSeatTokens(
        self, request: lobby.RevokeSeatTokensRequest, context: Context
    ) -> lobby.RevokeSeatTokensResponse:
        match, _ = await self._of_tenant(context, request.match_id)
        _existing(match, request.seat)
        await self._log.lobby.revoke(match.id, request.seat)
        match, seated = await self._now(match.id)
        return lobby.RevokeSeatTokensResponse(match=await self._told(match, seated))

    async def IssueWatchToken(
        self, request: lobby.IssueWatchTokenRequest, context: Context
    ) -> lobby.IssueWatchTokenResponse:
        match, _ = await self._of_tenant(context, request.match_id)
        lifetime = minting.lifetime_of(request.lifetime) if request.HasField("lifetime") else None
        return lobby.IssueWatchTokenResponse(
            token=minting.watch_token(self._tokens, match, request.role, lifetime)
        )

    async def RevokeWatchTokens(
        self, request: lobby.RevokeWatchTokensRequest, context: Context
    ) -> lobby.RevokeWatchTokensResponse:
        match, _ = await self._of_tenant(context, request.match_id)
        await self._log.lobby.revoke_watchers(match.id)
        match, seated = await self._now(match.id)
        return lobby.RevokeWatchTokensResponse(match=await self._told(match, seated))

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        entered = await self._door.enter(authorization_of(context), request.match_id)
        told = await self._told(entered.match, entered.seating)
        if entered.match.status is Status.ENDED:
            following = await self._log.lobby.rematch_of(entered.match.id)
            told.next_match_id = "" if following is None else str(following.id)
        return pb.GetMatchResponse(match=told)

    # ── what they share ────────────────────────────────────────────────────────────────────────────

    def _game(self, game_id: str) -> AnyGame:
        game = self._game_of(game_id)
        if game is None:
            raise malformed("$.game", "is not a game of this server", reason=Reason.GAME_UNKNOWN)
        return game

    async def _followed(self, authorization: str | None, request: pb.CreateMatchRequest) -> UUID | None:
        """Give the match that a new one follows, if any; Refused MATCH_NOT_FOUND, MALFORMED_REQUEST."""
        if not request.rematch_of:
            return None
        before = (await self._door.enter(authorization, request.rematch_of)).match
        if before.game != request.game:
            raise malformed("$.rematch_of", "is a match of another game")
        return before.id

    async def _of_tenant(self, context: Context, match_id: str) -> tuple[Match, Seating]:
        """Let a tenant in that may change something, and nobody else."""
        authorization = authorization_of(context)
        key_only(await self._door.caller(authorization))
        entered = await self._door.enter(authorization, match_id)
        may_change(entered.caller)
        return entered.match, entered.seating

    async def _started(self, match_id: UUID) -> tuple[Match, Seating]:
        """Start a match if its seats are full, and give how it stands."""
        async with self._tables.hold(match_id) as table:
            await self._tables.check_seating(table)
            await starting.start_when_full(self._tables, table)
        return await self._now(match_id)

    async def _told(self, match: Match, seated: Seating) -> match_pb2.Match:
        return match_message(match, seated.seats, await clocks_of(self._log, match))

    async def _now(self, match_id: UUID) -> tuple[Match, Seating]:
        match = await self._log.find(match_id)
        return match, await self._log.lobby.seating(match_id)


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
    )


def _undo_timeout(request: pb.CreateMatchRequest | fork_pb2.ForkMatchRequest) -> timedelta:
    if not request.HasField("undo_timeout"):
        return UNDO_TIMEOUT
    asked = request.undo_timeout
    if asked.nanos or not 0 < asked.seconds <= LONGEST_UNDO_TIMEOUT.total_seconds():
        raise malformed(
            "$.undo_timeout",
            f"must be whole seconds, at least one and at most {LONGEST_UNDO_TIMEOUT.days} days",
        )
    return timedelta(seconds=asked.seconds)


def _read(meanings: Mapping[Value, Meaning], value: Value, field: str) -> Meaning:
    try:
        return meanings[value]
    except KeyError:
        raise malformed(field, "is not one of the known values") from None


def _existing(match: Match, seat: int) -> None:
    if not 0 <= seat < match.seats:
        raise malformed("$.seat", f"this match has the seats 0 to {match.seats - 1}")
