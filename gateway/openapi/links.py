"""Where answers lead: OpenAPI links, by the operation that answers.

A link says which operation can be called next and where in the answer its parameters and its body stand (runtime
expressions, OpenAPI 3.1 §4.8.20.4). Clients that are generated follow them, and so do those who test the API by machine.

An expression as `requestBody` is the whole body. A body whose members are expressions stands in `x-request-body`: the
specification gives such a body no meaning, and parsers of the Java world refuse a `requestBody` that is no string.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gateway.openapi.parameters import JSONObject

Links = Mapping[str, JSONObject]

MEMBERS: Final = "x-request-body"
"""The member of a link that says of what the next request's body is made, member by member."""
_BODY: Final = "$response.body#"
_MATCH: Final = "$request.path.match_id"
_ENDPOINT: Final = "$request.path.endpoint_id"


def _to(operation: str, description: str, /, body: Any = None, **parameters: str) -> JSONObject:
    link: JSONObject = {"operationId": operation, "description": description}
    if parameters:
        link["parameters"] = parameters
    if body is not None:
        link["requestBody" if isinstance(body, str) else MEMBERS] = body
    return link


def _of_match(match_id: str, to_act: str) -> Links:
    """Return where a match leads; `to_act` is where the first seat stands that is waited for."""
    return {
        "match": _to("getMatch", "The match as it stands.", match_id=match_id),
        "view": _to("getView", "What the public sees.", match_id=match_id),
        "table": _to("getTable", "All that a page draws.", match_id=match_id),
        "legal_actions": _to("getLegalActions", "What that seat may do.", match_id=match_id, seat=to_act),
        "stream": _to("streamMatch", "Follow it.", match_id=match_id),
        "export": _to("exportMatch", "All of it as one document.", match_id=match_id),
    }


def _of_seats(match_id: str) -> Links:
    """Return where a match that waits for players leads as well."""
    return {
        "join": _to("joinMatch", "Take a seat.", match_id=match_id),
        "start": _to("startMatch", "Begin with those who are there.", match_id=match_id),
        "abort": _to("abortMatch", "Call it off.", match_id=match_id),
        "pause": _to("pauseMatch", "Pause it.", match_id=match_id),
        "resume": _to("resumeMatch", "End its pause.", match_id=match_id),
        "add_time": _to(
            "addTime", "Give its seats more time.", {"seats": [0], "seconds": 60}, match_id=match_id
        ),
    }


def _of_standing(match_id: str) -> Links:
    """Return what else can be done with a match; what is for one seat is told for the first."""
    first = {"match_id": match_id, "seat": f"{_BODY}/seats/0/seat"}
    first_in_body = {"seat": f"{_BODY}/seats/0/seat"}
    return {
        "moves": _to("listMoves", "What was played.", match_id=match_id),
        "replay": _to("replayMatch", "The table after each move.", match_id=match_id),
        "verify": _to("verifyMatch", "Check it.", match_id=match_id),
        "undo": _to("getUndo", "What can be taken back.", **first),
        "fork": _to("forkMatch", "Begin another match at this table.", match_id=match_id),
        "rematch": _to("rematch", "Once it is over: another one.", match_id=match_id),
        "leave": _to("leaveMatch", "Give the seat back.", first_in_body, match_id=match_id),
        "return": _to("returnToSeat", "Be back at the seat.", first_in_body, match_id=match_id),
        "update": _to("updateMatch", "Call it something else, or hide it.", match_id=match_id),
        "update_seat": _to("updateSeat", "Call its player something else.", **first),
        "seat_token": _to("issueSeatToken", "Mint the seat a token.", **first),
        "revoke_seat_tokens": _to("revokeSeatTokens", "End the tokens of the seat.", **first),
        "invite": _to("inviteToSeat", "Invite somebody to the seat.", **first),
        "replace_player": _to("replacePlayer", "Give the seat to another player.", **first),
        "ask_to_replace": _to("askToReplace", "Ask the table for another player.", **first),
        "seat_bot": _to("seatBot", "Give the seat to a bot.", **first),
        "unseat_bot": _to("unseatBot", "Take it from the bot.", **first),
        "determinizations": _to("getDeterminizations", "Tables for a bot to think with.", match_id=match_id),
        "stream_ticket": _to("createStreamTicket", "Follow it from a browser.", match_id=match_id),
        "watch_token": _to("issueWatchToken", "Let somebody watch.", match_id=match_id),
        "revoke_watch_tokens": _to("revokeWatchTokens", "Let nobody watch any more.", match_id=match_id),
    }


def _of_endpoint(endpoint_id: str) -> Links:
    return {
        "endpoint": _to("getEndpoint", "The endpoint.", endpoint_id=endpoint_id),
        "update": _to("updateEndpoint", "Change it.", endpoint_id=endpoint_id),
        "test": _to("testEndpoint", "Send it an event to try it.", endpoint_id=endpoint_id),
        "deliveries": _to("listDeliveries", "What was sent to it.", endpoint_id=endpoint_id),
        "rotate": _to("rotateEndpointSecret", "Give it a new secret.", endpoint_id=endpoint_id),
        "resend": _to("resendDeliveries", "Send it again what it missed.", endpoint_id=endpoint_id),
        "delete": _to("deleteEndpoint", "Delete it.", endpoint_id=endpoint_id),
    }


def _of_key(key_id: str) -> Links:
    return {
        "rotate": _to("rotateKey", "Replace it.", key_id=key_id),
        "revoke": _to("revokeKey", "End it at once.", key_id=key_id),
    }


def _of_vacation(vacation_id: str) -> Links:
    return {"cancel": _to("cancelVacation", "Come back earlier, or stay.", vacation_id=vacation_id)}


def _next_page(operation: str, /, **parameters: str) -> Links:
    token = f"{_BODY}/next_page_token"
    return {"next_page": _to(operation, "The next page.", page_token=token, **parameters)}


_MADE: Final = _of_match(f"{_BODY}/match/match_id", f"{_BODY}/match/to_act/0")
_WAITING: Final = _of_seats(f"{_BODY}/match/match_id")
_STANDS: Final = _of_match(f"{_BODY}/match_id", f"{_BODY}/to_act/0")
_MOVED: Final = {
    **_of_match(_MATCH, f"{_BODY}/to_act/0"),
    "undo": _to("getUndo", "What can be taken back.", match_id=_MATCH),
}
_ANSWERS_PROPOSAL: Final = {
    "accept": True,
    "expected_version": f"{_BODY}/version",
    "seat": f"{_BODY}/proposal/waiting/0",
}

_OF_MATCHES: Final[Mapping[str, Links]] = {
    "createMatch": {**_MADE, **_WAITING},
    "createMatches": {
        "match": _to("getMatch", "The first of them.", match_id=f"{_BODY}/results/0/created/match/match_id"),
        "matches": _to("listMatches", "All of them, and others."),
    },
    "forkMatch": _MADE,
    "quickJoin": {**_MADE, **_WAITING},
    "joinMatch": {**_MADE, **_WAITING},
    "rematch": _MADE,
    "importMatch": _MADE,
    "getMatch": {**_STANDS, **_of_seats(f"{_BODY}/match_id"), **_of_standing(f"{_BODY}/match_id")},
    "leaveMatch": _STANDS,
    "updateMatch": _STANDS,
    "updateSeat": _STANDS,
    "startMatch": _STANDS,
    "replacePlayer": _MADE,
    "revokeSeatTokens": _STANDS,
    "revokeWatchTokens": _STANDS,
    "seatBot": {
        **_STANDS,
        "unseat": _to("unseatBot", "Take it away.", match_id=_MATCH, seat="$request.path.seat"),
        "token": _to("issueSeatToken", "Play for it.", match_id=_MATCH, seat="$request.path.seat"),
    },
    "unseatBot": _STANDS,
    "listMatches": {
        "match": _to("getMatch", "The first of them.", match_id=f"{_BODY}/matches/0/match_id"),
        **_next_page("listMatches"),
    },
    "listBotTurns": {
        "legal_actions": _to(
            "getLegalActions",
            "What the first of them may do.",
            match_id=f"{_BODY}/matches/0/match_id",
            seat=f"{_BODY}/matches/0/waiting_bots/0/seat",
        ),
        "determinizations": _to(
            "getDeterminizations",
            "Tables for it to think with.",
            match_id=f"{_BODY}/matches/0/match_id",
            seat=f"{_BODY}/matches/0/waiting_bots/0/seat",
        ),
    },
}
_OF_PLAY: Final[Mapping[str, Links]] = {
    "getView": {
        "moves": _to("listMoves", "How it came to this.", match_id=_MATCH),
        "answer_undo": _to("answerUndo", "Agree to the open proposal.", _ANSWERS_PROPOSAL, match_id=_MATCH),
        "answer_abort": _to("answerAbort", "Agree to the open proposal.", _ANSWERS_PROPOSAL, match_id=_MATCH),
        "answer_pause": _to("answerPause", "Agree to the open proposal.", _ANSWERS_PROPOSAL, match_id=_MATCH),
        "answer_replacement": _to(
            "answerReplacement", "Agree to the open proposal.", _ANSWERS_PROPOSAL, match_id=_MATCH
        ),
    },
    "getTable": {
        "move": _to(
            "makeMove",
            "Play the first legal action.",
            {
                "action": f"{_BODY}/legal/actions/0",
                "expected_version": f"{_BODY}/version",
                "seat": f"{_BODY}/audience/seat",
            },
            match_id=_MATCH,
        ),
        "moves": _to("listMoves", "How it came to this.", match_id=_MATCH),
    },
    "getLegalActions": {
        "move": _to(
            "makeMove",
            "Play the first of them.",
            {
                "action": f"{_BODY}/actions/0",
                "expected_version": f"{_BODY}/version",
                "seat": f"{_BODY}/seat",
            },
            match_id=_MATCH,
        ),
        "sample": _to(
            "makeMove",
            "Play one that was drawn at random; ask with `samples`.",
            {
                "action": f"{_BODY}/samples/0",
                "expected_version": f"{_BODY}/version",
                "seat": f"{_BODY}/seat",
            },
            match_id=_MATCH,
        ),
        "resign": _to("resignSeat", "Leave for good.", {"seat": f"{_BODY}/seat"}, match_id=_MATCH),
    },
    "makeMove": _MOVED,
    "resignSeat": _MOVED,
    "returnToSeat": _MOVED,
    "getUndo": {
        "undo": _to(
            "undoMoves",
            "Take back what can be taken back freely.",
            {
                "to": f"{_BODY}/free_to",
                "expected_version": f"{_BODY}/version",
                "seat": f"{_BODY}/seat",
            },
            match_id=_MATCH,
        ),
    },
    "undoMoves": {
        **_MOVED,
        "redo": _to(
            "redoMoves",
            "Put them back.",
            {"expected_version": f"{_BODY}/version", "seat": "$request.body#/seat"},
            match_id=_MATCH,
        ),
    },
    "redoMoves": _MOVED,
    "answerUndo": _MOVED,
    "abortMatch": _MOVED,
    "pauseMatch": _MOVED,
    "answerPause": _MOVED,
    "askToReplace": _MOVED,
    "answerReplacement": _MOVED,
    "resumeMatch": _MOVED,
    "addTime": _MOVED,
    "answerAbort": _MOVED,
    "listMoves": {
        "replay": _to("replayMatch", "The table after each of them.", match_id=_MATCH),
        **_next_page("listMoves", match_id=_MATCH),
    },
    "replayMatch": {
        "view": _to(
            "getView", "The table after the first of them.", match_id=_MATCH, at=f"{_BODY}/steps/0/version"
        ),
        **_next_page("replayMatch", match_id=_MATCH),
    },
    "getDeterminizations": {
        "view": _to("getView", "What this audience sees.", match_id=_MATCH, at=f"{_BODY}/version"),
    },
    "exportMatch": {
        "import": _to("importMatch", "Take it in again, here or elsewhere.", "$response.body"),
        "delete": _to("deleteMatch", "Delete the match.", match_id=_MATCH),
    },
    "verifyMatch": {"match": _to("getMatch", "The match.", match_id=_MATCH)},
    "createStreamTicket": {
        "stream": _to("streamMatch", "Follow the match with it.", match_id=_MATCH, ticket=f"{_BODY}/ticket"),
    },
    "createMatchesTicket": {
        "stream": _to("streamMatches", "Follow the matches with it.", ticket=f"{_BODY}/ticket"),
    },
    "createFeedTicket": {
        "feed": _to("streamFeed", "Follow the matches with it.", ticket=f"{_BODY}/ticket"),
    },
}
_OF_THE_HOUSE: Final[Mapping[str, Links]] = {
    "listGames": {"game": _to("describeGame", "The first of them.", game=f"{_BODY}/games/0/game")},
    "describeGame": {
        "create": _to(
            "createMatch",
            "Play it.",
            {"game": f"{_BODY}/game", "seats": f"{_BODY}/seat_counts/0"},
        ),
        "rules": _to("listParagraphs", "What its rules say.", game=f"{_BODY}/game"),
        "texts": _to("getTexts", "Its texts.", game=f"{_BODY}/game", lang=f"{_BODY}/languages/0"),
        "layout": _to("getLayout", "Where its things are.", game=f"{_BODY}/game"),
    },
    "listParagraphs": {"game": _to("describeGame", "The game.", game=f"{_BODY}/game")},
    "getLayout": {"game": _to("describeGame", "The game.", game=f"{_BODY}/game")},
    "getTexts": {"game": _to("describeGame", "The game.", game=f"{_BODY}/game")},
    "getToken": {
        "match": _to("getMatch", "A match token's match.", match_id=f"{_BODY}/match_id"),
        "keys": _to("listKeys", "An API key's tenant's keys.", tenant=f"{_BODY}/tenant"),
    },
    "createPlayerSession": {
        "revoke": _to("revokePlayerSessions", "End the player's sessions.", {"player": f"{_BODY}/player"}),
    },
    "createLoginCode": {
        "redeem": _to("redeemLoginCode", "Sign the player in with it, once.", {"code": f"{_BODY}/code"}),
        "revoke": _to("revokePlayerSessions", "Revoke it.", {"player": f"{_BODY}/player"}),
    },
    "redeemLoginCode": {
        "revoke": _to("revokePlayerSessions", "End the player's sessions.", {"player": f"{_BODY}/player"}),
    },
    "revokePlayer": {
        "more": _to(
            "revokePlayer",
            "Go on with the player's other seats.",
            {"player": f"{_BODY}/player", "page_token": f"{_BODY}/next_page_token"},
        ),
    },
    "erasePlayer": {
        "more": _to("erasePlayer", "Go on, until it is `done`.", {"player": f"{_BODY}/player"}),
        "left": _to("exportPlayer", "What is left of the player.", player=f"{_BODY}/player"),
    },
    "announceVacation": _of_vacation(f"{_BODY}/vacation_id"),
    "listVacations": {**_of_vacation(f"{_BODY}/vacations/0/vacation_id"), **_next_page("listVacations")},
    "createTenant": {
        "issue": _to("createKey", "Issue it a key.", tenant=f"{_BODY}/tenant"),
        "keys": _to("listKeys", "Its keys.", tenant=f"{_BODY}/tenant"),
    },
    "getTenant": {
        "update": _to("updateTenant", "Change its settings."),
        "keys": _to("listKeys", "Its keys.", tenant=f"{_BODY}/tenant"),
    },
    "updateTenant": {"tenant": _to("getTenant", "The tenant as it is now.")},
    "listTenants": {
        "keys": _to("listKeys", "The keys of the first of them.", tenant=f"{_BODY}/tenants/0/tenant"),
        **_next_page("listTenants"),
    },
    "createKey": _of_key(f"{_BODY}/key/key_id"),
    "rotateKey": _of_key(f"{_BODY}/key/key_id"),
    "listKeys": {
        **_of_key(f"{_BODY}/keys/0/key_id"),
        **_next_page("listKeys", tenant="$request.path.tenant"),
    },
    "getProblem": {
        "game": _to("describeGame", "The first game that has this rule.", game=f"{_BODY}/games/0/game"),
    },
    "listProblems": {
        "problem": _to("getProblem", "The first of them.", reason=f"{_BODY}/problems/0/reason"),
    },
}
_OF_WEBHOOKS: Final[Mapping[str, Links]] = {
    "createEndpoint": _of_endpoint(f"{_BODY}/endpoint/endpoint_id"),
    "rotateEndpointSecret": _of_endpoint(f"{_BODY}/endpoint/endpoint_id"),
    "getEndpoint": _of_endpoint(f"{_BODY}/endpoint_id"),
    "updateEndpoint": _of_endpoint(f"{_BODY}/endpoint_id"),
    "listEndpoints": _of_endpoint(f"{_BODY}/endpoints/0/endpoint_id"),
    "testEndpoint": {
        "resend": _to(
            "resendDelivery", "Send it again.", endpoint_id=_ENDPOINT, event_id=f"{_BODY}/event_id"
        ),
    },
    "listDeliveries": {
        "resend": _to(
            "resendDelivery",
            "Send the newest again.",
            endpoint_id=_ENDPOINT,
            event_id=f"{_BODY}/deliveries/0/event_id",
        ),
        **_next_page("listDeliveries", endpoint_id=_ENDPOINT),
    },
    "setEventRecording": {"events": _to("listEvents", "What is kept.")},
    "getEventRecording": {"events": _to("listEvents", "What is kept.")},
    "listEvents": {"next": _to("listEvents", "What comes after.", after=f"{_BODY}/cursor")},
}
LINKS: Final[Mapping[str, Links]] = {**_OF_MATCHES, **_OF_PLAY, **_OF_THE_HOUSE, **_OF_WEBHOOKS}
"""Links of every operation that answers with something to go on from."""


def add_links(document: JSONObject) -> None:
    """Add each operation's links to its successful answers with a body."""
    for operation in _operations(document):
        links = LINKS.get(operation["operationId"])
        for status, response in operation["responses"].items():
            if links and status.startswith("2") and "content" in response:
                response["links"] = {name: dict(link) for name, link in links.items()}


def _operations(document: JSONObject) -> Iterator[JSONObject]:
    for item in document["paths"].values():
        yield from item.values()
