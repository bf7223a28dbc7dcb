"""What is for administrators (OWASP API5): nobody gets there by asking in another way, and nobody grows by it.

Who may call which route at all is the authorisation matrix's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.several_of_each import KEYS, OPERATOR, OURS, Several

pytestmark = pytest.mark.slow

EVERY_SCOPE = ["matches:read", "matches:write", "keys:write", "tenants:admin"]


@pytest.fixture(scope="module")
def manager(several: Several) -> Iterator[httpx.Client]:
    """Holds a key for the keys of its tenant, and for nothing else."""
    with several.client(several.keys["manager"]) as client:
        yield client


@pytest.fixture(scope="module")
def operator(several: Several) -> Iterator[httpx.Client]:
    with several.client(several.keys["operator"]) as client:
        yield client


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["reason"]


def key_labelled(operator: httpx.Client, tenant: str, label: str) -> dict[str, Any]:
    keys: list[dict[str, Any]] = operator.get(f"/v1/tenants/{tenant}/keys").json()["keys"]
    (found,) = (key for key in keys if key["label"] == label)
    return found


@pytest.mark.parametrize("scope", [scope for scope in EVERY_SCOPE if scope != "keys:write"])
def test_nobody_hands_out_more_than_he_has(manager: httpx.Client, scope: str) -> None:
    for scopes in ([scope], ["keys:write", scope]):
        answer = manager.post(f"/v1/tenants/{OURS}/keys", json={"scopes": scopes})
        assert refused(answer) == (403, "SCOPE_MISSING")
        assert answer.json()["metadata"] == {"scope": scope}


def test_nobody_gets_a_stronger_key_by_replacing_it(manager: httpx.Client, operator: httpx.Client) -> None:
    """The successor of a key is told to whoever replaces it."""
    strong = key_labelled(operator, OURS, "tenant")
    answer = manager.post(f"/v1/keys/{strong['key_id']}/rotate", json={"grace_seconds": 0})
    assert refused(answer) == (403, "SCOPE_MISSING")
    assert "secret" not in answer.text
    assert key_labelled(operator, OURS, "tenant") == strong, "and the key is as it was"


def test_the_operators_key_is_out_of_reach(manager: httpx.Client, operator: httpx.Client) -> None:
    key_id = key_labelled(operator, OPERATOR, "operator")["key_id"]
    assert refused(manager.post(f"/v1/keys/{key_id}/rotate")) == (404, "KEY_NOT_FOUND")
    assert refused(manager.delete(f"/v1/keys/{key_id}")) == (404, "KEY_NOT_FOUND")
    assert operator.get("/v1/tenants").status_code == 200


def test_the_operator_opens_no_match_with_the_own_key(operator: httpx.Client) -> None:
    """Whoever runs the system can issue keys, and that is written down; looking at cards goes through a key."""
    assert KEYS["operator"][1] == ("tenants:admin",)
    for path in ("/v1/matches", "/v1/feed"):
        assert refused(operator.get(path)) == (403, "SCOPE_MISSING")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_no_other_method_leads_there(several: Several, method: str) -> None:
    with several.client(several.key) as tenant:
        for path in ("/v1/tenants", f"/v1/tenants/{OURS}/keys", "/v1/matches"):
            answer = tenant.request(method, path)
            assert refused(answer) == (405, "METHOD_NOT_ALLOWED")
            assert method not in answer.headers["allow"]


@pytest.mark.parametrize(
    "header", ["x-http-method-override", "x-http-method", "x-method-override"], ids=lambda name: name
)
def test_a_method_in_a_header_is_not_listened_to(
    manager: httpx.Client, operator: httpx.Client, header: str
) -> None:
    key = manager.post(f"/v1/tenants/{OURS}/keys", json={"scopes": ["keys:write"], "label": header}).json()
    answer = manager.post(f"/v1/keys/{key['key']['key_id']}", headers={header: "DELETE"})
    assert refused(answer) == (405, "METHOD_NOT_ALLOWED")
    assert key_labelled(operator, OURS, header)["revoked_at"] is None


@pytest.mark.parametrize(
    "path",
    [
        "/V1/tenants",
        "/v1/Tenants",
        "/v1//tenants",
        "/v1/tenants/",
        "/v1/./tenants/",
        "/v1/matches/../tenants/",
        "/v1/%2e%2e/v1/tenants",
        "/v1/tenants%2f",
        "/v1/tenants;a=b",
        "/v1/tenants.json",
        "/internal/tenants",
        "/admin",
        "/v0/tenants",
        "/v2/tenants",
        "/redoc",
        "/foldtable.platform.v1.PlatformService/ListTenants",
        "/foldtable.matches.v1.MatchService/CreateMatch",
    ],
)
def test_no_other_path_leads_there(several: Several, path: str) -> None:
    """The path goes out as it is written: a client would tidy it up."""
    with several.client(several.keys["operator"]) as operator:
        url = httpx.URL(several.urls[0]).copy_with(raw_path=path.encode())
        for method in ("GET", "POST"):
            answer = operator.request(method, url)
            assert refused(answer) == (404, "ROUTE_NOT_FOUND"), answer.request.url


def test_a_forwarded_address_opens_nothing(several: Several) -> None:
    """Nobody is let in for where he says he comes from, or for who he says he is."""
    names = (
        "x-forwarded-for",
        "x-real-ip",
        "x-original-url",
        "x-rewrite-url",
        "x-tenant",
        "x-user",
        "forwarded",
    )
    headers = dict.fromkeys(names, "127.0.0.1") | {"x-original-url": "/v1/tenants", "x-tenant": OPERATOR}
    with several.client(several.key) as tenant:
        assert refused(tenant.get("/v1/tenants", headers=headers)) == (403, "SCOPE_MISSING")
    with several.client(None) as nobody:
        assert refused(nobody.get("/v1/tenants", headers=headers)) == (401, "TOKEN_MISSING")
