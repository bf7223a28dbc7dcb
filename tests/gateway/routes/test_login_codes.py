"""Login codes over REST: a page that has nothing but the code of its link gets a session, once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.table import Caller, Platform


@pytest.fixture
def name() -> str:
    """A player nobody else's test knows."""
    return f"ada-{uuid4()}"


@pytest.fixture
def anybody(platform: Platform) -> Iterator[httpx.Client]:
    """A browser without any credential."""
    with httpx.Client(base_url=platform.base_url, timeout=30) as client:
        yield client


def code_of(platform: Platform, player: str, **more: Any) -> str:
    answer = platform.post("/v1/login-codes", json={"player": player, **more})
    assert answer.status_code == 201, answer.text
    code: str = answer.json()["code"]
    return code


def redeemed(client: httpx.Client, code: str) -> httpx.Response:
    return client.post("/v1/login-codes/redeem", json={"code": code})


def test_a_page_signs_in_with_the_code_of_its_link(
    platform: Platform, anybody: httpx.Client, name: str
) -> None:
    wanted = {"player": name, "scopes": ["play"], "hours": 2, "valid_seconds": 60}
    made = platform.post("/v1/login-codes", json=wanted)
    assert made.status_code == 201, made.text
    assert made.json().keys() == {"code", "player", "expires_at"}
    assert made.json()["player"] == name
    answer = redeemed(anybody, made.json()["code"])
    session = answer.json()
    assert answer.status_code == 201, answer.text
    assert session.keys() == {"player", "token", "scopes", "expires_at"}
    assert (session["player"], session["scopes"]) == (name, ["play", "read"])
    with Caller(str(platform.base_url), session["token"]) as page:
        said = page.get("/v1/token").json()
    assert (said["kind"], said["player"], said["expires_at"]) == ("player", name, session["expires_at"])


def test_neither_answer_is_kept_or_compressed(platform: Platform, anybody: httpx.Client, name: str) -> None:
    compressing = {"accept-encoding": "gzip, br, zstd"}
    made = platform.post("/v1/login-codes", json={"player": name}, headers=compressing)
    got = anybody.post("/v1/login-codes/redeem", json={"code": made.json()["code"]}, headers=compressing)
    for answer in (made, got):
        assert answer.status_code == 201, answer.text
        assert answer.headers["cache-control"] == "private, no-store"
        assert "content-encoding" not in answer.headers


def test_used_and_unknown_codes_are_refused_alike(
    platform: Platform, anybody: httpx.Client, name: str
) -> None:
    used = code_of(platform, name)
    assert redeemed(anybody, used).status_code == 201
    revoked = code_of(platform, name)
    assert platform.post("/v1/player-sessions/revoke", json={"player": name}).status_code == 200
    for code in (used, revoked, "lc_of_nobody", "é"):
        answer = redeemed(anybody, code)
        problem = answer.json()
        assert (answer.status_code, problem["reason"]) == (401, "LOGIN_CODE_INVALID")
        assert code not in answer.text
        assert problem["detail"] == redeemed(anybody, used).json()["detail"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/player"),
        ({"player": "ada", "hours": 721}, "/hours"),
        ({"player": "ada", "valid_seconds": 0}, "/valid_seconds"),
        ({"player": "ada", "valid_seconds": 86_401}, "/valid_seconds"),
        ({"player": "ada", "valid_seconds": 1.5}, "/valid_seconds"),
    ],
)
def test_a_code_for_nobody_or_for_too_long_is_refused(
    platform: Platform, body: dict[str, Any], pointer: str
) -> None:
    answer = platform.post("/v1/login-codes", json=body)
    assert answer.status_code == 400, answer.text
    assert [part["pointer"] for part in answer.json()["errors"]] == [pointer]


def test_what_is_no_code_is_not_repeated_in_the_answer(anybody: httpx.Client) -> None:
    answer = redeemed(anybody, "lc_" + "s3cret" * 30)
    assert answer.status_code == 400, answer.text
    assert "s3cret" not in answer.text


def test_redeeming_counts_for_the_address_of_the_client(
    platform: Platform, anybody: httpx.Client, name: str
) -> None:
    for code in (code_of(platform, name), "lc_of_nobody"):
        assert redeemed(anybody, code).headers["ratelimit-policy"].startswith('"anonymous"')
