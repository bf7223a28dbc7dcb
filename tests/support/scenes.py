"""Matches as the authorisation matrix needs them, with somebody of every kind at them. For tests; used by name."""

from __future__ import annotations

import base64
import json
import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, Final
from uuid import UUID, uuid4

import grpc
import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from foldtable.matches.v1 import match_service_pb2_grpc
from foldtable.matches.v1.login_code_pb2 import CreateLoginCodeRequest
from foldtable.matches.v1.match_service_pb2 import GetViewRequest
from foldtable.platform.v1 import platform_service_pb2_grpc
from foldtable.platform.v1.ticket_pb2 import CreateStreamTicketRequest
from foldtable.rules.v1 import rules_service_pb2_grpc
from foldtable.rules.v1.payload_pb2 import Payload
from foldtable.rules.v1.rules_service_pb2 import Luck, StartGameRequest
from services.identity.match_tokens import MatchTokens, Role
from services.identity.player_sessions import EVERY_SCOPE, PlayerSession, SessionScope
from tests.support.match_documents import a_match, document_of
from tests.support.passing_time import run_out
from tests.support.several_of_each import OURS, THEIRS, Several

GAME: Final = "river_dragons"
HIDDEN: Final = ["plank2", "stone2", "move2", "remove", "jump"]
"""The program that seat 1 has submitted, face down."""
PROGRAM: Final = {"type": "submit_program", "cards": ["stone1", "stone2", "plank1", "move1", "jump"]}
NOTE: Final = "for-the-platform-alone"
"""Stands in the reference and the metadata of every scene's match."""
OPEN_SEAT: Final = 2
NO_RECEIVER: Final = "http://127.0.0.1:9/hooks"
"""Where nobody listens."""


class SceneKind(Enum):
    """How far a match has come."""

    WAITING = "waiting"
    """Four seats: two taken, one open, one kept for an invite; it starts on demand."""
    RUNNING = "running"
    """Two seats; one has submitted a program, face down, the other has not."""
    ENDED = "ended"
    """The same, and seat 1 has resigned."""
    PROPOSED = "proposed"
    """Both have submitted, and seat 1 asks to take its program back."""
    ABORT_PROPOSED = "abort_proposed"
    """Seat 1 has submitted, and asks to call the match off."""
    PAUSE_PROPOSED = "pause_proposed"
    """Seat 1 has submitted, and asks to pause the match."""
    PAUSED = "paused"
    """The same, and seat 0 has agreed."""
    REPLACEMENT_PROPOSED = "replacement_proposed"
    """Seat 1 has submitted, and the table is asked for another player for it."""
    UNDONE = "undone"
    """Both have submitted, and seat 0 has taken its program back by consent."""
    BOT = "bot"
    """As RUNNING; a bot stands in at seat 0."""
    AWAY = "away"
    """It has a clock. Seat 0 has let its time run out, so the system decides for it; seat 1 is waited for."""
    PUBLIC = "public"
    """As RUNNING; it is public, and its tenant lets anybody read such matches."""


WAITING, RUNNING, ENDED, PROPOSED, ABORT_PROPOSED, *_MORE = SceneKind
PAUSE_PROPOSED, PAUSED, REPLACEMENT_PROPOSED, UNDONE, BOT, AWAY, PUBLIC = _MORE
PLAYERS: Final = ["ada", "bob"]
"""Who sits at seats 0 and 1."""
GONE: Final = "gone"
"""A player whose sessions were revoked."""


@dataclass
class Scene:
    """A match, and a credential of everybody who may ask for it."""

    credentials: dict[str, str | None]
    match_id: str
    stage: Stage
    version: int
    tenant: str = OURS
    key_id: str = ""
    endpoint_id: str = ""
    event_id: str = ""
    """Of a delivery to that endpoint."""
    vacation_id: str = ""
    """Of a vacation that the player of seat 0 has announced."""

    @property
    def subject(self) -> dict[str, str]:
        """What stands for the fields of an RPC that name what it is about."""
        return {
            "match_id": self.match_id,
            "tenant": self.tenant,
            "key_id": self.key_id,
            "endpoint_id": self.endpoint_id,
            "vacation_id": self.vacation_id,
        }

    @property
    def path(self) -> dict[str, object]:
        """What stands for the parameters of a path."""
        return {
            "match_id": self.match_id,
            "seat": OPEN_SEAT if self.version == 0 else 0,
            "game": GAME,
            "reason": "SEAT_TAKEN",
            "asset": "swagger-ui.css",
            "file": "icon.svg",
            "lang": "it",
            "tenant": self.tenant,
            "key_id": self.key_id,
            "endpoint_id": self.endpoint_id,
            "event_id": self.event_id,
            "vacation_id": self.vacation_id,
        }

    def move(self) -> dict[str, Any]:
        """Return the body of seat 0's move."""
        return {"action": PROGRAM, "expected_version": self.version, "seat": 0}

    def act(self, *, dry_run: bool = False) -> dict[str, Any]:
        """Return the same as an RPC's fields."""
        action = {"json": base64.b64encode(json.dumps(PROGRAM).encode()).decode()}
        return {"action": action, "expected_version": self.version, "seat": 0, "dry_run": dry_run}

    def decided(self, **body: Any) -> dict[str, Any]:
        """Return what seat 0 decides on this version."""
        return {**body, "expected_version": self.version, "seat": 0}

    def export(self) -> dict[str, Any]:
        """Return the export of a match that is nowhere yet."""
        document: dict[str, Any] = json.loads(document_of(*a_match(moves=3, match_id=uuid4())))
        return document

    def new_name(self) -> str:
        """Return the name of a tenant there is not."""
        return f"t{secrets.token_hex(8)}"

    def sealed(self) -> dict[str, Any]:
        """Return a ticket to keep."""
        return {"hash": base64.b64encode(secrets.token_bytes(32)).decode(), "sealed": "eA=="}

    def kept_ticket(self) -> dict[str, Any]:
        """Return the hash of a ticket that is kept."""
        digest = secrets.token_bytes(32)
        self.stage.platform.CreateStreamTicket(
            CreateStreamTicketRequest(hash=digest, sealed=b"x"),
            metadata=[("authorization", f"Bearer {self.credentials['tenant']}")],
        )
        return {"hash": base64.b64encode(digest).decode()}

    def absence(self) -> dict[str, Any]:
        """Return a vacation of the player of seat 0, a minute of a time that nobody has announced yet."""
        return self.stage.absence()

    def login_code(self) -> str:
        """Return a login code that nobody has redeemed."""
        made = self.stage.matches[0].CreateLoginCode(
            CreateLoginCodeRequest(player=PLAYERS[0]),
            metadata=[("authorization", f"Bearer {self.credentials['tenant']}")],
        )
        self.stage.secrets.add(made.code)
        return made.code

    def pure(self, method: str) -> dict[str, Any]:
        """Return a request of the pure rules service."""
        return self.stage.pure_requests()[method]


@dataclass
class Stage:
    """Sets scenes up, and keeps one of each kind until somebody has changed it."""

    several: Several
    secrets: set[str] = field(default_factory=set)
    """Every credential that was ever handed out here."""
    _scenes: dict[SceneKind, Scene] = field(default_factory=dict)
    _shared: dict[str, str | None] = field(default_factory=dict)
    _pure: dict[str, dict[str, Any]] = field(default_factory=dict)
    _endpoint: str = ""
    _minutes: int = 0

    def __post_init__(self) -> None:
        self._client = self.several.client(self.several.key)
        self._channels = [
            grpc.insecure_channel(address)
            for address in (*self.several.rules_addresses, self.several.platform_address)
        ]
        self.matches = [match_service_pb2_grpc.MatchServiceStub(channel) for channel in self._channels[:-1]]
        self.platform = platform_service_pb2_grpc.PlatformServiceStub(self._channels[-1])
        self._shared = {**self.several.keys, "nobody": None, "garbage": "ft_test_guess"}
        self._keep_events()
        allowed = self._client.patch("/v1/tenant", json={"anonymous_read": True, "vacation_days": 31})
        assert allowed.status_code == 200, allowed.text
        self._post("/v1/player-sessions/revoke", player=GONE)
        self._shared |= {
            "session": self._session(PLAYERS[0]),
            "read_session": self._session(PLAYERS[0], scopes=[SessionScope.READ]),
            "other_session": self._session("eve"),
            "foreign_session": self._session(PLAYERS[0], tenant=THEIRS),
            "revoked_session": self._session(GONE),
            "expired_session": self._session(PLAYERS[0], hours=-1),
        }
        other = self._post("/v1/matches", game=GAME, seats=2)
        self._shared["other_match"] = other["seat_tokens"][0]["token"]

    def close(self) -> None:
        self._client.close()
        for channel in self._channels:
            channel.close()

    def scene(self, kind: SceneKind) -> Scene:
        """Return a scene nobody has changed."""
        if kind not in self._scenes:
            self._scenes[kind] = self._build(kind)
        return self._scenes[kind]

    def strike(self, kind: SceneKind) -> None:
        """A scene has been changed: the next who asks gets a fresh one."""
        self._scenes.pop(kind, None)

    def channel_of(self, service: str) -> grpc.Channel:
        """Return the channel to a service."""
        return self._channels[-1] if service in {"PlatformService", "WebhookService"} else self._channels[0]

    # ── scenes ─────────────────────────────────────────────────────────────────────────────────────

    def _build(self, kind: SceneKind) -> Scene:
        created = self._create(kind)
        match_id = created["match"]["match_id"]
        path = f"/v1/matches/{match_id}"
        revoked, other = (given["token"] for given in created["seat_tokens"][:2])
        self._post(f"{path}/seats/0/revoke")
        seat = self._post(f"{path}/seats/0/token")["seat_token"]["token"]
        if kind is not WAITING:
            hidden = {"action": {"type": "submit_program", "cards": HIDDEN}, "expected_version": 1, "seat": 1}
            self._post(f"{path}/moves", **hidden)
        if kind is ENDED:
            self._post(f"{path}/resign", seat=1)
        if kind is BOT:
            self._post(f"{path}/seats/0/bot", bot="of-nobody")
        if kind is AWAY:
            run_out(self.several.database_url, match_id, 0)
            self._wait_until_away(path)
        if kind in {PROPOSED, UNDONE}:
            self._post(f"{path}/moves", action=PROGRAM, expected_version=2, seat=0)
        if kind is PROPOSED:
            self._post(f"{path}/undo", seat=1, to=1, expected_version=3)
        self._propose(kind, path)
        if kind is UNDONE:
            self._post(f"{path}/undo", seat=0, to=2, expected_version=3)
            self._post(f"{path}/undo/answer", seat=1, accept=True, expected_version=4)
        invite = self._minted(match_id, Role.INVITE, seat=0)
        if kind is WAITING:
            invite = created["invites"][0]["token"]
        endpoint_id, event_id = self._endpoint_of_ours()
        scene = Scene(
            credentials={
                **self._shared,
                "seat": seat,
                "other_seat": other,
                "revoked_seat": revoked,
                "invite": invite,
                "spectator": self._minted(match_id, Role.SPECTATOR),
                "referee": self._minted(match_id, Role.REFEREE),
                "expired_token": self._minted(match_id, Role.SEAT, seat=0, lifetime=timedelta(hours=-1)),
                "forged_token": self._forged(match_id),
            },
            match_id=match_id,
            stage=self,
            version=self._client.get(path).json()["version"],
            key_id=self._key_of_ours(),
            endpoint_id=endpoint_id,
            event_id=event_id,
            vacation_id=self._vacation_of_ada(),
        )
        self.secrets |= {value for value in scene.credentials.values() if value}
        self._wait_until_revoked(match_id, revoked)
        return scene

    def _propose(self, kind: SceneKind, path: str) -> None:
        """Let seat 1 propose what needs no version, if anything."""
        if kind is ABORT_PROPOSED:
            self._post(f"{path}/abort", seat=1)
        if kind in {PAUSE_PROPOSED, PAUSED}:
            self._post(f"{path}/pause", seat=1)
        if kind is REPLACEMENT_PROPOSED:
            self._post(f"{path}/seats/1/replace/ask")
        if kind is PAUSED:
            self._post(f"{path}/pause/answer", seat=0, accept=True, expected_version=3)

    def _create(self, kind: SceneKind) -> dict[str, Any]:
        match = {
            "game": GAME,
            "seats": 2,
            "reference": f"{NOTE} {secrets.token_hex(8)}",
            "metadata": {"about": NOTE},
        }
        if kind is AWAY:
            clock = {"kind": "per_move", "seconds": 3600, "away_after": 1}
            return self._post("/v1/matches", **match, players=PLAYERS, clock=clock)
        if kind is not WAITING:
            visibility = "public" if kind is PUBLIC else "private"
            return self._post("/v1/matches", **match, players=PLAYERS, visibility=visibility)
        seating = [{"kind": "closed", "player": player} for player in PLAYERS]
        seating += [{"kind": what} for what in ("open", "invited")]
        return self._post("/v1/matches", **{**match, "seats": 4}, seating=seating, start="on_demand")

    def _minted(
        self, match_id: str, role: Role, *, seat: int | None = None, lifetime: timedelta | None = None
    ) -> str:
        return self.several.tokens.mint(
            role=role, match_id=UUID(match_id), game=GAME, seat=seat, generation=0, lifetime=lifetime
        )[0]

    def _session(
        self,
        player: str,
        *,
        tenant: str = OURS,
        scopes: Collection[SessionScope] = EVERY_SCOPE,
        hours: int = 1,
    ) -> str:
        """Return a session of before any revocation."""
        return self.several.tokens.mint_session(
            PlayerSession(
                tenant=tenant,
                player=player,
                scopes=frozenset(scopes),
                generation=0,
                expires_at=datetime.now(UTC).replace(microsecond=0) + timedelta(hours=hours),
            )
        )

    def _forged(self, match_id: str) -> str:
        """Return what is a token of seat 0 in all but its signature."""
        forger = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
        return forger.mint(match_id=UUID(match_id), game=GAME, seat=0, generation=1)[0]

    def _key_of_ours(self) -> str:
        """Return the id of a fresh key of the tenant, for the keys' own manager to work on."""
        with self.several.client(self.several.keys["manager"]) as manager:
            issued = manager.post(f"/v1/tenants/{OURS}/keys", json={"scopes": ["keys:write"]})
        assert issued.status_code == 201, issued.text
        self.secrets.add(issued.json()["secret"])
        key_id: str = issued.json()["key"]["key_id"]
        return key_id

    def absence(self) -> dict[str, Any]:
        """Return a vacation of the player of seat 0 that can be announced: each is a minute later than the one before."""
        self._minutes += 2
        since = datetime.now(UTC) + timedelta(days=1, minutes=self._minutes)
        until = since + timedelta(minutes=1)
        return {"player": PLAYERS[0], "since": _written(since), "until": _written(until)}

    def _vacation_of_ada(self) -> str:
        """Return the id of a vacation that the player of seat 0 has announced and nobody has cancelled."""
        with self.several.client(self._shared["session"]) as page:
            announced = page.get("/v1/vacations").json()["vacations"]
            own = [one["vacation_id"] for one in announced if not one["by_tenant"]]
            if own:
                return str(own[0])
            made = page.post("/v1/vacations", json=self.absence())
            assert made.status_code == 201, made.text
            return str(made.json()["vacation_id"])

    def _endpoint_of_ours(self) -> tuple[str, str]:
        """Return the ids of a fresh endpoint of the tenant, in place of the one before, and of a test event."""
        with self.several.client(self.several.keys["manager"]) as manager:
            if self._endpoint:
                manager.delete(f"/v1/webhooks/endpoints/{self._endpoint}")
            wanted = {"url": NO_RECEIVER, "event_types": ["match.ended"]}
            made = manager.post("/v1/webhooks/endpoints", json=wanted)
            assert made.status_code == 201, made.text
            self.secrets.add(made.json()["secret"])
            self._endpoint = made.json()["endpoint"]["endpoint_id"]
            sent = manager.post(f"/v1/webhooks/endpoints/{self._endpoint}/test")
            assert sent.status_code == 202, sent.text
        return self._endpoint, sent.json()["event_id"]

    def _keep_events(self) -> None:
        """Switch both tenants' feeds on."""
        for name in ("manager", "foreign_manager"):
            with self.several.client(self.several.keys[name]) as manager:
                kept = manager.put("/v1/events/recording", json={"event_types": ["match.ended"]})
                assert kept.status_code == 200, kept.text

    def _wait_until_away(self, path: str) -> None:
        """Wait until the sweepers have done what there is to do for seat 0."""
        for _ in range(500):
            match = self._client.get(path).json()
            if match["clocks"]["seats"][0]["away"] and match["to_act"] == [1]:
                return
            time.sleep(0.02)
        raise AssertionError("nobody sweeps")

    def _wait_until_revoked(self, match_id: str, token: str) -> None:
        """A wake-up reaches the other replicas a moment later."""
        metadata = [("authorization", f"Bearer {token}")]
        for stub in self.matches:
            deadline = time.monotonic() + 30
            while self._let_in(stub, match_id, metadata):
                assert time.monotonic() < deadline, "a revoked token is still let in"
                time.sleep(0.005)

    def _let_in(self, stub: Any, match_id: str, metadata: list[tuple[str, str]]) -> bool:
        try:
            stub.GetView(GetViewRequest(match_id=match_id), metadata=metadata, timeout=30)
        except grpc.RpcError as error:
            return error.code() is not grpc.StatusCode.PERMISSION_DENIED
        return True

    def _post(self, path: str, **body: Any) -> dict[str, Any]:
        answer: httpx.Response = self._client.post(path, json=body)
        assert answer.status_code in {200, 201}, answer.text
        given: dict[str, Any] = answer.json()
        return given

    # ── the pure rules service ─────────────────────────────────────────────────────────────────────

    def pure_requests(self) -> dict[str, dict[str, Any]]:
        """Return a request for every method of the pure rules service, about a game that has begun."""
        if not self._pure:
            stub = rules_service_pb2_grpc.RulesServiceStub(self._channels[0])
            luck = Luck(match_secret=bytes(32), move=1)
            begun = stub.StartGame(
                StartGameRequest(game=GAME, seats=2, options=Payload(json=b"{}"), luck=luck)
            )
            more_luck = {"match_secret": base64.b64encode(bytes(32)).decode(), "move": 2}
            action = {"json": base64.b64encode(json.dumps(PROGRAM).encode()).decode()}
            state = {
                "rules_version": begun.state.rules_version,
                "state": base64.b64encode(begun.state.state).decode(),
                "state_hash": base64.b64encode(begun.state.state_hash).decode(),
            }
            at_the_table = {"game": GAME, "state": state}
            self._pure = {
                "ListGames": {},
                "DescribeGame": {"game": GAME},
                "GetTexts": {"game": GAME, "language": "it"},
                "ListParagraphs": {"game": GAME},
                "GetLayout": {"game": GAME},
                "StartGame": {
                    "game": GAME,
                    "seats": 2,
                    "luck": {**more_luck, "move": 1},
                    "options": {"json": "e30="},
                },
                "DecideAction": {**at_the_table, "seat": 0, "action": action, "luck": more_luck},
                "FoldEvents": {
                    "game": GAME,
                    "events": {"json": base64.b64encode(begun.events.json).decode()},
                },
                "GetLegalActions": {**at_the_table, "seat": 0},
                "GetView": {**at_the_table, "audience": {"kind": "KIND_PUBLIC"}},
            }
        return self._pure


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
