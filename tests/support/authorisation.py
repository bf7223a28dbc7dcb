"""Who may call what: the one table that the authorisation matrix holds every route and every RPC to.

A row says under which rule an operation falls and how to ask for it so that the right credential succeeds. A rule
says how every credential is answered. A route or an RPC without a row fails the matrix, and so does a rule that
forgets a credential.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from grpc import StatusCode

from tests.support.scenes import (
    ABORT_PROPOSED,
    AWAY,
    BOT,
    ENDED,
    NO_RECEIVER,
    PAUSE_PROPOSED,
    PAUSED,
    PROPOSED,
    PUBLIC,
    REPLACEMENT_PROPOSED,
    RUNNING,
    UNDONE,
    WAITING,
    Scene,
    SceneKind,
)

# ── how callers are answered ───────────────────────────────────────────────────────────────────────

OK: Final = "OK"
OUTCOMES: Final[dict[str, tuple[int, StatusCode]]] = {
    "TOKEN_MISSING": (401, StatusCode.UNAUTHENTICATED),
    "TOKEN_INVALID": (401, StatusCode.UNAUTHENTICATED),
    "TOKEN_EXPIRED": (401, StatusCode.UNAUTHENTICATED),
    "SEAT_FORBIDDEN": (403, StatusCode.PERMISSION_DENIED),
    "INVITE_INVALID": (403, StatusCode.PERMISSION_DENIED),
    "TENANT_ONLY": (403, StatusCode.PERMISSION_DENIED),
    "SCOPE_MISSING": (403, StatusCode.PERMISSION_DENIED),
    "MATCH_NOT_FOUND": (404, StatusCode.NOT_FOUND),
    "TENANT_NOT_FOUND": (404, StatusCode.NOT_FOUND),
    "KEY_NOT_FOUND": (404, StatusCode.NOT_FOUND),
    "ENDPOINT_NOT_FOUND": (404, StatusCode.NOT_FOUND),
    "VACATION_NOT_FOUND": (404, StatusCode.NOT_FOUND),
    "VACATION_NOT_ALLOWED": (403, StatusCode.PERMISSION_DENIED),
    "MALFORMED_REQUEST": (400, StatusCode.INVALID_ARGUMENT),
    "NOT_JOINABLE": (409, StatusCode.FAILED_PRECONDITION),
}
"""Each reason over HTTP and over gRPC. Anything that is no refusal is OK."""

# ── who calls ──────────────────────────────────────────────────────────────────────────────────────

NOT_VALID: Final = {
    "nobody": "TOKEN_MISSING",
    "garbage": "TOKEN_INVALID",
    "forged_token": "TOKEN_INVALID",
    "revoked_key": "TOKEN_INVALID",
    "expired_key": "TOKEN_EXPIRED",
    "expired_token": "TOKEN_EXPIRED",
    "revoked_session": "TOKEN_INVALID",
    "expired_session": "TOKEN_EXPIRED",
}
"""Invalid credentials, and how they are refused wherever a credential is needed."""
TOKENS: Final = "seat other_seat other_match revoked_seat spectator referee invite"
"""Of the match that is asked for, but for `other_match`, which is a seat's token of another match of the tenant."""
SESSIONS: Final = "session read_session other_session foreign_session"
"""Of the player of seat 0, with every scope and with `read` only; of a player who has no seat; of another tenant's player."""
KEYS: Final = "tenant read_only manager bots foreign foreign_read foreign_manager operator"
"""See several_of_each.KEYS."""
VALID: Final = frozenset(f"{TOKENS} {SESSIONS} {KEYS}".split())
CREDENTIALS: Final = frozenset(NOT_VALID) | VALID
MAY_NOT_KNOW: Final = CREDENTIALS - frozenset(
    [
        "tenant",
        "read_only",
        "bots",
        "seat",
        "other_seat",
        "revoked_seat",
        "spectator",
        "referee",
        "invite",
        "session",
        "read_session",
    ]
)
"""Must not learn whether a match exists."""


def _rule(ok: str, **refused: str) -> dict[str, str]:
    """Return a rule: who has access, and how the others are refused; invalid credentials are refused as everywhere."""
    pairs = [(name, OK) for name in ok.split()]
    pairs += [(name, reason) for reason, names in refused.items() for name in names.split()]
    rule = dict(pairs)
    assert len(rule) == len(pairs), "a credential stands twice in a rule"
    assert rule.keys() == VALID, f"a rule says nothing of {VALID ^ rule.keys()}"
    return rule | NOT_VALID


_WATCHERS: Final = "spectator referee"
_NO_MATCH_SCOPE: Final = "manager bots foreign_manager operator"
_STRANGERS: Final = "foreign foreign_read other_session foreign_session"
_OF_SEAT_0: Final = "session read_session"


def _looking(invite: str) -> dict[str, dict[str, str]]:
    """Return the rules of looking at a match; `invite` is how an invite whose seat was taken is refused."""
    verb = "read" if invite == "INVITE_INVALID" else "look"
    refused: list[dict[str, str]] = [
        {"SEAT_FORBIDDEN": "other_match revoked_seat"},
        {"SEAT_FORBIDDEN": "other_seat other_match revoked_seat spectator"},
        {"SEAT_FORBIDDEN": f"seat other_seat other_match revoked_seat spectator {_OF_SEAT_0}"},
    ]
    for one in refused:
        one[invite] = f"{one.get(invite, '')} invite"
    everybody, seat_0, referee = refused
    others = {"SCOPE_MISSING": _NO_MATCH_SCOPE, "MATCH_NOT_FOUND": _STRANGERS}
    return {
        verb: _rule(f"seat other_seat {_WATCHERS} {_OF_SEAT_0} tenant read_only", **everybody, **others),
        f"{verb} as seat 0": _rule(f"seat referee {_OF_SEAT_0} tenant read_only", **seat_0, **others),
        f"{verb} as referee": _rule("referee tenant read_only", **referee, **others),
    }


RULES: Final[dict[str, dict[str, str]]] = {
    "public": dict.fromkeys(CREDENTIALS, OK),
    "any credential": _rule(
        f"seat other_seat other_match {_WATCHERS} invite {SESSIONS} {KEYS}",
        TOKEN_INVALID="revoked_seat",
    ),
    **_looking("SEAT_FORBIDDEN"),
    **_looking("INVITE_INVALID"),
    "read while invited": _rule(
        f"seat other_seat {_WATCHERS} invite {_OF_SEAT_0} tenant read_only",
        SEAT_FORBIDDEN="other_match revoked_seat",
        SCOPE_MISSING=_NO_MATCH_SCOPE,
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "read what is public": {
        **_rule(
            f"seat other_seat {_WATCHERS} {_OF_SEAT_0} other_session tenant read_only",
            SEAT_FORBIDDEN="other_match revoked_seat",
            INVITE_INVALID="invite",
            SCOPE_MISSING=_NO_MATCH_SCOPE,
            MATCH_NOT_FOUND="foreign foreign_read foreign_session",
        ),
        "nobody": OK,
    },
    "replay what is public": {
        **_rule(
            f"seat other_seat {_WATCHERS} {_OF_SEAT_0} other_session tenant read_only",
            SEAT_FORBIDDEN="other_match revoked_seat invite",
            SCOPE_MISSING=_NO_MATCH_SCOPE,
            MATCH_NOT_FOUND="foreign foreign_read foreign_session",
        ),
        "nobody": OK,
    },
    "fork": _rule(
        f"seat other_seat {_WATCHERS} session tenant",
        SEAT_FORBIDDEN="other_match revoked_seat invite",
        SCOPE_MISSING=f"read_only read_session {_NO_MATCH_SCOPE}",
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "fork as seat 0": _rule(
        "seat referee session tenant",
        SEAT_FORBIDDEN="other_seat other_match revoked_seat invite spectator",
        SCOPE_MISSING=f"read_only read_session {_NO_MATCH_SCOPE}",
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "fork as referee": _rule(
        "referee tenant",
        SEAT_FORBIDDEN="seat other_seat other_match revoked_seat invite spectator session",
        SCOPE_MISSING=f"read_only read_session {_NO_MATCH_SCOPE}",
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "act for seat 0": _rule(
        "seat session tenant",
        SEAT_FORBIDDEN=f"other_seat other_match revoked_seat invite {_WATCHERS}",
        SCOPE_MISSING=f"read_only read_session {_NO_MATCH_SCOPE}",
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "sit at the table": _rule(
        "seat other_seat session tenant",
        SEAT_FORBIDDEN=f"other_match revoked_seat invite {_WATCHERS}",
        SCOPE_MISSING=f"read_only read_session {_NO_MATCH_SCOPE}",
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "take a seat": _rule(
        "tenant invite",
        TENANT_ONLY=f"seat other_seat {_WATCHERS}",
        SEAT_FORBIDDEN="other_match revoked_seat",
        SCOPE_MISSING=f"read_only read_session {_NO_MATCH_SCOPE}",
        NOT_JOINABLE="session",
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "run the match": _rule(
        "tenant",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING=f"read_only {_NO_MATCH_SCOPE}",
        MATCH_NOT_FOUND="foreign foreign_read",
    ),
    "look where a bot sits": _rule(
        f"seat other_seat {_WATCHERS} {_OF_SEAT_0} tenant read_only bots",
        SEAT_FORBIDDEN="other_match revoked_seat",
        INVITE_INVALID="invite",
        SCOPE_MISSING="manager foreign_manager operator",
        MATCH_NOT_FOUND=_STRANGERS,
    ),
    "play for a bot": _rule(
        "tenant bots",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING="read_only manager foreign_manager operator",
        MATCH_NOT_FOUND="foreign foreign_read",
    ),
    "follow own bots": _rule(
        "tenant read_only bots foreign foreign_read",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING="manager foreign_manager operator",
    ),
    "change own matches": _rule(
        "tenant foreign",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING=f"read_only foreign_read {_NO_MATCH_SCOPE}",
    ),
    "make a match for oneself": _rule(
        "tenant foreign session other_session foreign_session",
        TENANT_ONLY=TOKENS,
        SCOPE_MISSING=f"read_only foreign_read read_session {_NO_MATCH_SCOPE}",
    ),
    "look at all matches": _rule(
        "tenant read_only foreign foreign_read",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING=_NO_MATCH_SCOPE,
    ),
    "look at own matches": _rule(
        f"{SESSIONS} tenant read_only foreign foreign_read",
        TENANT_ONLY=TOKENS,
        SCOPE_MISSING=_NO_MATCH_SCOPE,
    ),
    "be away as ada": _rule(
        "tenant foreign session",
        TENANT_ONLY=TOKENS,
        SCOPE_MISSING=f"read_only foreign_read read_session {_NO_MATCH_SCOPE}",
        MALFORMED_REQUEST="other_session",
        VACATION_NOT_ALLOWED="foreign_session",
    ),
    "come back as ada": _rule(
        "tenant session",
        TENANT_ONLY=TOKENS,
        SCOPE_MISSING=f"read_only foreign_read read_session {_NO_MATCH_SCOPE}",
        VACATION_NOT_FOUND="foreign other_session foreign_session",
    ),
    "seal a ticket": _rule(
        f"seat other_seat other_match {_WATCHERS} {SESSIONS} tenant read_only foreign foreign_read",
        SEAT_FORBIDDEN="revoked_seat invite",
        SCOPE_MISSING=_NO_MATCH_SCOPE,
    ),
    "run the system": _rule(
        "operator",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING="tenant read_only manager bots foreign foreign_read foreign_manager",
    ),
    "administer keys": _rule(
        "manager operator",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING="tenant read_only bots foreign foreign_read",
        TENANT_NOT_FOUND="foreign_manager",
    ),
    "administer a key": _rule(
        "manager operator",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING="tenant read_only bots foreign foreign_read",
        KEY_NOT_FOUND="foreign_manager",
    ),
    "administer webhooks": _rule(
        "manager foreign_manager",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING="tenant read_only bots foreign foreign_read operator",
    ),
    "administer an endpoint": _rule(
        "manager",
        TENANT_ONLY=f"{TOKENS} {SESSIONS}",
        SCOPE_MISSING="tenant read_only bots foreign foreign_read operator",
        ENDPOINT_NOT_FOUND="foreign_manager",
    ),
}
"""`read`: what an invite may do until its seat is taken, unlike `look`. `seal a ticket`: the platform service keeps what a gateway has sealed for anybody who may look at something.
`be away as ada`: announce a vacation of the player of seat 0; players of the other tenant may not announce any themselves."""

# ── what is called ─────────────────────────────────────────────────────────────────────────────────

Asked = Callable[[Scene], dict[str, Any]]


@dataclass(frozen=True)
class Row:
    """One way to call one operation."""

    operation: str
    """The `operationId` of a route, or `Service/Method`."""
    rule: str
    asked: Asked
    """Of a route `query` and `json`, of an RPC the request's fields; path parameters are filled in by name."""
    scene: SceneKind = RUNNING
    note: str = ""
    """What is particular, where an operation has several rows."""
    changes: bool = False
    """Whether the scene is another one after a success."""

    @property
    def id(self) -> str:
        return f"{self.operation} {self.note}".strip()


def _nothing(scene: Scene) -> dict[str, Any]:
    del scene
    return {}


def _fixed(**asked: Any) -> Asked:
    return lambda _: asked


def _looks(operation: str, verb: str = "look", **more: Any) -> list[Row]:
    """An operation that looks for somebody's eyes: everybody's, a seat's, the referee's."""
    seat_0, referee = {"audience": "seat", "seat": 0}, {"audience": "referee"}
    return [
        Row(operation, verb, _fixed(**more)),
        Row(operation, f"{verb} as seat 0", _fixed(query=seat_0, **more), note="seat 0"),
        Row(operation, f"{verb} as referee", _fixed(query=referee, **more), note="referee"),
    ]


def _json(**body: Any) -> Asked:
    return _fixed(json=body)


_MATCH: Final = {"game": "river_dragons", "seats": 2}


def _says_at_seat_0(scene: Scene) -> dict[str, Any]:
    body = _of_seat_0(scene)["json"]
    return {"json": {**body, "newName": "Ada"}}


def _of_seat_0(scene: Scene) -> dict[str, Any]:
    """Say in the body who acts; the caller only has to be one who may look."""
    return {"json": {"playerID": "0", "credentials": scene.credentials["seat"]}}


ROUTES: Final = (
    *(
        Row(operation, "public", _nothing)
        for operation in (
            *(
                "getIndex",
                "listGames",
                "describeGame",
                "getTexts",
                "getLayout",
                "listParagraphs",
                "listProblems",
                "getProblem",
                "getOpenapi",
                "getDescriptors",
                "getExportSchema",
                "getSigningKeys",
            ),
            *("getLiveness", "getReadiness", "getStartup"),
            *("getReference", "getReferenceAsset", "getFrontEndFile"),
        )
    ),
    Row("getToken", "any credential", _nothing, scene=WAITING),
    Row("createMatch", "make a match for oneself", _json(game="river_dragons", seats=2)),
    Row("createMatches", "change own matches", _json(mode="all", matches=[_MATCH])),
    Row("listMatches", "look at own matches", _nothing),
    Row("exportMatches", "look at own matches", _nothing),
    Row("quickJoin", "make a match for oneself", _json(game="river_dragons", create_if_none=True)),
    Row("getMatch", "read", _nothing),
    *(
        Row(operation, "read while invited", _nothing, scene=WAITING, note="before")
        for operation in (
            "getMatch",
            "getTable",
            "listMoves",
            "streamMatch",
            "createStreamTicket",
        )
    ),
    *(
        Row(operation, "read what is public", _nothing, scene=PUBLIC, note="public")
        for operation in ("getMatch", "getView", "listMoves", "streamMatch")
    ),
    Row("replayMatch", "replay what is public", _nothing, scene=PUBLIC, note="public"),
    *_looks("getView", "read"),
    Row("getLegalActions", "look as seat 0", _fixed(query={"seat": 0})),
    *_looks("listMoves", "read"),
    *_looks("streamMatch", "read"),
    *_looks("getTable", "read"),
    Row("getTable", "read what is public", _nothing, scene=PUBLIC, note="public"),
    Row("streamMatches", "read", lambda scene: {"query": {"matches": scene.match_id}}),
    Row("createMatchesTicket", "read", lambda scene: {"json": {"matches": [scene.match_id]}}),
    *_looks("replayMatch"),
    *_looks("exportMatch"),
    Row("importMatch", "change own matches", lambda scene: {"json": scene.export()}),
    Row("verifyMatch", "look", _nothing),
    Row("createStreamTicket", "read", _nothing),
    Row("createStreamTicket", "read as seat 0", _json(audience="seat", seat=0), note="seat 0"),
    Row("createStreamTicket", "read as referee", _json(audience="referee"), note="referee"),
    Row("makeMove", "act for seat 0", lambda scene: {"json": scene.move()}, changes=True),
    Row(
        "makeMove",
        "act for seat 0",
        lambda scene: {"json": scene.move(), "query": {"dry_run": "true"}},
        note="dry run",
    ),
    Row("resignSeat", "act for seat 0", _json(seat=0), changes=True),
    Row("getUndo", "look as seat 0", _fixed(query={"seat": 0})),
    Row("returnToSeat", "act for seat 0", _json(seat=0), scene=AWAY, changes=True),
    Row("undoMoves", "act for seat 0", lambda scene: {"json": scene.decided(to=1)}, changes=True),
    Row("redoMoves", "act for seat 0", lambda scene: {"json": scene.decided()}, scene=UNDONE, changes=True),
    Row(
        "answerUndo",
        "act for seat 0",
        lambda scene: {"json": scene.decided(accept=False)},
        scene=PROPOSED,
        changes=True,
    ),
    Row("abortMatch", "sit at the table", _nothing, changes=True),
    Row("abortMatch", "act for seat 0", _json(seat=0), note="seat 0", changes=True),
    Row(
        "answerAbort",
        "act for seat 0",
        lambda scene: {"json": scene.decided(accept=False)},
        scene=ABORT_PROPOSED,
        changes=True,
    ),
    Row("pauseMatch", "sit at the table", _nothing, changes=True),
    Row("pauseMatch", "act for seat 0", _json(seat=0), note="seat 0", changes=True),
    Row(
        "answerPause",
        "act for seat 0",
        lambda scene: {"json": scene.decided(accept=False)},
        scene=PAUSE_PROPOSED,
        changes=True,
    ),
    Row("askToReplace", "act for seat 0", _nothing, changes=True),
    Row(
        "answerReplacement",
        "act for seat 0",
        lambda scene: {"json": scene.decided(accept=False)},
        scene=REPLACEMENT_PROPOSED,
        changes=True,
    ),
    Row("resumeMatch", "sit at the table", _nothing, scene=PAUSED, changes=True),
    Row("resumeMatch", "act for seat 0", _json(seat=0), scene=PAUSED, note="seat 0", changes=True),
    Row("addTime", "act for seat 0", _json(seat=0, seats=[1], seconds=60), scene=AWAY, changes=True),
    Row("forkMatch", "fork", _nothing),
    Row("forkMatch", "fork as seat 0", _json(audience="seat", seat=0), note="seat 0"),
    Row("forkMatch", "fork as referee", _json(audience="referee"), note="referee"),
    Row("joinMatch", "take a seat", _nothing, scene=WAITING, changes=True),
    Row("leaveMatch", "act for seat 0", _json(seat=0), scene=WAITING, changes=True),
    Row("updateMatch", "run the match", _json(title="Friday"), changes=True),
    Row("updateSeat", "act for seat 0", _json(name="Ada"), changes=True),
    Row("startMatch", "sit at the table", _nothing, scene=WAITING, changes=True),
    Row("rematch", "sit at the table", _nothing, scene=ENDED),
    Row("inviteToSeat", "run the match", _nothing, scene=WAITING, changes=True),
    Row("issueSeatToken", "run the match", _nothing),
    Row("issueSeatToken", "play for a bot", _nothing, scene=BOT, note="of a bot"),
    Row("getMatch", "look where a bot sits", _nothing, scene=BOT, note="with a bot"),
    Row("seatBot", "run the match", _json(level="random"), changes=True),
    Row("unseatBot", "act for seat 0", _nothing, scene=BOT, changes=True),
    *_looks("getDeterminizations"),
    Row("listBotTurns", "follow own bots", _nothing),
    Row("revokeSeatTokens", "run the match", _nothing, changes=True),
    Row("replacePlayer", "run the match", _json(player="zoe"), changes=True),
    Row("issueWatchToken", "run the match", _json(role="referee")),
    Row("revokeWatchTokens", "run the match", _nothing, changes=True),
    Row("streamFeed", "look at own matches", _nothing),
    Row("streamFeed", "follow own bots", _fixed(query={"bots": "true"}), note="of bots"),
    Row("createFeedTicket", "look at own matches", _nothing),
    Row("createPlayerSession", "change own matches", _json(player="zoe")),
    Row("revokePlayerSessions", "change own matches", _json(player="zoe")),
    Row("revokePlayer", "change own matches", _json(player="zoe")),
    Row("erasePlayer", "change own matches", _json(player="zoe")),
    Row("exportPlayer", "look at all matches", _fixed(query={"player": "zoe"})),
    Row("deleteMatch", "run the match", _nothing, changes=True),
    Row("createLoginCode", "change own matches", _json(player="zoe")),
    Row("redeemLoginCode", "public", lambda scene: {"json": {"code": scene.login_code()}}),
    Row("announceVacation", "be away as ada", lambda scene: {"json": scene.absence()}),
    Row("listVacations", "look at own matches", _nothing),
    Row("cancelVacation", "come back as ada", _nothing, changes=True),
    Row("getTenant", "change own matches", _nothing),
    Row("updateTenant", "change own matches", _json()),
    Row("createTenant", "run the system", lambda scene: {"json": {"tenant": scene.new_name()}}),
    Row("listTenants", "run the system", _nothing),
    Row("createKey", "administer keys", _json(scopes=["keys:write"])),
    Row("listKeys", "administer keys", _nothing),
    Row("rotateKey", "administer a key", _nothing, changes=True),
    Row("revokeKey", "administer a key", _nothing),
    Row("createEndpoint", "administer webhooks", _json(url=NO_RECEIVER, event_types=["match.ended"])),
    Row("listEndpoints", "administer webhooks", _nothing),
    Row("getEndpoint", "administer an endpoint", _nothing),
    Row("updateEndpoint", "administer an endpoint", _json(description="lobby")),
    Row("deleteEndpoint", "administer an endpoint", _nothing, changes=True),
    Row("rotateEndpointSecret", "administer an endpoint", _nothing),
    Row("testEndpoint", "administer an endpoint", _nothing),
    Row("listDeliveries", "administer an endpoint", _nothing),
    Row("resendDelivery", "administer an endpoint", _nothing),
    Row("resendDeliveries", "administer an endpoint", _json(since="2026-01-31T12:00:00Z")),
    Row("getEventRecording", "administer webhooks", _nothing),
    Row("setEventRecording", "administer webhooks", _json(event_types=["match.ended"])),
    Row("listEvents", "look at all matches", _nothing),
)
"""Every route of the OpenAPI document."""


def _audience(kind: str, seat: int | None = None) -> dict[str, Any]:
    return {"audience": {"kind": f"KIND_{kind}"} | ({} if seat is None else {"seat": seat})}


def _watches(method: str, verb: str = "look", **more: Any) -> list[Row]:
    operation = f"MatchService/{method}"
    return [
        Row(operation, verb, _fixed(**more)),
        Row(operation, f"{verb} as seat 0", _fixed(**_audience("SEAT", 0), **more), note="seat 0"),
        Row(operation, f"{verb} as referee", _fixed(**_audience("REFEREE"), **more), note="referee"),
    ]


def _of_match(method: str, rule: str, asked: Asked = _nothing, **more: Any) -> Row:
    return Row(f"MatchService/{method}", rule, asked, **more)


def _of_platform(method: str, rule: str, asked: Asked = _nothing, **more: Any) -> Row:
    return Row(f"PlatformService/{method}", rule, asked, **more)


def _of_webhooks(method: str, rule: str, asked: Asked = _nothing, **more: Any) -> Row:
    return Row(f"WebhookService/{method}", rule, asked, **more)


RPCS: Final = (
    *(
        Row(f"RulesService/{method}", "public", lambda scene, method=method: scene.pure(method))
        for method in (
            *("ListGames", "DescribeGame", "StartGame", "DecideAction", "FoldEvents"),
            *("GetLegalActions", "GetView", "GetTexts", "ListParagraphs", "GetLayout"),
        )
    ),
    _of_match("CreateMatch", "make a match for oneself", _fixed(game="river_dragons", seats=2)),
    _of_match("CreateMatches", "change own matches", _fixed(matches=[_MATCH])),
    _of_match("QuickJoin", "make a match for oneself", _fixed(game="river_dragons", create_if_none=True)),
    _of_match("GetMatch", "read"),
    *(
        _of_match(method, "read while invited", scene=WAITING, note="before")
        for method in ("GetMatch", "ListMoves", "Follow")
    ),
    *(
        _of_match(method, "read what is public", scene=PUBLIC, note="public")
        for method in ("GetMatch", "GetView", "GetTable", "ListMoves", "WatchMatch", "Follow")
    ),
    _of_match("ReplayMatch", "replay what is public", scene=PUBLIC, note="public"),
    *_watches("GetView", "read"),
    *_watches("GetTable", "read"),
    *_watches("ListMoves", "read"),
    *_watches("WatchMatch", "read"),
    *_watches("Follow", "read"),
    *_watches("ReplayMatch"),
    *_watches("ExportMatch"),
    _of_match(
        "ImportMatch",
        "change own matches",
        lambda scene: {"chunk": base64.b64encode(json.dumps(scene.export()).encode())},
    ),
    _of_match("VerifyMatch", "look"),
    _of_match("GetLegalActions", "look as seat 0", _fixed(seat=0)),
    _of_match("Act", "act for seat 0", lambda scene: scene.act(), changes=True),
    _of_match("Act", "act for seat 0", lambda scene: scene.act(dry_run=True), note="dry run"),
    _of_match("Play", "act for seat 0", lambda scene: scene.act(), changes=True),
    _of_match("ResignSeat", "act for seat 0", _fixed(seat=0), changes=True),
    _of_match("ReturnToSeat", "act for seat 0", _fixed(seat=0), scene=AWAY, changes=True),
    _of_match("GetUndo", "look as seat 0", _fixed(seat=0)),
    _of_match("Undo", "act for seat 0", lambda scene: scene.decided(to=1), changes=True),
    _of_match("Redo", "act for seat 0", lambda scene: scene.decided(), scene=UNDONE, changes=True),
    _of_match(
        "AnswerUndo",
        "act for seat 0",
        lambda scene: scene.decided(accept=False),
        scene=PROPOSED,
        changes=True,
    ),
    _of_match("AbortMatch", "sit at the table", changes=True),
    _of_match("AbortMatch", "act for seat 0", _fixed(seat=0), note="seat 0", changes=True),
    _of_match(
        "AnswerAbort",
        "act for seat 0",
        lambda scene: scene.decided(accept=False),
        scene=ABORT_PROPOSED,
        changes=True,
    ),
    _of_match("PauseMatch", "sit at the table", changes=True),
    _of_match("PauseMatch", "act for seat 0", _fixed(seat=0), note="seat 0", changes=True),
    _of_match(
        "AnswerPause",
        "act for seat 0",
        lambda scene: scene.decided(accept=False),
        scene=PAUSE_PROPOSED,
        changes=True,
    ),
    _of_match("AskToReplace", "act for seat 0", _fixed(seat=0), changes=True),
    _of_match(
        "AnswerReplacement",
        "act for seat 0",
        lambda scene: scene.decided(accept=False),
        scene=REPLACEMENT_PROPOSED,
        changes=True,
    ),
    _of_match("ResumeMatch", "sit at the table", scene=PAUSED, changes=True),
    _of_match("ResumeMatch", "act for seat 0", _fixed(seat=0), scene=PAUSED, note="seat 0", changes=True),
    _of_match("AddTime", "act for seat 0", _fixed(seat=0, seats=[1], seconds=60), scene=AWAY, changes=True),
    _of_match("ForkMatch", "fork"),
    _of_match("ForkMatch", "fork as seat 0", _fixed(**_audience("SEAT", 0)), note="seat 0"),
    _of_match("ForkMatch", "fork as referee", _fixed(**_audience("REFEREE")), note="referee"),
    _of_match("JoinMatch", "take a seat", scene=WAITING, changes=True),
    _of_match("LeaveMatch", "act for seat 0", _fixed(seat=0), scene=WAITING, changes=True),
    _of_match("UpdateMatch", "run the match", _fixed(title="Friday"), changes=True),
    _of_match("UpdateSeat", "act for seat 0", _fixed(seat=0, name="Ada"), changes=True),
    _of_match("StartMatch", "sit at the table", scene=WAITING, changes=True),
    _of_match("Rematch", "sit at the table", scene=ENDED),
    _of_match("InviteToSeat", "run the match", _fixed(seat=2), scene=WAITING, changes=True),
    _of_match("IssueSeatToken", "run the match", _fixed(seat=0)),
    _of_match("IssueSeatToken", "play for a bot", _fixed(seat=0), scene=BOT, note="of a bot"),
    _of_match("GetMatch", "look where a bot sits", scene=BOT, note="with a bot"),
    _of_match("SeatBot", "run the match", _fixed(seat=0, level="random"), changes=True),
    _of_match("UnseatBot", "act for seat 0", _fixed(seat=0), scene=BOT, changes=True),
    *_watches("Determinize", count=1),
    _of_match("RevokeSeatTokens", "run the match", _fixed(seat=0), changes=True),
    _of_match("ReplacePlayer", "run the match", _fixed(seat=0, player="zoe"), changes=True),
    _of_match("IssueWatchToken", "run the match", _fixed(role="WATCH_ROLE_REFEREE")),
    _of_match("RevokeWatchTokens", "run the match", changes=True),
    _of_match("CreatePlayerSession", "change own matches", _fixed(player="zoe")),
    _of_match("RevokePlayerSessions", "change own matches", _fixed(player="zoe")),
    _of_match("RevokePlayer", "change own matches", _fixed(player="zoe")),
    _of_match("ErasePlayer", "change own matches", _fixed(player="zoe")),
    _of_match("ExportPlayer", "look at all matches", _fixed(player="zoe")),
    _of_match("DeleteMatch", "run the match", changes=True),
    _of_match("CreateLoginCode", "change own matches", _fixed(player="zoe")),
    _of_match("RedeemLoginCode", "public", lambda scene: {"code": scene.login_code()}),
    _of_platform("AnnounceVacation", "be away as ada", lambda scene: scene.absence()),
    _of_platform("ListVacations", "look at own matches"),
    _of_platform("CancelVacation", "come back as ada", changes=True),
    _of_platform("GetTenant", "change own matches"),
    _of_platform("UpdateTenant", "change own matches"),
    _of_platform("DescribeCredential", "any credential", scene=WAITING),
    _of_platform("CreateTenant", "run the system", lambda scene: {"tenant": scene.new_name()}),
    _of_platform("ListTenants", "run the system"),
    _of_platform("CreateKey", "administer keys", _fixed(scopes=["keys:write"])),
    _of_platform("ListKeys", "administer keys"),
    _of_platform("RotateKey", "administer a key", changes=True),
    _of_platform("RevokeKey", "administer a key"),
    _of_platform("ListMatches", "look at own matches"),
    _of_platform("CreateStreamTicket", "seal a ticket", lambda scene: scene.sealed()),
    _of_platform("RedeemStreamTicket", "public", lambda scene: scene.kept_ticket()),
    _of_platform("ReadFeed", "look at own matches"),
    _of_platform("ReadFeed", "follow own bots", _fixed(bots=True), note="of bots"),
    _of_platform("WatchFeed", "look at own matches"),
    _of_platform("WatchFeed", "follow own bots", _fixed(bots=True), note="of bots"),
    _of_webhooks(
        "CreateEndpoint", "administer webhooks", _fixed(url=NO_RECEIVER, event_types=["match.ended"])
    ),
    _of_webhooks("ListEndpoints", "administer webhooks"),
    _of_webhooks("GetEndpoint", "administer an endpoint"),
    _of_webhooks("UpdateEndpoint", "administer an endpoint", _fixed(description="lobby")),
    _of_webhooks("DeleteEndpoint", "administer an endpoint", changes=True),
    _of_webhooks("RotateEndpointSecret", "administer an endpoint"),
    _of_webhooks("TestEndpoint", "administer an endpoint"),
    _of_webhooks("ListDeliveries", "administer an endpoint"),
    _of_webhooks("ResendDeliveries", "administer an endpoint", lambda scene: {"event_id": scene.event_id}),
    _of_webhooks("GetEventRecording", "administer webhooks"),
    _of_webhooks("SetEventRecording", "administer webhooks", _fixed(event_types=["match.ended"])),
    _of_webhooks("ReadEvents", "look at all matches"),
)
"""Every RPC of the four services. What a scene is about is filled in where a request has it."""
