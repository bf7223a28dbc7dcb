"""Every route and every RPC is listened to, or stands here with the reason why not: a new one cannot be forgotten."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from foldtable.matches.v1 import match_service_pb2
from gateway.routes import ROUTES

_OPERATIONS: Final = {
    "an accepted move, answered as those of `own moves` and `undo` are": (
        "addTime answerAbort answerPause answerReplacement answerUndo askToReplace pauseMatch redoMoves resumeMatch "
        "returnToSeat"
    ),
    "a tenant's or before the start; answered with the match, as `match` and `rpc match` are": (
        "createMatch createMatches "
        "inviteToSeat issueSeatToken issueWatchToken joinMatch leaveMatch quickJoin rematch replacePlayer "
        "revokeSeatTokens revokeWatchTokens seatBot startMatch unseatBot updateMatch updateSeat"
    ),
    "a tenant's; at most what `webhooks` and `event feed` tell": (
        "announceVacation cancelVacation createEndpoint createFeedTicket createKey createLoginCode createPlayerSession createTenant deleteEndpoint deleteMatch erasePlayer exportPlayer getEndpoint "
        "getEventRecording getTenant listBotTurns listDeliveries listEndpoints listKeys listTenants listVacations redeemLoginCode "
        "resendDeliveries resendDelivery revokeKey revokePlayer revokePlayerSessions rotateEndpointSecret rotateKey setEventRecording "
        "testEndpoint updateEndpoint updateTenant"
    ),
    "the same whatever is played": (
        "describeGame getDescriptors getExportSchema getFrontEndFile getIndex getLiveness getOpenapi "
        "getReadiness getReference getReferenceAsset getLayout getSigningKeys getStartup getTexts listGames listParagraphs "
        "listProblems"
    ),
    "of a match that is over, or over by it: its luck is shown then": "importMatch resignSeat",
    "each line is what `export` or the directory says of one match": "exportMatches",
}
_CALLS: Final = {
    "an accepted move, answered as those of `own moves` and `undo` are": (
        "AddTime AnswerAbort AnswerPause AnswerReplacement AnswerUndo AskToReplace PauseMatch Redo ResumeMatch ReturnToSeat"
    ),
    "a tenant's or before the start; answered with the match, as `match` and `rpc match` are": (
        "CreateLoginCode CreateMatch CreateMatches CreatePlayerSession DeleteMatch ErasePlayer ExportPlayer InviteToSeat IssueSeatToken IssueWatchToken JoinMatch LeaveMatch QuickJoin RedeemLoginCode "
        "Rematch ReplacePlayer RevokePlayer RevokePlayerSessions RevokeSeatTokens RevokeWatchTokens SeatBot StartMatch UnseatBot UpdateMatch UpdateSeat"
    ),
    "heard over REST, which passes the answer on": "AbortMatch ForkMatch Undo",
    "of a match that is over, or over by it: its luck is shown then": "ImportMatch ResignSeat",
}
UNHEARD_OPERATIONS: Final = frozenset(" ".join(_OPERATIONS.values()).split())
"""Of the REST API, by operation id."""
UNHEARD_CALLS: Final = frozenset(" ".join(_CALLS.values()).split())
"""Of MatchService. The other services: RulesService is given its tables, PlatformService knows none."""


def unheard_operations(asked: Collection[str]) -> set[str]:
    """Return the operations that nothing of `asked` is: "GET /v1/…", as a listener notes it."""
    requests = [one.split(" ", 1) for one in asked if " /" in one]
    return {
        str(route.operation_id)
        for route in ROUTES
        if not any(
            method in route.methods and route.path_regex.match(path.partition("?")[0])
            for method, path in requests
        )
    }


def unheard_calls(asked: Collection[str]) -> set[str]:
    """Return the RPCs of MatchService that nothing of `asked` is: "GetView", "WatchMatch 3"."""
    service = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
    names = {one.split(" ", 1)[0] for one in asked}
    return {method.name for method in service.methods} - names
