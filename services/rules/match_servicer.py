"""MatchService: requests in, responses out. Who may do what is callers.py's business, what happens acting.py's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final
from uuid import UUID

import grpc
import msgspec

from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.kernel.requests import Resign
from engine.kernel.seats import Seat
from foldtable.matches.v1 import match_pb2, match_service_pb2_grpc, play_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.log import MatchUnknown
from services.movelog.records import MAX_REQUEST_ID, Match, SeatClaim
from services.platform.seat_tokens import SeatTokens
from services.rules import exporting, looking, seating
from services.rules.acting import Request, act
from services.rules.callers import (
    Caller,
    Callers,
    acting_seat,
    audience,
    may_change,
    may_enter,
    may_name,
    tenant_only,
)
from services.rules.drain import Drain
from services.rules.messages import answer_message, match_message, timestamp
from services.rules.payloads import payloads_of
from services.rules.play_stream import play
from services.rules.refusals import Reason, Refused, malformed, match_not_found
from services.rules.tables import Table, Tables
from services.rules.watching import watch

Context = grpc.aio.ServicerContext[Any, Any]

_TELLS_STANDING: Final = grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED
"""Refusals after which a player wants to know how the match stands."""


def authorization_of(context: Context) -> str | None:
    """Give the `authorization` of a call's metadata."""
    for name, value in context.invocation_metadata() or ():
        if name == "authorization":
            return value.decode("latin-1") if isinstance(value, bytes) else value
    return None


class MatchServicer(match_service_pb2_grpc.MatchServiceServicer):
    """foldtable.matches.v1.MatchService over a log."""

    def __init__(
        self,
        tables: Tables,
        callers: Callers,
        tokens: SeatTokens,
        game_of: Callable[[str], AnyGame | None],
        drain: Drain,
    ) -> None:
        self._tables = tables
        self._log = tables.log
        self._callers = callers
        self._tokens = tokens
        self._game_of = game_of
        self._drain = drain

    # ── seats ──────────────────────────────────────────────────────────────────────────────────────

    async def CreateMatch(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        tenant = tenant_only(await self._caller(context)).tenant
        game = self._game_of(request.game)
        if game is None:
            raise malformed("$.game", "is not a game of this server", reason=Reason.GAME_UNKNOWN)
        new = seating.NewMatch(
            tenant=tenant,
            game=game,
            seats=request.seats,
            options=payloads_of(game).read_options(request.options),
            players=request.players,
            open_seats=request.open_seats,
            request_id=_request_id(request.request_id) or None,
        )
        created = await seating.create(self._log, new)
        async with self._tables.hold(created.id) as table:
            await seating.start_when_full(self._tables, table)
            claims = table.claims
        match = await self._log.find(created.id)
        tokens = [self._token(match, claim) for claim in claims]
        return pb.CreateMatchResponse(match=_message(match, claims), tokens=tokens)

    async def JoinMatch(self, request: pb.JoinMatchRequest, context: Context) -> pb.JoinMatchResponse:
        tenant_only(await self._caller(context))
        seating.check_player(request.player, "$.player")
        async with self._open(context, request.match_id) as (_, table):
            wanted = request.seat if request.HasField("seat") else None
            if wanted is not None and not 0 <= wanted < table.match.seats:
                raise malformed("$.seat", f"this match has the seats 0 to {table.match.seats - 1}")
            claim = await seating.join(self._tables, table.match.id, wanted, request.player)
            await seating.start_when_full(self._tables, table)
            match = await self._log.find(table.match.id)
        claims = await self._log.claims(match.id)
        return pb.JoinMatchResponse(match=_message(match, claims), token=self._token(match, claim))

    async def IssueSeatToken(
        self, request: pb.IssueSeatTokenRequest, context: Context
    ) -> pb.IssueSeatTokenResponse:
        tenant_only(await self._caller(context))
        match, claims, _ = await self._enter(context, request.match_id)
        claim = next((claim for claim in claims if claim.seat == request.seat), None)
        if claim is None:
            raise malformed("$.seat", "nobody has taken this seat")
        return pb.IssueSeatTokenResponse(token=self._token(match, claim))

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        match, claims, _ = await self._enter(context, request.match_id)
        return pb.GetMatchResponse(match=_message(match, claims))

    # ── moves ──────────────────────────────────────────────────────────────────────────────────────

    async def Act(self, request: play_pb2.ActRequest, context: Context) -> play_pb2.ActResponse:
        return await self.act(request, authorization_of(context))

    async def act(self, request: play_pb2.ActRequest, authorization: str | None) -> play_pb2.ActResponse:
        """Make a move for whoever the authorization says; the unary call and the stream both end here."""
        if not request.HasField("expected_version"):
            raise Refused(
                Reason.VERSION_REQUIRED,
                "say which version of the match the move was decided on",
                field="$.expected_version",
            )
        async with self._open_as(authorization, request.match_id) as (caller, table):
            may_change(caller)
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            body = payloads_of(table.game).read_action(request.action)
            return await self._act(table, seat, body, request, request.expected_version)

    async def ResignSeat(self, request: pb.ResignSeatRequest, context: Context) -> pb.ResignSeatResponse:
        async with self._open(context, request.match_id) as (caller, table):
            may_change(caller)
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            expected = request.expected_version if request.HasField("expected_version") else None
            return pb.ResignSeatResponse(result=await self._act(table, seat, Resign(), request, expected))

    async def _act(
        self,
        table: Table,
        seat: Seat,
        body: Any,
        request: play_pb2.ActRequest | pb.ResignSeatRequest,
        expected: int | None,
    ) -> play_pb2.ActResponse:
        asked = Request(
            seat=seat, body=body, request_id=_request_id(request.request_id), expected_version=expected
        )
        try:
            answer = await act(self._tables, table, asked)
        except Refused as refused:
            if refused.code in _TELLS_STANDING and table.version > 0:
                refused.standing = await looking.standing(self._tables, table, seat, expected, request.form)
            raise
        return answer_message(table, answer, request.form)

    async def Play(
        self, request_iterator: AsyncIterator[play_pb2.PlayRequest], context: Context
    ) -> AsyncIterator[play_pb2.PlayResponse]:
        own = authorization_of(context)

        async def answer(call: play_pb2.PlayCall) -> play_pb2.ActResponse:
            return await self.act(call.act, call.authorization or own)

        async for response in play(request_iterator, answer, self._drain):
            yield response

    # ── looking ────────────────────────────────────────────────────────────────────────────────────

    async def GetView(self, request: pb.GetViewRequest, context: Context) -> pb.GetViewResponse:
        async with self._open(context, request.match_id) as (caller, table):
            seen_by = audience(caller, table.match, request.audience)
            await self._tables.catch_up(table)
            at = request.at_version if request.HasField("at_version") else None
            unless = request.unless_version if request.HasField("unless_version") else None
            return await looking.view(self._tables, table, seen_by, at, request.form, unless=unless)

    async def GetLegalActions(
        self, request: pb.GetLegalActionsRequest, context: Context
    ) -> pb.GetLegalActionsResponse:
        async with self._open(context, request.match_id) as (caller, table):
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            await self._tables.catch_up(table)
            return looking.legal_actions(table, seat, request.form, request.samples)

    async def ListMoves(self, request: pb.ListMovesRequest, context: Context) -> pb.ListMovesResponse:
        async with self._open(context, request.match_id) as (caller, table):
            seen_by = audience(caller, table.match, request.audience)
            await self._tables.catch_up(table)
            return await looking.moves(self._tables, table, seen_by, request)

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        async with self._open(context, request.match_id) as (caller, table):
            seen_by = audience(caller, table.match, request.audience)
            match_id = table.match.id
        # The caller is let in and may know it now: the first update may be long in coming.
        await context.send_initial_metadata(())
        after = request.after_version if request.HasField("after_version") else None
        async for update in self._drain.until(watch(self._tables, match_id, seen_by, after, request.form)):
            yield update

    async def ExportMatch(self, request: pb.ExportMatchRequest, context: Context) -> pb.ExportMatchResponse:
        async with self._open(context, request.match_id) as (caller, table):
            seen_by = audience(caller, table.match, request.audience)
            return pb.ExportMatchResponse(document=await exporting.export(self._tables, table, seen_by))

    async def VerifyMatch(self, request: pb.VerifyMatchRequest, context: Context) -> pb.VerifyMatchResponse:
        async with self._open(context, request.match_id) as (_, table):
            found = await exporting.verify(self._tables, table)
        return pb.VerifyMatchResponse(
            ok=found.ok,
            moves=found.moves,
            draws=len(found.draws),
            decided_again=found.decided_again,
            difference=found.difference,
            difference_version=found.difference_version,
        )

    # ── the door ───────────────────────────────────────────────────────────────────────────────────

    async def _caller(self, context: Context) -> Caller:
        return await self._callers.authenticate(authorization_of(context))

    @asynccontextmanager
    async def _open(self, context: Context, match_id: str) -> AsyncIterator[tuple[Caller, Table]]:
        async with self._open_as(authorization_of(context), match_id) as opened:
            yield opened

    @asynccontextmanager
    async def _open_as(self, authorization: str | None, match_id: str) -> AsyncIterator[tuple[Caller, Table]]:
        """Let a caller in to a match's table, started if its seats are full."""
        caller = await self._callers.authenticate(authorization)
        wanted = _match_id(caller, match_id)
        async with self._tables.hold(wanted) as table:
            if table.version == 0:  # seats may have been taken since the table was read
                table.claims = await self._log.claims(wanted)
            may_enter(caller, table.match, table.claims)
            await seating.start_when_full(self._tables, table)
            yield caller, table

    async def _enter(self, context: Context, match_id: str) -> tuple[Match, tuple[SeatClaim, ...], Caller]:
        """Let a caller in to a match of any game, without its table."""
        caller = await self._caller(context)
        wanted = _match_id(caller, match_id)
        try:
            match = await self._log.find(wanted)
        except MatchUnknown:
            raise match_not_found() from None
        claims = await self._log.claims(wanted)
        may_enter(caller, match, claims)
        return match, claims, caller

    def _token(self, match: Match, claim: SeatClaim) -> match_pb2.SeatToken:
        token, expires_at = self._tokens.mint(
            match_id=match.id, game=match.game, seat=claim.seat, generation=claim.generation
        )
        return match_pb2.SeatToken(seat=claim.seat, token=token, expire_time=timestamp(expires_at))


_OUTCOME: Final = msgspec.json.Decoder(Outcome)


def _message(match: Match, claims: tuple[SeatClaim, ...]) -> match_pb2.Match:
    outcome = None if match.outcome is None else _OUTCOME.decode(match.outcome)
    return match_message(match, claims, outcome)


def _match_id(caller: Caller, text: str) -> UUID:
    """Read a match id; one that is none is answered like one that is unknown."""
    try:
        match_id = UUID(text)
    except ValueError:
        match_id = UUID(int=0)
    may_name(caller, match_id)
    return match_id


def _request_id(text: str) -> str:
    if len(text) > MAX_REQUEST_ID or not (text.isascii() and text.isprintable()):
        raise malformed("$.request_id", f"must be at most {MAX_REQUEST_ID} printable ASCII characters")
    return text
