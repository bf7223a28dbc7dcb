"""MatchService: which object serves which call. match/permissions.py decides who may do what; match/ does it."""

from __future__ import annotations

from collections.abc import AsyncIterator

from foldtable.matches.v1 import (
    abort_pb2,
    bots_pb2,
    follow_pb2,
    fork_pb2,
    history_pb2,
    lobby_pb2,
    login_code_pb2,
    match_service_pb2_grpc,
    play_pb2,
    player_session_pb2,
    returning_pb2,
    table_pb2,
    undo_pb2,
)
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.callers import Callers, Context, authorization_of
from services.identity.match_tokens import MatchTokens
from services.movelog.export.signature import ExportSigner
from services.rpc.drain import Drain
from services.rules.api.aborts import Aborts
from services.rules.api.absences import Absences
from services.rules.api.bots import Bots
from services.rules.api.commands import Commands
from services.rules.api.creating import Creation, GameOf
from services.rules.api.heavy_reads import HeavyReads
from services.rules.api.history import History
from services.rules.api.live import Live
from services.rules.api.lobby import Lobby
from services.rules.api.login_codes import Logins
from services.rules.api.player_sessions import PlayerSessions
from services.rules.api.plays import Plays
from services.rules.api.reads import Reads
from services.rules.api.shown_matches import ShownMatches
from services.rules.api.tokens import Tokens
from services.rules.api.undo import Undo
from services.rules.match.access import MatchAccess
from services.rules.match.forking import ForkBounds
from services.rules.match.match_cache import MatchCache
from services.rules.players import Players


class MatchService(match_service_pb2_grpc.MatchServiceServicer):
    """foldtable.matches.v1.MatchService over a log."""

    def __init__(
        self,
        cache: MatchCache,
        callers: Callers,
        players: Players,
        tokens: MatchTokens,
        game_of: GameOf,
        drain: Drain,
        forks: ForkBounds,
        exports: ExportSigner | None = None,
        *,
        heavy: HeavyReads | None = None,
    ) -> None:
        """`heavy` hands out the turns of expensive reads; None: its own."""
        access = MatchAccess(cache, callers, players.anonymous)
        heavy = heavy or HeavyReads()
        shown = ShownMatches(cache)
        commands = Commands(cache, access)
        self._plays = Plays(cache, access, drain)
        self._undo = Undo(cache, access, commands)
        self._aborts = Aborts(commands)
        self._absences = Absences(commands)
        self._creation = Creation(cache, access, shown, tokens, game_of, forks)
        self._lobby = Lobby(cache, access, shown, tokens, game_of)
        self._tokens = Tokens(cache, access, shown, tokens)
        self._sessions = PlayerSessions(access, players.sessions, players.codes, tokens)
        self._logins = Logins(access, players.codes, tokens)
        self._bots = Bots(cache, access, shown, heavy)
        self._reads = Reads(cache, access, heavy)
        self._live = Live(cache, access, drain)
        self._history = History(cache, access, shown, heavy, exports)

    # ── moves ───────────────────────────────────────────────────────────────────────────────────────

    async def Act(self, request: play_pb2.ActRequest, context: Context) -> play_pb2.ActResponse:
        return await self._plays.act(request, authorization_of(context))

    async def ResignSeat(self, request: pb.ResignSeatRequest, context: Context) -> pb.ResignSeatResponse:
        return await self._plays.resign(request, authorization_of(context))

    def Play(
        self, request_iterator: AsyncIterator[play_pb2.PlayRequest], context: Context
    ) -> AsyncIterator[play_pb2.PlayResponse]:
        return self._plays.stream(request_iterator, authorization_of(context))

    # ── commands ────────────────────────────────────────────────────────────────────────────────────

    async def GetUndo(self, request: undo_pb2.GetUndoRequest, context: Context) -> undo_pb2.GetUndoResponse:
        return await self._undo.get(request, authorization_of(context))

    async def Undo(self, request: undo_pb2.UndoRequest, context: Context) -> undo_pb2.UndoResponse:
        return await self._undo.undo(request, authorization_of(context))

    async def Redo(self, request: undo_pb2.RedoRequest, context: Context) -> undo_pb2.RedoResponse:
        return await self._undo.redo(request, authorization_of(context))

    async def AnswerUndo(
        self, request: undo_pb2.AnswerUndoRequest, context: Context
    ) -> undo_pb2.AnswerUndoResponse:
        return await self._undo.answer(request, authorization_of(context))

    async def AbortMatch(
        self, request: abort_pb2.AbortMatchRequest, context: Context
    ) -> abort_pb2.AbortMatchResponse:
        return await self._aborts.abort(request, authorization_of(context))

    async def AnswerAbort(
        self, request: abort_pb2.AnswerAbortRequest, context: Context
    ) -> abort_pb2.AnswerAbortResponse:
        return await self._aborts.answer(request, authorization_of(context))

    async def ReturnToSeat(
        self, request: returning_pb2.ReturnToSeatRequest, context: Context
    ) -> returning_pb2.ReturnToSeatResponse:
        return await self._absences.return_to_seat(request, authorization_of(context))

    # ── new matches ─────────────────────────────────────────────────────────────────────────────────

    async def CreateMatch(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        return await self._creation.create(request, authorization_of(context))

    async def ForkMatch(
        self, request: fork_pb2.ForkMatchRequest, context: Context
    ) -> fork_pb2.ForkMatchResponse:
        return await self._creation.fork(request, authorization_of(context))

    async def Rematch(self, request: lobby_pb2.RematchRequest, context: Context) -> lobby_pb2.RematchResponse:
        return await self._creation.rematch(request, authorization_of(context))

    # ── seats ───────────────────────────────────────────────────────────────────────────────────────

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        return await self._lobby.get(request, authorization_of(context))

    async def JoinMatch(self, request: pb.JoinMatchRequest, context: Context) -> pb.JoinMatchResponse:
        return await self._lobby.join(request, authorization_of(context))

    async def QuickJoin(
        self, request: lobby_pb2.QuickJoinRequest, context: Context
    ) -> lobby_pb2.QuickJoinResponse:
        return await self._lobby.quick_join(request, authorization_of(context))

    async def LeaveMatch(
        self, request: lobby_pb2.LeaveMatchRequest, context: Context
    ) -> lobby_pb2.LeaveMatchResponse:
        return await self._lobby.leave(request, authorization_of(context))

    async def UpdateSeat(
        self, request: lobby_pb2.UpdateSeatRequest, context: Context
    ) -> lobby_pb2.UpdateSeatResponse:
        return await self._lobby.update_seat(request, authorization_of(context))

    async def StartMatch(
        self, request: lobby_pb2.StartMatchRequest, context: Context
    ) -> lobby_pb2.StartMatchResponse:
        return await self._lobby.start(request, authorization_of(context))

    # ── tokens ──────────────────────────────────────────────────────────────────────────────────────

    async def InviteToSeat(
        self, request: lobby_pb2.InviteToSeatRequest, context: Context
    ) -> lobby_pb2.InviteToSeatResponse:
        return await self._tokens.invite(request, authorization_of(context))

    async def IssueSeatToken(
        self, request: pb.IssueSeatTokenRequest, context: Context
    ) -> pb.IssueSeatTokenResponse:
        return await self._tokens.issue_for_seat(request, authorization_of(context))

    async def RevokeSeatTokens(
        self, request: lobby_pb2.RevokeSeatTokensRequest, context: Context
    ) -> lobby_pb2.RevokeSeatTokensResponse:
        return await self._tokens.revoke_of_seat(request, authorization_of(context))

    async def IssueWatchToken(
        self, request: lobby_pb2.IssueWatchTokenRequest, context: Context
    ) -> lobby_pb2.IssueWatchTokenResponse:
        return await self._tokens.issue_for_watcher(request, authorization_of(context))

    async def RevokeWatchTokens(
        self, request: lobby_pb2.RevokeWatchTokensRequest, context: Context
    ) -> lobby_pb2.RevokeWatchTokensResponse:
        return await self._tokens.revoke_of_watchers(request, authorization_of(context))

    async def CreatePlayerSession(
        self, request: player_session_pb2.CreatePlayerSessionRequest, context: Context
    ) -> player_session_pb2.CreatePlayerSessionResponse:
        return await self._sessions.create(request, authorization_of(context))

    async def CreateLoginCode(
        self, request: login_code_pb2.CreateLoginCodeRequest, context: Context
    ) -> login_code_pb2.CreateLoginCodeResponse:
        return await self._logins.create(request, authorization_of(context))

    async def RedeemLoginCode(
        self, request: login_code_pb2.RedeemLoginCodeRequest, context: Context
    ) -> login_code_pb2.RedeemLoginCodeResponse:
        return await self._logins.redeem(request)

    async def RevokePlayerSessions(
        self, request: player_session_pb2.RevokePlayerSessionsRequest, context: Context
    ) -> player_session_pb2.RevokePlayerSessionsResponse:
        return await self._sessions.revoke(request, authorization_of(context))

    # ── bots ────────────────────────────────────────────────────────────────────────────────────────

    async def SeatBot(self, request: bots_pb2.SeatBotRequest, context: Context) -> bots_pb2.SeatBotResponse:
        return await self._bots.seat(request, authorization_of(context))

    async def UnseatBot(
        self, request: bots_pb2.UnseatBotRequest, context: Context
    ) -> bots_pb2.UnseatBotResponse:
        return await self._bots.unseat(request, authorization_of(context))

    async def Determinize(
        self, request: bots_pb2.DeterminizeRequest, context: Context
    ) -> bots_pb2.DeterminizeResponse:
        return await self._bots.determinize(request, authorization_of(context))

    # ── looking ─────────────────────────────────────────────────────────────────────────────────────

    async def GetView(self, request: pb.GetViewRequest, context: Context) -> pb.GetViewResponse:
        return await self._reads.view(request, authorization_of(context))

    async def GetTable(
        self, request: table_pb2.GetTableRequest, context: Context
    ) -> table_pb2.GetTableResponse:
        return await self._reads.table(request, authorization_of(context))

    async def GetLegalActions(
        self, request: pb.GetLegalActionsRequest, context: Context
    ) -> pb.GetLegalActionsResponse:
        return await self._reads.legal_actions(request, authorization_of(context))

    async def ListMoves(self, request: pb.ListMovesRequest, context: Context) -> pb.ListMovesResponse:
        return await self._reads.moves(request, authorization_of(context))

    # ── following ───────────────────────────────────────────────────────────────────────────────────

    async def WatchMatch(
        self, request: pb.WatchMatchRequest, context: Context
    ) -> AsyncIterator[pb.WatchMatchResponse]:
        updates = await self._live.watch(request, authorization_of(context))
        # The caller was accepted and learns it now: the first update may take long.
        await context.send_initial_metadata(())
        async for update in updates:
            yield update

    def Follow(
        self, request_iterator: AsyncIterator[follow_pb2.FollowRequest], context: Context
    ) -> AsyncIterator[follow_pb2.FollowResponse]:
        return self._live.follow(request_iterator, authorization_of(context))

    # ── the past ────────────────────────────────────────────────────────────────────────────────────

    def ReplayMatch(
        self, request: history_pb2.ReplayMatchRequest, context: Context
    ) -> AsyncIterator[history_pb2.ReplayMatchResponse]:
        return self._history.replay(request, authorization_of(context))

    async def ExportMatch(self, request: pb.ExportMatchRequest, context: Context) -> pb.ExportMatchResponse:
        return await self._history.export(request, authorization_of(context))

    async def VerifyMatch(self, request: pb.VerifyMatchRequest, context: Context) -> pb.VerifyMatchResponse:
        return await self._history.verify(request, authorization_of(context))

    async def ImportMatch(
        self, request_iterator: AsyncIterator[history_pb2.ImportMatchRequest], context: Context
    ) -> history_pb2.ImportMatchResponse:
        return await self._history.import_match(
            request_iterator, authorization_of(context), send_metadata=context.send_initial_metadata
        )
