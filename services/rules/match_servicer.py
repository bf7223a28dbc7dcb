"""MatchService: requests in, responses out. Who may do what is permissions.py's business, what happens acting.py's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from engine.kernel.game import AnyGame
from engine.kernel.requests import Resign
from foldtable.matches.v1 import follow_pb2, history_pb2, play_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.platform.match_tokens import MatchTokens
from services.rpc.callers import Callers, Context, authorization_of
from services.rpc.drain import Drain
from services.rpc.match_messages import match_message
from services.rules import exporting, looking, replaying
from services.rules.abort_servicer import AbortServicer
from services.rules.bot_servicer import BotServicer
from services.rules.door import audience_at
from services.rules.following import follow
from services.rules.importing import Importer
from services.rules.payloads import payloads_of
from services.rules.permissions import acting_seat, may_change, seat_looked_at, tenant_only
from services.rules.play_stream import play
from services.rules.tables import Tables
from services.rules.timekeeping import clocks_at
from services.rules.undo_servicer import version_required
from services.rules.uploads import UploadRoom, read_chunks
from services.rules.watching import watch


class MatchServicer(AbortServicer, BotServicer):
    """foldtable.matches.v1.MatchService over a log.

    Seats are in lobby_servicer.py, taking back in undo_servicer.py, calling off in abort_servicer.py,
    bots in bot_servicer.py.
    """

    def __init__(
        self,
        tables: Tables,
        callers: Callers,
        tokens: MatchTokens,
        game_of: Callable[[str], AnyGame | None],
        drain: Drain,
    ) -> None:
        super().__init__(tables, callers, tokens, game_of)
        self._drain = drain
        self._importer = Importer(tables.log)
        self._uploads = UploadRoom()
        self._verifier = exporting.Verifier(tables)

    # ── moves ──────────────────────────────────────────────────────────────────────────────────────

    async def Act(self, request: play_pb2.ActRequest, context: Context) -> play_pb2.ActResponse:
        return await self.act(request, authorization_of(context))

    async def act(self, request: play_pb2.ActRequest, authorization: str | None) -> play_pb2.ActResponse:
        """Make a move for whoever the authorization says; the unary call and the stream both end here."""
        if not request.HasField("expected_version"):
            raise version_required()
        async with self._open_as(authorization, request.match_id) as (caller, table):
            may_change(caller)
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            body = payloads_of(table.game).read_action(request.action)
            return await self._make(
                table, seat, body, request, request.expected_version, dry_run=request.dry_run
            )

    async def ResignSeat(self, request: pb.ResignSeatRequest, context: Context) -> pb.ResignSeatResponse:
        async with self._open(context, request.match_id) as (caller, table):
            may_change(caller)
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            expected = request.expected_version if request.HasField("expected_version") else None
            return pb.ResignSeatResponse(result=await self._make(table, seat, Resign(), request, expected))

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
            await self._tables.catch_up(table)
            seen_by = audience_at(caller, table, request.audience)
            at = request.at_version if request.HasField("at_version") else None
            unless = request.unless_version if request.HasField("unless_version") else None
            return await looking.view(self._tables, table, seen_by, at, request.form, unless=unless)

    async def GetLegalActions(
        self, request: pb.GetLegalActionsRequest, context: Context
    ) -> pb.GetLegalActionsResponse:
        async with self._open(context, request.match_id) as (caller, table):
            seat = seat_looked_at(caller, table.match, request.seat if request.HasField("seat") else None)
            await self._tables.catch_up(table)
            response = looking.legal_actions(table, seat, request.form, request.samples)
            if (clocks := await clocks_at(self._tables, table, table.version)) is not None:
                response.clocks.CopyFrom(clocks)
            return response

    async def ListMoves(self, request: pb.ListMovesRequest, context: Context) -> pb.ListMovesResponse:
        async with self._open(context, request.match_id) as (caller, table):
            await self._tables.catch_up(table)
            seen_by = audience_at(caller, table, request.audience)
            return await looking.moves(self._tables, table, seen_by, request)

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        authorization = authorization_of(context)

        async def still_allowed() -> None:
            async with self._open_as(authorization, request.match_id) as (caller, table):
                audience_at(caller, table, request.audience)

        async with self._open_as(authorization, request.match_id) as (caller, table):
            await self._tables.catch_up(table)
            seen_by = audience_at(caller, table, request.audience)
            match_id = table.match.id
        # The caller is let in and may know it now: the first update may be long in coming.
        await context.send_initial_metadata(())
        after = request.after_version if request.HasField("after_version") else None
        updates = watch(self._tables, match_id, seen_by, after, request.form, still_allowed)
        async for update in self._drain.until(updates):
            yield update

    async def Follow(
        self, request_iterator: AsyncIterator[follow_pb2.FollowRequest], context: Context
    ) -> AsyncIterator[follow_pb2.FollowResponse]:
        async for response in follow(
            request_iterator, authorization_of(context), self._door, self._tables, self._drain
        ):
            yield response

    # ── the past ───────────────────────────────────────────────────────────────────────────────────

    async def ReplayMatch(
        self, request: history_pb2.ReplayMatchRequest, context: Context
    ) -> AsyncIterator[history_pb2.ReplayMatchResponse]:
        async with self._open(context, request.match_id) as (caller, table):
            await self._tables.catch_up(table)
            seen_by = audience_at(caller, table, request.audience)
            prepared = await replaying.prepare(self._tables, table, seen_by, request)
        async for part in replaying.send(self._tables, prepared):
            yield part

    async def ExportMatch(self, request: pb.ExportMatchRequest, context: Context) -> pb.ExportMatchResponse:
        async with self._open(context, request.match_id) as (caller, table):
            await self._tables.catch_up(table)
            seen_by = audience_at(caller, table, request.audience)
            return pb.ExportMatchResponse(document=await exporting.export(self._tables, table, seen_by))

    async def VerifyMatch(self, request: pb.VerifyMatchRequest, context: Context) -> pb.VerifyMatchResponse:
        async with self._open(context, request.match_id) as (_, table):
            pass  # whoever may look may check; others go on with the table meanwhile
        found = await self._verifier.verify(table)
        draws, more = exporting.listed_draws(
            table.match, found, request.draws_page_size, request.draws_page_token
        )
        return pb.VerifyMatchResponse(
            ok=found.ok,
            moves=found.moves,
            draws=len(found.draws),
            decided_again=found.decided_again,
            difference=found.difference,
            difference_version=found.difference_version,
            forked=found.forked,
            difference_event=found.difference_event,
            difference_pointer=found.difference_pointer,
            expected=found.expected,
            found=found.found,
            unchecked=found.unchecked,
            listed_draws=draws,
            next_draws_page_token=more,
        )

    async def ImportMatch(
        self, request_iterator: AsyncIterator[history_pb2.ImportMatchRequest], context: Context
    ) -> history_pb2.ImportMatchResponse:
        tenant = tenant_only(await self._door.caller(authorization_of(context))).tenant
        with self._uploads.taken(tenant):
            imported = await self._importer.take_in(tenant, await read_chunks(request_iterator))
        match, seated = await self._now(imported.match.id)
        return history_pb2.ImportMatchResponse(
            match=match_message(match, seated.seats), replayed=imported.replayed
        )
