"""Tenants, keys and `GET /v1/token` over REST."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Caller, Platform, Player, Table
from tests.support.processes import Process


def reason(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return str(answer.json()["reason"])


@pytest.fixture
def tenant(operator: Platform) -> str:
    """A new tenant."""
    name = f"t{uuid4().hex[:12]}"
    created = operator.post("/v1/tenants", json={"tenant": name})
    assert (created.status_code, created.json()["tenant"]) == (201, name)
    return name


@pytest.fixture
def manager(world: World, operator: Platform, tenant: str) -> Iterator[Caller]:
    """That tenant, with a key for its keys and its matches."""
    issued = operator.post(
        f"/v1/tenants/{tenant}/keys", json={"scopes": ["keys:write", "matches:write"], "label": "first"}
    )
    assert issued.status_code == 201, issued.text
    with Caller(world.url, issued.json()["secret"]) as caller:
        yield caller


def test_a_tenant_is_created_once_and_listed(operator: Platform, tenant: str) -> None:
    assert reason(operator.post("/v1/tenants", json={"tenant": tenant}), 409) == "TENANT_EXISTS"
    names: list[str] = []
    query = {"page_size": "1"}
    while True:
        page = operator.get("/v1/tenants", params=query).json()
        names += [found["tenant"] for found in page["tenants"]]
        if not page["next_page_token"]:
            break
        query["page_token"] = page["next_page_token"]
    assert tenant in names
    assert names == sorted(set(names))


def test_a_key_works_at_once_and_is_told_once(world: World, manager: Caller, tenant: str) -> None:
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
    body = {
        "scopes": ["matches:read"],
        "label": "für die Lobby",
        "expires_at": until.isoformat(),
        "environment": "dev",
    }
    issued = manager.post(f"/v1/tenants/{tenant}/keys", json=body).json()
    assert issued["secret"].startswith(issued["key"]["prefix"])
    assert issued["key"]["expires_at"] == until.strftime("%Y-%m-%dT%H:%M:%S.000000Z")
    with Caller(world.url, issued["secret"]) as reader:
        said = reader.get("/v1/token").json()
        assert (said["tenant"], said["scopes"], said["key_id"]) == (
            tenant,
            ["matches:read"],
            issued["key"]["key_id"],
        )
        assert (
            reason(reader.post("/v1/matches", json={"game": "river_dragons", "seats": 2}), 403)
            == "SCOPE_MISSING"
        )
    listed = manager.get(f"/v1/tenants/{tenant}/keys")
    assert [key["label"] for key in listed.json()["keys"]] == ["first", "für die Lobby"]
    assert issued["secret"] not in listed.text
    logs = [process.log.read_text() for process in (world.gateway, world.several.platform)]
    assert issued["key"]["key_id"] in logs[1], "who issued what is written down"
    assert not any(issued["secret"] in log for log in logs), "the key itself is not"


def test_a_rotated_key_has_a_successor(world: World, manager: Caller, tenant: str) -> None:
    old = manager.post(f"/v1/tenants/{tenant}/keys", json={"scopes": ["matches:read"]}).json()
    rotated = manager.post(f"/v1/keys/{old['key']['key_id']}/rotate", json={"grace_seconds": 0})
    assert rotated.status_code == 201, rotated.text
    new = rotated.json()
    assert new["replaced"]["key_id"] == new["key"]["replaces"] == old["key"]["key_id"]
    with Caller(world.url, new["secret"]) as caller:
        assert caller.get("/v1/token").status_code == 200
    with Caller(world.url, old["secret"]) as caller:
        refused = caller.get("/v1/token")
        assert reason(refused, 401) == "TOKEN_EXPIRED"
        assert refused.headers["www-authenticate"].startswith("Bearer")
    assert reason(manager.post(f"/v1/keys/{old['key']['key_id']}/rotate"), 409) == "KEY_INACTIVE"


def test_a_revoked_key_opens_nothing(world: World, manager: Caller, tenant: str) -> None:
    key = manager.post(f"/v1/tenants/{tenant}/keys", json={"scopes": ["matches:read"]}).json()
    path = f"/v1/keys/{key['key']['key_id']}"
    for _ in range(2):
        revoked = manager.delete(path)
        assert (revoked.status_code, revoked.content) == (204, b"")
    with Caller(world.url, key["secret"]) as caller:
        assert reason(caller.get("/v1/token"), 401) == "TOKEN_INVALID"


def test_who_may_not_is_told_which_scope_is_missing(
    platform: Platform, manager: Caller, player: Player
) -> None:
    for caller, path, scope in (
        (platform, "/v1/tenants/ours/keys", "keys:write"),
        (manager, "/v1/tenants", "tenants:admin"),
    ):
        answer = caller.get(path)
        assert reason(answer, 403) == "SCOPE_MISSING"
        assert answer.json()["metadata"] == {"scope": scope}
    assert reason(player.get("/v1/tenants"), 403) == "TENANT_ONLY"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        pytest.param({"scopes": []}, "/scopes", id="no scope"),
        pytest.param({"scopes": ["everything"]}, "/scopes/0", id="no such scope"),
        pytest.param({"scopes": ["matches:read"], "tenant": "theirs"}, "/tenant", id="a tenant in the body"),
        pytest.param({"scopes": ["matches:read"], "expires_at": "soon"}, "/expires_at", id="no time"),
        pytest.param(
            {"scopes": ["matches:read"], "expires_at": "2020-01-01T00:00:00Z"}, "/expires_at", id="the past"
        ),
        pytest.param(
            {"scopes": ["matches:read"], "expires_at": "9999-12-31T23:59:59-01:00"},
            "/expires_at",
            id="the year 10000 in UTC",
        ),
        pytest.param(
            {"scopes": ["matches:read"], "environment": "LIVE"}, "/environment", id="no environment"
        ),
    ],
)
def test_a_key_that_cannot_be_is_refused_by_its_part(
    manager: Caller, tenant: str, body: dict[str, Any], pointer: str
) -> None:
    answer = manager.post(f"/v1/tenants/{tenant}/keys", json=body)
    assert reason(answer, 400) == "MALFORMED_REQUEST"
    assert [part["pointer"] for part in answer.json()["errors"]] == [pointer]


def test_an_api_key_learns_what_it_is_good_for(platform: Platform) -> None:
    said = platform.get("/v1/token").json()
    assert (said["kind"], said["tenant"], said["scopes"]) == ("api_key", "ours", ["matches:write"])
    assert (said["match_id"], said["game"], said["seat"], said["expires_at"]) == (None, None, None, None)


def test_a_seat_s_token_learns_which_seat_it_is_for(table: Table, player: Player) -> None:
    said = player.get("/v1/token").json()
    assert (said["kind"], said["match_id"], said["seat"]) == ("seat", table.match_id, 0)
    assert (said["game"], said["tenant"], said["scopes"]) == ("river_dragons", None, [])
    assert said["expires_at"].endswith("Z")


def test_the_answer_tells_the_buckets_of_the_credential(platform: Platform, player: Player) -> None:
    for caller in (platform, player):
        answer = caller.get("/v1/token")
        buckets = {bucket["bucket"]: bucket for bucket in answer.json()["rate_limits"]}
        assert buckets.keys() == {"reads", "moves", "lobby", "streams", "admin"}
        said = dict(part.split("=") for part in caller.get("/v1/token").headers["ratelimit"].split(";")[1:])
        assert int(said["r"]) <= buckets["reads"]["remaining"] <= buckets["reads"]["limit"]


def test_matches_go_on_without_the_platform_service(world: World, platform: Platform) -> None:
    settings = world.gateway_settings(world.rules_address) | {"platform": "127.0.0.1:9"}
    with Process("gateway", world.folder / "alone.log", **settings) as gateway:
        url = gateway.start()
        with Platform(url, world.key) as alone:
            answer = alone.get("/v1/token")
            assert reason(answer, 503) == "PLATFORM_UNAVAILABLE"
            assert int(answer.headers["retry-after"]) >= 1
            assert alone.create().status_code == 201
        assert gateway.stop() == 0


def test_every_answer_tells_how_its_bucket_stands(
    anybody: httpx.Client, platform: Platform, player: Player
) -> None:
    platform.get("/v1/token")  # from here on the key is known
    for answer, bucket in (
        (platform.create(), "lobby"),
        (platform.get(f"/v1/matches/{uuid4()}"), "reads"),
        (player.any_move(), "moves"),
        (player.look("view"), "reads"),
        (player.move({}, 1), "moves"),
        (platform.get("/v1/tenants"), "admin"),
        (anybody.get("/v1/games"), "anonymous"),
        (anybody.get("/v1/nowhere"), "anonymous"),
        (anybody.delete("/v1/games"), "anonymous"),
        (anybody.post("/v1/matches", json={}), "anonymous"),
    ):
        assert answer.headers["ratelimit"].startswith(f'"{bucket}";r='), answer.request.url
        assert answer.headers["ratelimit-policy"].startswith(f'"{bucket}";q='), answer.request.url
    assert "ratelimit" not in anybody.get("/readyz").headers


def test_one_request_too_many_is_told_when_to_come_back(world: World, table: Table) -> None:
    settings = world.gateway_settings(world.rules_address) | {
        "rate_limits": "token.reads=3/600, address.anonymous=2/600"
    }
    with Process("gateway", world.folder / "limited.log", **settings) as gateway:
        url = gateway.start()
        seated = table.players[0]
        with Player(url, table.match_id, 0, seated.token) as busy, httpx.Client(base_url=url) as nobody:
            told = [busy.look("view") for _ in range(4)]
            assert [answer.status_code for answer in told] == [200, 200, 200, 429]
            assert reason(told[-1], 429) == "RATE_LIMITED"
            seconds = told[-1].headers["retry-after"]
            assert told[-1].json()["metadata"] == {"bucket": "reads", "seconds": seconds}
            assert told[-1].headers["ratelimit"] == f'"reads";r=0;t={seconds}'
            assert busy.move(PROGRAM, 1).status_code == 200, "moves are counted apart"
            assert [nobody.get("/v1/nowhere").status_code for _ in range(3)] == [404, 404, 429]
            assert nobody.get("/readyz").status_code == 200
        assert gateway.stop() == 0
