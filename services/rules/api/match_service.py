"""MatchService: which function serves which call. match/permissions.py decides who may do what; match/ does it."""

from __future__ import annotations

from services.identity.callers import Callers
from services.identity.match_tokens import MatchTokens
from services.identity.service_table import ServiceTable, WithContext
from services.movelog.export.signature import ExportSigner
from services.rpc.drain import Drain
from services.rules.api.aborts import Aborts
from services.rules.api.batches import MatchBatches
from services.rules.api.bots import Bots
from services.rules.api.clocks import Absences, AddedTime
from services.rules.api.commands import Commands
from services.rules.api.creating import Creation, GameOf
from services.rules.api.heavy_reads import HeavyReads
from services.rules.api.history import History
from services.rules.api.live import Live
from services.rules.api.lobby import Lobby
from services.rules.api.login_codes import Logins
from services.rules.api.pauses import Pauses
from services.rules.api.player_revocations import PlayerRevocations
from services.rules.api.player_sessions import PlayerSessions
from services.rules.api.plays import Plays
from services.rules.api.reads import Reads
from services.rules.api.shown_matches import ShownMatches
from services.rules.api.tokens import Tokens
from services.rules.api.undo import Undo
from services.rules.forgetting.api import Forgetting, ForgettingCalls
from services.rules.match.access import MatchAccess
from services.rules.match.forking import ForkBounds
from services.rules.match.match_cache import MatchCache
from services.rules.players import Players


def match_service(
    cache: MatchCache,
    callers: Callers,
    players: Players,
    tokens: MatchTokens,
    game_of: GameOf,
    drain: Drain,
    forks: ForkBounds,
    exports: ExportSigner | None = None,
    *,
    forgetting: Forgetting,
    heavy: HeavyReads | None = None,
) -> ServiceTable:
    """Return foldtable.matches.v1.MatchService over a log. `heavy` hands out the turns of expensive reads; None: its own."""
    access = MatchAccess(cache, callers, players.anonymous)
    heavy = heavy or HeavyReads()
    shown = ShownMatches(cache)
    creation = Creation(cache, access, shown, tokens, game_of, forks)
    return {
        **_moving(cache, access, drain),
        **_seating(
            creation,
            MatchBatches(cache, access, shown, creation),
            Lobby(cache, access, shown, tokens, game_of),
            Bots(cache, access, shown, heavy),
        ),
        **_signing_in(
            Tokens(cache, access, shown, tokens),
            PlayerSessions(access, players.sessions, players.codes, tokens),
            PlayerRevocations(access, players.sessions, players.codes, cache.log.players),
            Logins(access, players.codes, tokens),
        ),
        **_forgetting(ForgettingCalls(access, players.sessions, players.codes, forgetting)),
        **_reading(
            Reads(cache, access, heavy),
            Live(cache, access, drain),
            History(cache, access, shown, heavy, exports),
        ),
    }


def _moving(cache: MatchCache, access: MatchAccess, drain: Drain) -> ServiceTable:
    """Return the calls that write a row of a match: moves, and commands."""
    plays = Plays(cache, access, drain)
    commands = Commands(cache, access)
    undo, aborts, pauses = Undo(cache, access, commands), Aborts(commands), Pauses(commands)
    return {
        "Act": plays.act,
        "ResignSeat": plays.resign,
        "Play": plays.stream,
        "GetUndo": undo.get,
        "Undo": undo.undo,
        "Redo": undo.redo,
        "AnswerUndo": undo.answer,
        "AbortMatch": aborts.abort,
        "AnswerAbort": aborts.answer,
        "PauseMatch": pauses.pause,
        "AnswerPause": pauses.answer,
        "ResumeMatch": pauses.resume,
        "AddTime": AddedTime(commands).add,
        "ReturnToSeat": Absences(commands).return_to_seat,
    }


def _seating(creation: Creation, batches: MatchBatches, lobby: Lobby, bots: Bots) -> ServiceTable:
    """Return the calls about new matches, and about who sits where."""
    return {
        "CreateMatch": creation.create,
        "CreateMatches": batches.create,
        "ForkMatch": creation.fork,
        "Rematch": creation.rematch,
        "GetMatch": lobby.get,
        "JoinMatch": lobby.join,
        "QuickJoin": lobby.quick_join,
        "LeaveMatch": lobby.leave,
        "UpdateSeat": lobby.update_seat,
        "UpdateMatch": lobby.update,
        "ReplacePlayer": lobby.replace_player,
        "AskToReplace": lobby.ask_to_replace,
        "AnswerReplacement": lobby.answer_replacement,
        "StartMatch": lobby.start,
        "SeatBot": bots.seat,
        "UnseatBot": bots.unseat,
        "Determinize": bots.determinize,
    }


def _signing_in(
    tokens: Tokens, sessions: PlayerSessions, revocations: PlayerRevocations, logins: Logins
) -> ServiceTable:
    """Return the calls that give and take credentials."""
    return {
        "InviteToSeat": tokens.invite,
        "IssueSeatToken": tokens.issue_for_seat,
        "RevokeSeatTokens": tokens.revoke_of_seat,
        "IssueWatchToken": tokens.issue_for_watcher,
        "RevokeWatchTokens": tokens.revoke_of_watchers,
        "CreatePlayerSession": sessions.create,
        "RevokePlayerSessions": sessions.revoke,
        "RevokePlayer": revocations.revoke,
        "CreateLoginCode": logins.create,
        "RedeemLoginCode": logins.redeem,
    }


def _forgetting(calls: ForgettingCalls) -> ServiceTable:
    """Return the calls about what is kept of players and matches."""
    return {
        "DeleteMatch": calls.delete_match,
        "ErasePlayer": calls.erase_player,
        "ExportPlayer": calls.export_player,
    }


def _reading(reads: Reads, live: Live, history: History) -> ServiceTable:
    """Return the calls that only read, and those about whole matches."""
    return {
        "GetView": reads.view,
        "GetTable": reads.table,
        "GetLegalActions": reads.legal_actions,
        "ListMoves": reads.moves,
        "WatchMatch": WithContext(live.watch),
        "Follow": live.follow,
        "ReplayMatch": history.replay,
        "ExportMatch": history.export,
        "VerifyMatch": history.verify,
        "ImportMatch": WithContext(history.import_match),
    }
