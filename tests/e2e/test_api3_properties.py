"""Nothing is said to a caller that is not for it, and nothing is taken from a caller that is not its to say (OWASP API3).

Every body and every query of the OpenAPI document is tried with properties that only the system sets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest

from tests.support.authorisation import OK, ROUTES, RULES, Row
from tests.support.followers import events_of
from tests.support.scenes import HIDDEN, RUNNING, SceneKind, Stage
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

OURS_TO_SET = (
    *("tenant", "match_id", "version", "status", "secret", "commitment", "rules_version", "outcome"),
    *("generation", "invite_generation", "watch_generation", "taken", "state", "joined_by", "rematch_of"),
    *("role", "scopes", "seat", "key_id", "revoked_at", "is_admin", "__proto__", "expected_version"),
)
"""What the system decides, or another operation takes; where a body has such a property by right, it is not tried."""
WITHOUT_BODY = (
    *("get", "list", "stream", "export", "verify", "describe", "replay", "revokeKey"),
    *("unseatBot", "deleteEndpoint", "testEndpoint", "resendDelivery", "cancelVacation"),
    "deleteMatch",
    "importMatch",  # its body is a whole document, read by a schema of its own
)
WITH_BODY = [row for row in ROUTES if not row.operation.startswith(WITHOUT_BODY)]
HELD_BY: dict[str, str] = {
    name: next(who for who in ("tenant", "manager", "operator") if rule[who] == OK)
    for name, rule in RULES.items()
}
"""A credential that every rule lets in: so a refusal is about the request alone."""


@pytest.fixture(scope="module")
def stage(several: Several) -> Iterator[Stage]:
    made = Stage(several)
    yield made
    made.close()


@pytest.fixture(scope="module")
def client(several: Several) -> Iterator[httpx.Client]:
    with several.client(None) as anybody:
        yield anybody


@pytest.fixture(scope="module")
def document(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


def operation(document: dict[str, Any], operation_id: str) -> tuple[str, str, dict[str, Any]]:
    """Return method, path and description of an operation."""
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            if described.get("operationId") == operation_id:
                return method.upper(), path, described
    raise AssertionError(f"no operation {operation_id}")


def properties(document: dict[str, Any], described: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of an operation's body."""
    reference = described["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    schema: dict[str, Any] = document["components"]["schemas"][reference.rpartition("/")[2]]
    assert schema["additionalProperties"] is False, "what is not named is refused"
    found: dict[str, Any] = schema.get("properties", {})
    return found


def asked(
    client: httpx.Client, stage: Stage, document: dict[str, Any], row: Row, **more: Any
) -> httpx.Response:
    """Ask as a row says, by somebody who may, with more in the body or in the query."""
    method, path, _ = operation(document, row.operation)
    scene = stage.scene(row.scene)
    request = row.asked(scene)
    body = {**request.get("json", {}), **more.get("json", {})}
    return client.request(
        method,
        path.format(**scene.path),
        params={**request.get("query", {}), **more.get("query", {})},
        json=body or None,
        headers={"authorization": f"Bearer {scene.credentials[HELD_BY[row.rule]]}"},
    )


def test_every_operation_with_a_body_is_tried(document: dict[str, Any]) -> None:
    with_body = {
        described["operationId"]
        for methods in document["paths"].values()
        for described in methods.values()
        if "requestBody" in described
    }
    assert with_body - {"importMatch"} == {row.operation for row in WITH_BODY}


@pytest.mark.parametrize("row", WITH_BODY, ids=lambda row: row.id)
def test_a_body_takes_nothing_it_does_not_name(
    row: Row, stage: Stage, client: httpx.Client, document: dict[str, Any]
) -> None:
    known = properties(document, operation(document, row.operation)[2])
    tried = [name for name in OURS_TO_SET if name not in known]
    assert len(tried) > len(OURS_TO_SET) / 2
    for name in tried:
        answer = asked(client, stage, document, row, json={name: 1})
        assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), name
        (error,) = answer.json()["errors"]
        assert (error["code"], error["pointer"]) == ("UNKNOWN_FIELD", f"/{name}")


@pytest.mark.parametrize(
    "row",
    [row for row in ROUTES if RULES[row.rule] != RULES["public"] and not row.note],
    ids=lambda row: row.id,
)
def test_a_query_takes_nothing_it_does_not_name(
    row: Row, stage: Stage, client: httpx.Client, document: dict[str, Any]
) -> None:
    described = operation(document, row.operation)[2]
    known = {parameter["name"] for parameter in described["parameters"] if parameter["in"] == "query"}
    for name in {"tenant", "version", "role", "admin"} - known:
        answer = asked(client, stage, document, row, query={name: "1"})
        assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), name
        (error,) = answer.json()["errors"]
        assert (error["code"], error["parameter"]) == ("UNKNOWN_FIELD", name)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seating": [{"kind": "closed", "generation": 7}, {}]}, "/seating/0/generation"),
        ({"seating": [{}, {"kind": "taken"}]}, "/seating/1/kind"),
        ({"seating": [{"seat": 1}, {}]}, "/seating/0/seat"),
        ({"options": {"variant": "islands", "seed": 1}}, "/options/seed"),
        ({"visibility": "everybody"}, "/visibility"),
    ],
)
def test_nothing_is_slipped_in_deeper_down(
    several: Several, client: httpx.Client, body: dict[str, Any], pointer: str
) -> None:
    headers = {"authorization": f"Bearer {several.key}"}
    answer = client.post("/v1/matches", json={"game": "river_dragons", "seats": 2, **body}, headers=headers)
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


def test_an_action_says_what_and_never_for_whom(stage: Stage, client: httpx.Client) -> None:
    scene = stage.scene(RUNNING)
    headers = {"authorization": f"Bearer {scene.credentials['seat']}"}
    for name in ("seat", "player", "events", "draws", "secret"):
        body = scene.move()
        body["action"] = {**body["action"], name: 1}
        answer = client.post(f"/v1/matches/{scene.match_id}/moves", json=body, headers=headers)
        assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_MOVE")
        assert [error["pointer"] for error in answer.json()["errors"]] == [f"/action/{name}"]


# ── what is shown ──────────────────────────────────────────────────────────────────────────────────

LOOKS = ("", "/view", "/moves", "/export", "/verify", "/stream?after_version=0", "/stream")
HIDDEN_TEXT = json.dumps(HIDDEN, separators=(",", ":"))


def shown(client: httpx.Client, path: str, credential: str | None, **query: str) -> str:
    """Return everything a look shows; of a stream what it begins with."""
    headers = {"authorization": f"Bearer {credential}"}
    path, _, rest = path.partition("?")
    query |= dict(part.split("=") for part in rest.split("&") if part)
    with client.stream("GET", path, params=query, headers=headers) as response:
        assert response.status_code == 200, response.read()
        if response.headers["content-type"].startswith("text/event-stream"):
            events = events_of(response)
            return "".join(data for _, _, data in (next(events) for _ in range(2 if rest else 1)))
        return response.read().decode()


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("who", ["seat", "spectator", "tenant", "read_only"])
def test_what_another_seat_holds_is_shown_to_nobody_else(
    stage: Stage, client: httpx.Client, look: str, who: str
) -> None:
    """An API key may look as anybody, and looks as the public where it does not say as whom."""
    scene = stage.scene(RUNNING)
    told = shown(client, f"/v1/matches/{scene.match_id}{look}", scene.credentials[who])
    assert HIDDEN_TEXT not in told.replace(" ", "")


@pytest.mark.parametrize("who", ["other_seat", "referee"])
def test_it_is_shown_to_whom_it_belongs_and_to_the_referee(
    stage: Stage, client: httpx.Client, who: str
) -> None:
    """So that the test above looks for what is really there."""
    scene = stage.scene(RUNNING)
    told = shown(client, f"/v1/matches/{scene.match_id}/view", scene.credentials[who])
    assert HIDDEN_TEXT in told.replace(" ", "")


@pytest.mark.parametrize("kind", list(SceneKind), ids=lambda kind: kind.value)
def test_the_secret_of_a_match_is_shown_after_its_end_and_never_before(
    stage: Stage, several: Several, client: httpx.Client, kind: SceneKind
) -> None:
    scene = stage.scene(kind)
    with psycopg.connect(several.database_url) as connection:
        row = connection.execute("SELECT secret FROM matches WHERE id = %s", (scene.match_id,)).fetchone()
    assert row is not None
    secret = bytes(row[0]).hex()
    told = {
        who: "".join(
            shown(client, f"/v1/matches/{scene.match_id}{look}", scene.credentials[who], **query)
            for look, query in (("", {}), ("/export", {"audience": "referee"} if who != "seat" else {}))
        )
        for who in ("seat", "tenant", "referee")
    }
    assert {who: secret in text for who, text in told.items()} == dict.fromkeys(told, kind is SceneKind.ENDED)


def test_a_match_tells_nothing_of_how_it_is_kept(stage: Stage, client: httpx.Client) -> None:
    """Tenants, generations, request ids and tokens stay in the system."""
    scene = stage.scene(RUNNING)
    for look in ("", "/export", "/moves", "/view"):
        told = shown(client, f"/v1/matches/{scene.match_id}{look}", scene.credentials["tenant"])
        names = set(names_in(json.loads(told)))
        assert not names & {
            "tenant",
            "generation",
            "invite_generation",
            "watch_generation",
            "joined_by",
            "token",
        }


def names_in(value: Any) -> Iterator[str]:
    """Yield the name of every member, however deep."""
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from names_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from names_in(inner)
