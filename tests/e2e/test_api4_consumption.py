"""Nobody uses up what is for all (OWASP API4): bodies, pages, nesting, streams, waiting, requests."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.authorisation import ROUTES, Row
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

JSON = {"content-type": "application/json"}
MAX_BODY_BYTES = 64 * 1024
MANY_MATCHES = "/v1/matches/batch"
MAX_BODY_OF_MANY_MATCHES = 1024 * 1024
MAX_DEPTH = 32
GAME = "river_dragons"


@pytest.fixture(scope="module")
def tenant(several: Several) -> Iterator[httpx.Client]:
    with several.client(several.key) as client:
        yield client


@pytest.fixture(scope="module")
def posts(tenant: httpx.Client) -> list[str]:
    """The path of every operation that takes a body, about a match that is there; but whole documents have bounds of their own."""
    match_id = created(tenant)["match"]["match_id"]
    names = {"match_id": match_id, "seat": 0, "tenant": "ours", "key_id": str(uuid4()), "game": GAME}
    names |= {"endpoint_id": str(uuid4()), "event_id": str(uuid4()), "vacation_id": str(uuid4())}
    paths = tenant.get("/openapi.json").json()["paths"]
    return [
        path.format(**names)
        for path, methods in paths.items()
        if "requestBody" in methods.get("post", {}) and path != "/v1/matches/import"
    ]


def created(tenant: httpx.Client) -> dict[str, Any]:
    made: dict[str, Any] = tenant.post("/v1/matches", json={"game": GAME, "seats": 2}).json()
    return made


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["reason"]


# ── bodies ─────────────────────────────────────────────────────────────────────────────────────────


def test_no_body_is_read_past_64_kib_or_a_mib_of_many_matches(tenant: httpx.Client, posts: list[str]) -> None:
    assert len(posts) > 15
    assert MANY_MATCHES in posts
    for path in posts:
        most = MAX_BODY_OF_MANY_MATCHES if path == MANY_MATCHES else MAX_BODY_BYTES
        large = b'{"title":"' + b"x" * most + b'"}'
        assert refused(tenant.post(path, content=large, headers=JSON)) == (413, "BODY_TOO_LARGE"), path


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")],
    ids=["arrays", "objects", "both"],
)
def test_no_body_is_nested_deeper_than_32_levels(
    tenant: httpx.Client, posts: list[str], opening: str, closing: str
) -> None:
    """Also where it would go to a rules server unread."""
    deep = opening * (MAX_DEPTH + 1) + "0" + closing * (MAX_DEPTH + 1)
    for path in posts:
        for text in (deep, f'{{"action":{deep},"expected_version":1}}', f'{{"options":{deep}}}'):
            answer = tenant.post(path, content=text.encode(), headers=JSON)
            assert refused(answer) == (400, "MALFORMED_REQUEST"), path
            assert [error["code"] for error in answer.json()["errors"]] == ["TOO_DEEP"], path


def test_lists_and_texts_have_an_end(tenant: httpx.Client) -> None:
    for body in (
        {"players": ["a"] * 101},
        {"players": ["a" * 65]},
        {"seating": [{}] * 101},
        {"seats": 101},
        {"title": "x" * 101},
        {"request_id": "x" * 65},
        {"game": "x" * 65},
    ):
        answer = tenant.post("/v1/matches", json={"game": GAME, "seats": 2, **body})
        assert answer.status_code in {400, 422}, body


# ── pages, samples, waiting ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("what", "query"),
    [
        ("moves", {"page_size": "-1"}),
        ("moves", {"page_size": str(2**31)}),
        ("moves", {"page_token": "x" * 1025}),
        ("moves", {"wait": "31s"}),
        ("moves", {"wait": "1h"}),
        ("moves", {"after": str(2**53)}),
        ("legal-actions", {"seat": "0", "samples": "101"}),
        ("view", {"at": str(2**53)}),
        ("view", {f"p{number}": "1" for number in range(40)}),
        ("stream", {"after_version": "-1"}),
        ("stream", {"ticket": "x" * 129}),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) and len(value) < 3 else None,
)
def test_what_a_query_asks_for_is_bounded(tenant: httpx.Client, what: str, query: dict[str, str]) -> None:
    path = f"/v1/matches/{created(tenant)['match']['match_id']}/{what}"
    assert refused(tenant.get(path, params=query)) == (400, "MALFORMED_REQUEST")


def test_a_page_is_as_long_as_was_asked_and_no_longer_than_there_is_to_a_page(tenant: httpx.Client) -> None:
    for _ in range(3):
        created(tenant)
    query = {"visibility": "any", "page_size": "2"}
    page = tenant.get("/v1/matches", params=query).json()
    assert len(page["matches"]) == 2
    assert page["next_page_token"]
    huge = tenant.get("/v1/matches", params=query | {"page_size": str(2**31 - 1)})
    assert huge.status_code == 200
    assert len(huge.json()["matches"]) <= 1_000


# ── streams ────────────────────────────────────────────────────────────────────────────────────────


def test_a_credential_has_so_many_streams_and_leaves_the_others_theirs(
    several: Several, tenant: httpx.Client
) -> None:
    made = created(tenant)
    match_id = made["match"]["match_id"]
    tokens = [given["token"] for given in made["seat_tokens"]]
    path = f"/v1/matches/{match_id}/stream"
    few = {"max_streams_per_credential": "2", "max_streams_per_seat": "2"}
    with several.another_gateway("few_streams", **few) as url, ExitStack() as stack:
        clients = [
            stack.enter_context(
                httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}, trust_env=False)
            )
            for token in (*tokens, several.key)
        ]
        open_streams = [clients[0].send(clients[0].build_request("GET", path), stream=True) for _ in range(2)]
        assert [response.status_code for response in open_streams] == [200, 200]
        for again in (path, f"/v1/matches/{match_id}/moves?after=1&wait=5s"):
            answer = clients[0].get(again)
            assert refused(answer) == (429, "RATE_LIMITED"), "a long poll is a stream, too"
            assert answer.json()["metadata"]["bucket"] == "streams_of_credential"
            assert int(answer.headers["retry-after"]) > 0
        assert clients[0].get(f"/v1/matches/{match_id}/view").status_code == 200, "only streams are used up"
        for other in clients[1:]:
            with other.stream("GET", path) as response:
                assert response.status_code == 200
        for response in open_streams:
            response.close()
        open_again(clients[0], path)


def open_again(client: httpx.Client, path: str) -> None:
    """Open a stream where one was closed; the gateway learns of a hang-up a moment later."""
    ends = time.monotonic() + 30
    while time.monotonic() < ends:
        with client.stream("GET", path) as response:
            if response.status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("a stream that was closed still counts")


def test_a_process_has_so_many_streams(several: Several, tenant: httpx.Client) -> None:
    path = f"/v1/matches/{created(tenant)['match']['match_id']}/stream"
    with (
        several.another_gateway("one_stream", max_streams="1") as url,
        httpx.Client(
            base_url=url, headers={"authorization": f"Bearer {several.key}"}, trust_env=False
        ) as client,
        client.stream("GET", path) as response,
    ):
        assert response.status_code == 200
        for another in (path, "/v1/feed"):
            answer = client.get(another)
            assert refused(answer) == (429, "RATE_LIMITED")
            assert answer.json()["metadata"]["bucket"] == "streams_of_process"


# ── requests ───────────────────────────────────────────────────────────────────────────────────────

FEW = "key.lobby=3/600,key.reads=1000/600,token.moves=2/600,key.admin=2/600,address.anonymous=6/600"


def test_making_matches_by_the_thousand_is_stopped_and_playing_goes_on(
    several: Several, tenant: httpx.Client
) -> None:
    with several.another_gateway("few_matches", rate_limits=FEW) as url:
        with httpx.Client(
            base_url=url, headers={"authorization": f"Bearer {several.key}"}, trust_env=False
        ) as ours:
            assert ours.get("/v1/token").status_code == 200  # from here on the key has buckets of its own
            body = {"game": GAME, "seats": 2}
            answers = [ours.post("/v1/matches", json=body) for _ in range(4)]
            assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
            assert answers[3].json()["metadata"]["bucket"] == "lobby"
            assert answers[3].headers["ratelimit"].startswith('"lobby";r=0;t=')
            made = answers[0].json()
            assert ours.get(f"/v1/matches/{made['match']['match_id']}").status_code == 200
            assert refused(ours.post("/v1/matches/quick-join", json=body)) == (429, "RATE_LIMITED")
        with httpx.Client(
            base_url=url, headers={"authorization": f"Bearer {several.keys['foreign']}"}, trust_env=False
        ) as theirs:
            assert theirs.get("/v1/token").status_code == 200
            assert theirs.post("/v1/matches", json=body).status_code == 201, (
                "one tenant costs another nothing"
            )


def test_guessing_credentials_is_slow_and_buys_no_fresh_bucket(several: Several) -> None:
    """Every guess comes out of the bucket of the address it was sent from."""
    with (
        several.another_gateway("guessing", rate_limits=FEW) as url,
        httpx.Client(base_url=url, trust_env=False) as client,
    ):
        told = [
            client.get("/v1/token", headers={"authorization": f"Bearer ft_test_{uuid4().hex}"}).status_code
            for _ in range(9)
        ]
    assert told == [401] * 6 + [429] * 3


def test_moves_of_one_seat_are_counted_for_that_seat(several: Several, tenant: httpx.Client) -> None:
    made = created(tenant)
    path = f"/v1/matches/{made['match']['match_id']}/moves"
    with (
        several.another_gateway("few_moves", rate_limits=FEW) as url,
        httpx.Client(base_url=url, trust_env=False) as client,
    ):
        told = [
            client.post(
                path,
                json={"action": {"type": "jump"}, "expected_version": 1},
                headers={"authorization": f"Bearer {token['token']}"},
            ).status_code
            for token in made["seat_tokens"]
            for _ in range(3)
        ]
    assert told == [400, 400, 429] * 2


def test_every_limit_is_documented_where_it_is_met(tenant: httpx.Client) -> None:
    """A client learns its bucket from the document before it learns it the hard way."""
    paths = tenant.get("/openapi.json").json()["paths"]
    limited: dict[str, Row] = {row.operation: row for row in ROUTES if row.rule != "public"}
    for methods in paths.values():
        for described in methods.values():
            if described.get("operationId") in limited:
                assert described["x-rate-limit-bucket"] in {"reads", "moves", "lobby", "streams", "admin"}
                assert "429" in described["responses"]
                assert "RateLimit" in json.dumps(described["responses"])
