"""Every route and every RPC of a running system, each knocked at with spoiled requests.

What is asked comes from the table of the authorisation matrix, which has a row for every route of the OpenAPI document
and every RPC of the descriptors (its own tests see to that): one more door is knocked at here without being named.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from urllib.parse import quote

import grpc
import httpx
from google.protobuf import message_factory
from google.rpc import status_pb2

from tests.proofs.hostile.decoders_of_platform import methods
from tests.proofs.hostile.spoiled_messages import TEXTS, spoil
from tests.proofs.hostile.strategies import spoiled
from tests.support.authorisation import OK, ROUTES, RPCS, RULES, Row
from tests.support.rpc_requests import message_of
from tests.support.rules_stack import Refusal
from tests.support.scenes import Scene, Stage

SECONDS: Final = 10.0
"""No answer takes so long, on a busy machine either."""
_LONG: Final = {"wait"}
"""Parameters that ask for a long answer, and rightly get one."""
_HEADERS: Final = (
    *("idempotency-key", "if-match", "if-none-match", "last-event-id", "traceparent", "x-request-id"),
    *("range", "accept", "accept-encoding", "content-type", "content-encoding", "origin", "x-forwarded-for"),
    *(
        "x-forwarded-proto",
        "forwarded",
        "authorization",
        "cookie",
        "te",
        "x-http-method-override",
        "if-range",
    ),
)
_FAULTS: Final = {
    grpc.StatusCode.UNKNOWN,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.UNIMPLEMENTED,
}
_GOOD_AT: Final = ("tenant", "manager", "operator", "seat", "bots", "nobody")


@dataclass
class Knocks:
    """What came of it."""

    sent: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    violations: list[str] = field(default_factory=list)

    def answered(self, door: str, told: str, seconds: float) -> None:
        """Note an answer."""
        self.sent += 1
        self.answers[told] += 1
        self.slowest = max(self.slowest, (seconds, door))
        if seconds > SECONDS:
            self.violations.append(f"{door}: {told} after {seconds:.1f} s")


def caller_of(row: Row) -> str:
    """Name somebody who may, so that nothing is refused for want of a credential."""
    allowed = [who for who, told in RULES[row.rule].items() if told == OK]
    return next((who for who in _GOOD_AT if who in allowed), allowed[0])


# ── over HTTP ──────────────────────────────────────────────────────────────────────────────────────


def knock_at_routes(
    stage: Stage, url: str, operations: dict[str, tuple[str, str]], rounds: int, seed: int
) -> Knocks:
    """Ask every route so many times; `operations` are method and path by operation id."""
    knocks = Knocks()
    with httpx.Client(base_url=url, timeout=SECONDS, verify=False, trust_env=False) as client:
        for row in ROUTES:
            chance = Random(f"{seed} {row.id}")
            for _ in range(rounds):
                _knock_at_route(
                    client, row, stage.scene(row.scene), operations[row.operation], chance, knocks
                )
            if row.changes:
                stage.strike(row.scene)
    return knocks


def _knock_at_route(
    client: httpx.Client, row: Row, scene: Scene, operation: tuple[str, str], chance: Random, knocks: Knocks
) -> None:
    request = _spoiled_request(client, row, scene, operation, chance)
    begun = time.monotonic()
    try:
        answer = client.send(request, stream=True)
        try:
            if not answer.is_success:
                answer.read()
        finally:
            answer.close()
    except httpx.TransportError as error:
        knocks.violations.append(
            f"{row.id}: {type(error).__name__} at {request.method} {str(request.url)[:200]}"
        )
        return
    knocks.answered(row.id, str(answer.status_code), time.monotonic() - begun)
    wrong = _wrong_answer(answer)
    if wrong:
        shown = f"{request.method} {str(request.url)[:200]} {bytes(request.content)[:200]!r} {dict(request.headers)}"
        knocks.violations.append(f"{row.id}: {wrong} to {shown[:700]}")


def _wrong_answer(answer: httpx.Response) -> str:
    if answer.status_code >= 500:
        return f"{answer.status_code} {answer.text[:200]}"
    if answer.status_code >= 400:
        if answer.headers.get("content-type") != "application/problem+json" or '"reason":' not in answer.text:
            return f"no problem document: {answer.status_code} {dict(answer.headers)} {answer.text[:200]}"
        if "Traceback" in answer.text:
            return "a traceback"
    return ""


def _spoiled_request(
    client: httpx.Client, row: Row, scene: Scene, operation: tuple[str, str], chance: Random
) -> httpx.Request:
    method, path = operation
    asked = row.asked(scene)
    credential = scene.credentials[caller_of(row)]
    headers: list[tuple[bytes, bytes]] = []
    if credential:
        headers.append((b"authorization", f"Bearer {credential}".encode()))
    parts = {name: str(value) for name, value in scene.path.items()}
    query = {name: str(value) for name, value in asked.get("query", {}).items()}
    body = json.dumps(asked["json"]).encode() if "json" in asked else b""
    match chance.randrange(4):
        case 0 if "{" in path:
            name = chance.choice([name for name in parts if f"{{{name}}}" in path])
            parts[name] = chance.choice(TEXTS)[:8_000] or "%00"
        case 1:
            name = chance.choice([*query, "seat", "at", "after", "page_token", "page_size", "limit", "x"])
            if name not in _LONG:
                query[name] = chance.choice(TEXTS)[:8_000]
        case 2:
            name = chance.choice(_HEADERS)
            value = chance.choice(
                (b"", b"\xff\xfe", b"\xc2\xb2", b"9" * 5_000, b"*" * 100, b'"', b"a, " * 500, b"-1")
            )
            headers.append((name.encode(), value.strip()))
        case _:
            body = spoiled(chance.randrange, (body or b"{}",))
    path = path.format(**{name: quote(value, safe="") for name, value in parts.items()})
    if body and not any(name == b"content-type" for name, _ in headers):
        headers.append((b"content-type", b"application/json"))
    return client.build_request(method, path, params=query or None, content=body, headers=headers)


# ── over gRPC ──────────────────────────────────────────────────────────────────────────────────────


def knock_at_rpcs(stage: Stage, rounds: int, seed: int) -> Knocks:
    """Call every RPC so many times: with spoiled fields, and with spoiled bytes."""
    knocks = Knocks()
    for row in RPCS:
        chance = Random(f"{seed} {row.id}")
        for number in range(rounds):
            _knock_at_rpc(stage, row, stage.scene(row.scene), chance, knocks, of_bytes=number % 3 == 2)
        if row.changes:
            stage.strike(row.scene)
    return knocks


def _knock_at_rpc(
    stage: Stage, row: Row, scene: Scene, chance: Random, knocks: Knocks, *, of_bytes: bool
) -> None:
    method = methods()[row.operation]
    message = message_of(methods()[row.operation], row, scene)
    data = message.SerializeToString()
    if of_bytes:
        data = spoiled(chance.randrange, (data,))
    else:
        for _ in range(1 + chance.randrange(2)):
            spoil(chance.randrange, message)
        data = message.SerializeToString()
    kind = ("stream" if method.client_streaming else "unary") + (
        "_stream" if method.server_streaming else "_unary"
    )
    call = getattr(stage.channel_of(method.containing_service.name), kind)(
        f"/{method.containing_service.full_name}/{method.name}",
        response_deserializer=message_factory.GetMessageClass(method.output_type).FromString,
    )
    credential = scene.credentials[caller_of(row)]
    metadata = [("authorization", f"Bearer {credential}")] if credential else []
    asked = iter([data]) if method.client_streaming else data
    begun = time.monotonic()
    told, wrong = _told(call, asked, metadata, streamed=method.server_streaming)
    knocks.answered(row.id, told, time.monotonic() - begun)
    if wrong:
        knocks.violations.append(f"{row.id}: {wrong} to {data[:200]!r}")


def _told(call: Any, asked: Any, metadata: list[tuple[str, str]], *, streamed: bool) -> tuple[str, str]:
    """Return the code, and what is wrong with it; a stream that stays open tells nothing, and is left."""
    try:
        answer = call(asked, metadata=metadata, timeout=0.3 if streamed else SECONDS)
        if streamed:
            next(iter(answer), None)
            answer.cancel()
    except grpc.RpcError as error:
        code = error.code()
        if code is grpc.StatusCode.DEADLINE_EXCEEDED and streamed:
            return "open", ""
        if code in _FAULTS:
            return code.name, f"{code.name} {error.details()}"
        details = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin")
        if details is None:
            return (
                code.name,
                "" if code is grpc.StatusCode.RESOURCE_EXHAUSTED else f"{code.name} without details",
            )
        Refusal.of_status(status_pb2.Status.FromString(details), code)
        return code.name, ""
    return "OK", ""


def operations_of(url: str) -> dict[str, tuple[str, str]]:
    """Return method and path of every operation of the OpenAPI document."""
    document = httpx.get(f"{url}/openapi.json", timeout=SECONDS, trust_env=False).json()
    return dict(_operations(document["paths"]))


def _operations(paths: dict[str, Any]) -> Iterator[tuple[str, tuple[str, str]]]:
    for path, methods_of_path in paths.items():
        for method, described in methods_of_path.items():
            if "operationId" in described:
                yield described["operationId"], (method.upper(), path)
