"""Everybody calls everything: who may, may; who may not is told the declared reason and nothing else.

The routes come from the OpenAPI document and the RPCs from the descriptors, who may what from `authorisation`. Every
request would succeed with the right credential, so a refusal is about the credential alone.
"""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import grpc
import httpx
import psycopg
import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.rpc import status_pb2

from foldtable.matches.v1 import match_service_pb2
from foldtable.platform.v1 import platform_service_pb2, webhook_service_pb2
from foldtable.rules.v1 import rules_service_pb2
from tests.support.authorisation import (
    CREDENTIALS,
    MAY_NOT_KNOW,
    OK,
    OUTCOMES,
    ROUTES,
    RPCS,
    RULES,
    Row,
)
from tests.support.rpc_requests import message_of
from tests.support.rules_stack import Refusal
from tests.support.scenes import HIDDEN, NOTE, RUNNING, Scene, Stage
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SERVICES = (
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"],
    platform_service_pb2.DESCRIPTOR.services_by_name["PlatformService"],
    webhook_service_pb2.DESCRIPTOR.services_by_name["WebhookService"],
)
METHODS: Mapping[str, MethodDescriptor] = {
    f"{service.name}/{method.name}": method for service in SERVICES for method in service.methods
}
PROBLEM_MEMBERS = {"type", "title", "status", "detail", "instance", "reason", "metadata", "trace_id"}
"""All that a refused caller is told over HTTP: no facts, no moves, no legal actions."""
TOLD_FACTS = {"scope", "seat"}
"""What `metadata` may hold: the scope a key lacks, and the seat of the caller's own token."""
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TENANT = re.compile(r"/v1/tenants/[a-z]+/")
TRACE = re.compile(r"[0-9a-f]{32}(?:-[0-9a-f]{16}-\d\d)?")
FROM_CALL_TO_CALL = {"date", "ratelimit", "server-timing"}


@dataclass(frozen=True)
class Told:
    """What came of a call."""

    code: object
    """An HTTP status or a gRPC code; OK for any success."""
    reason: str
    everything: str
    """Status, headers and body, or code, message and details, as text; of a success the body, of a stream its beginning."""

    @property
    def outcome(self) -> tuple[object, str]:
        return self.code, self.reason

    @property
    def without_ids_and_times(self) -> str:
        text = UUID.sub("‹id›", TENANT.sub("‹tenant›", self.everything))
        return TRACE.sub("‹trace›", text)


Call = Callable[[Row, Scene, str], Told]

SEE_NOTES: Final = {"tenant", "read_only"}
"""The tenant's own keys that read matches."""


@pytest.fixture(scope="module")
def stage(several: Several) -> Iterator[Stage]:
    made = Stage(several)
    yield made
    made.close()


@pytest.fixture(scope="module")
def client(several: Several) -> Iterator[httpx.Client]:
    """A client of a gateway that has met every key: only from then on it counts a key's calls under its tenant's limits."""
    with several.client(None) as anybody:
        for key in several.keys.values():
            anybody.get("/v1/token", headers={"authorization": f"Bearer {key}"})
        yield anybody


@dataclass(frozen=True)
class Operation:
    """An operation of the OpenAPI document."""

    method: str
    path: str
    statuses: frozenset[str]
    """What the document says it may answer."""


@pytest.fixture(scope="module")
def operations(client: httpx.Client) -> dict[str, Operation]:
    paths = client.get("/openapi.json").json()["paths"]
    return {
        described["operationId"]: Operation(method.upper(), path, frozenset(described["responses"]))
        for path, methods in paths.items()
        for method, described in methods.items()
        if "operationId" in described
    }


# ── the table is complete ──────────────────────────────────────────────────────────────────────────


def test_every_route_has_a_row(operations: dict[str, Operation]) -> None:
    assert {row.operation for row in ROUTES} == operations.keys()


def test_every_rpc_has_a_row() -> None:
    assert {row.operation for row in RPCS} == METHODS.keys()
    written = [path.read_text() for path in (ROOT / "proto" / "foldtable").rglob("*_service.proto")]
    assert {name for text in written for name in re.findall(r"^service (\w+)", text, re.MULTILINE)} == {
        service.name for service in SERVICES
    }
    assert len(METHODS) == sum(len(re.findall(r"^  rpc ", text, re.MULTILINE)) for text in written)


@pytest.mark.parametrize("who", ["tenant", "read_only"])
def test_notes_are_shown_to_the_keys_that_read_matches(who: str, stage: Stage, client: httpx.Client) -> None:
    """So that what the others are not shown is really there."""
    scene = stage.scene(RUNNING)
    headers = {"authorization": f"Bearer {scene.credentials[who]}"}
    for path in (f"/v1/matches/{scene.match_id}", "/v1/matches?page_size=1000"):
        assert NOTE in client.get(path, headers=headers).text


def test_every_rule_says_something_of_every_credential() -> None:
    for name, rule in RULES.items():
        assert rule.keys() == CREDENTIALS, name
        assert set(rule.values()) <= OUTCOMES.keys() | {OK}, name
    assert {row.rule for row in (*ROUTES, *RPCS)} == RULES.keys(), "a rule nothing falls under"


# ── everybody calls everything ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: row.id)
def test_a_route(row: Row, stage: Stage, client: httpx.Client, operations: dict[str, Operation]) -> None:
    operation = operations[row.operation]

    def call(row: Row, scene: Scene, who: str) -> Told:
        return told_over_http(client, operation, row, scene, who)

    everybody_calls(row, stage, call, lambda reason: OUTCOMES[reason][0], hidden="{" in operation.path)
    refusals = {str(OUTCOMES[reason][0]) for reason in RULES[row.rule].values() if reason != OK}
    assert refusals <= operation.statuses, "and the document says so"


@pytest.mark.parametrize("row", RPCS, ids=lambda row: row.id)
def test_an_rpc(row: Row, stage: Stage) -> None:
    method = METHODS[row.operation]

    def call(row: Row, scene: Scene, who: str) -> Told:
        return told_over_grpc(stage, method, row, scene, who)

    names = {"match_id", "tenant", "key_id", "endpoint_id", "vacation_id"}.intersection(
        method.input_type.fields_by_name.keys()
    )
    hidden = bool(names) or method.name in {"Play", "Follow"}
    everybody_calls(row, stage, call, lambda reason: OUTCOMES[reason][1], hidden=hidden)


def everybody_calls(
    row: Row, stage: Stage, call: Call, code_of: Callable[[str], object], *, hidden: bool
) -> None:
    """Call with every credential; what one is told must be what the rule says, and no more than it says.

    `hidden`: the request names something whose existence is told to some only.
    """
    rule = RULES[row.rule]
    wrong, leaks = {}, {}
    for who in sorted(CREDENTIALS):
        scene = stage.scene(row.scene)
        told = call(row, scene, who)
        expected = (OK, OK) if rule[who] == OK else (code_of(rule[who]), rule[who])
        if who == "revoked_session" and rule["session"] == told.reason == "TENANT_ONLY":
            expected = (code_of("TENANT_ONLY"), "TENANT_ONLY")  # no session may: a gateway need not ask more
        if told.outcome != expected:
            wrong[who] = (told.outcome, "instead of", expected)
        if told.reason == OK:
            assert who in SEE_NOTES or NOTE not in told.everything, f"{who} is shown what the platform notes"
            if row.changes:
                stage.strike(row.scene)
            continue
        must_hold_no_secret(told, stage)
        if hidden and who in MAY_NOT_KNOW:
            named = ("match_id", "key_id", "endpoint_id", "event_id", "vacation_id")
            ids = {name: str(uuid4()) for name in named}
            nowhere = replace(scene, tenant="none", **ids)
            same = call(row, nowhere, who)
            if same.without_ids_and_times != told.without_ids_and_times:
                leaks[who] = (told.without_ids_and_times, same.without_ids_and_times)
    assert wrong == {}
    assert leaks == {}, "these callers are told apart what exists and what does not"


def must_hold_no_secret(told: Told, stage: Stage) -> None:
    for secret in stage.secrets:
        assert secret not in told.everything
        assert secret.rpartition(".")[2] not in told.everything, "nor a token's signature"
    assert not any(card in told.everything for card in HIDDEN)


# ── over HTTP ──────────────────────────────────────────────────────────────────────────────────────


def told_over_http(client: httpx.Client, operation: Operation, row: Row, scene: Scene, who: str) -> Told:
    asked = row.asked(scene)
    credential = scene.credentials[who]
    headers = {} if credential is None else {"authorization": f"Bearer {credential}"}
    with client.stream(
        operation.method,
        operation.path.format(**scene.path),
        params=asked.get("query"),
        json=asked.get("json"),
        headers=headers,
    ) as response:
        if response.is_success:
            is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
            return Told(
                OK, OK, next(response.iter_text(), "") if is_stream else response.read().decode("latin-1")
            )
        response.read()
    problem = response.json()
    assert response.headers["content-type"] == "application/problem+json"
    members = PROBLEM_MEMBERS | ({"errors"} if problem["reason"] == "MALFORMED_REQUEST" else set())
    assert problem.keys() <= members, problem
    assert problem.get("metadata", {}).keys() <= TOLD_FACTS, problem
    assert ("www-authenticate" in response.headers) is (response.status_code == 401)
    kept = [pair for pair in response.headers.multi_items() if pair[0] not in FROM_CALL_TO_CALL]
    return Told(
        response.status_code, problem["reason"], f"{response.status_code}\n{sorted(kept)}\n{response.text}"
    )


# ── over gRPC ──────────────────────────────────────────────────────────────────────────────────────


def told_over_grpc(stage: Stage, method: MethodDescriptor, row: Row, scene: Scene, who: str) -> Told:
    credential = scene.credentials[who]
    metadata = [] if credential is None else [("authorization", f"Bearer {credential}")]
    asked = message_of(method, row, scene)
    channel = stage.channel_of(method.containing_service.name)
    kind = ("stream" if method.client_streaming else "unary") + (
        "_stream" if method.server_streaming else "_unary"
    )
    stub = getattr(channel, kind)(
        f"/{method.containing_service.full_name}/{method.name}",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )
    done = threading.Event()
    try:
        answer = stub(sent(method, asked, done), metadata=metadata, timeout=30)
        if method.server_streaming:
            first = next(answer)
            answer.cancel()
            refused = refused_in(first)
            if refused is not None:
                return told_of(refused, grpc.StatusCode(_code(refused.code)))
    except grpc.RpcError as error:
        pairs = dict(error.trailing_metadata() or ())
        return told_of(status_pb2.Status.FromString(pairs["grpc-status-details-bin"]), error.code())
    finally:
        done.set()
    return Told(OK, OK, str(first if method.server_streaming else answer))


def sent(method: MethodDescriptor, asked: Any, done: threading.Event) -> Any:
    """Return what is sent: one message, a stream of one, or one that stays open where answers come on a stream."""
    if not method.client_streaming:
        return asked
    return held_open(asked, done) if method.server_streaming else iter([asked])


def held_open(asked: Any, done: threading.Event) -> Iterator[Any]:
    """Ask, and keep the stream open until the answer is there."""
    yield asked
    done.wait(10)


def refused_in(first: Any) -> status_pb2.Status | None:
    """Return the refusal in the first message of a long stream, which carries many calls."""
    for part in (*getattr(first, "replies", ()), *getattr(first, "updates", ())):
        if part.HasField("refused"):
            status: status_pb2.Status = part.refused
            return status
    return None


def _code(number: int) -> tuple[int, str]:
    return next(code.value for code in grpc.StatusCode if code.value[0] == number)


def told_of(status: status_pb2.Status, code: grpc.StatusCode) -> Told:
    refusal = Refusal.of_status(status, code)
    assert refusal.standing is None
    assert refusal.rule is None
    assert refusal.info.metadata.keys() <= TOLD_FACTS
    return Told(code, refusal.reason, f"{code}\n{status.message}\n{status!s}")


# ── afterwards ─────────────────────────────────────────────────────────────────────────────────────


def test_no_log_holds_a_credential_or_a_secret(stage: Stage, several: Several) -> None:
    """Runs after all of it: whatever was asked, and by whom, is in none of the processes' logs."""
    with psycopg.connect(several.database_url) as connection:
        rows = connection.execute("SELECT secret FROM matches").fetchall()
    secrets = {bytes(secret) for (secret,) in rows}
    forms = {secret.hex() for secret in secrets} | {base64.b64encode(secret).decode() for secret in secrets}
    known = stage.secrets | forms
    assert len(secrets) > 1
    for name, text in several.logs().items():
        assert not any(secret in text for secret in known), name
