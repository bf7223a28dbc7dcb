"""Many matches with one request, over REST: all or none, or each by itself; once, and within bounds."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import Caller, Platform, Player, Table
from tests.support.processes import Process

BATCH = "/v1/matches/batch"
MODES = pytest.mark.parametrize("mode", ["all", "each"])
MIB = 1024 * 1024


def a_match(seats: int = 2, **more: Any) -> dict[str, Any]:
    return {"game": "river_dragons", "seats": seats, **more}


@pytest.fixture
def run() -> str:
    """Part of the references of one test, and its request id."""
    return str(uuid4())


def of_round(run: str, count: int, **more: Any) -> list[dict[str, Any]]:
    return [a_match(reference=f"{run}/{number}", metadata={"run": run}, **more) for number in range(count)]


def post(
    caller: Caller, mode: str, matches: list[dict[str, Any]], key: str = "", **more: Any
) -> httpx.Response:
    headers = {"idempotency-key": f'"{key}"'} if key else {}
    return caller.post(BATCH, json={"mode": mode, "matches": matches, **more}, headers=headers)


def created(caller: Caller, mode: str, matches: list[dict[str, Any]], key: str = "") -> list[dict[str, Any]]:
    """Create matches, none of which may be refused."""
    answer = post(caller, mode, matches, key)
    assert answer.status_code == 200, answer.text
    results = answer.json()["results"]
    assert [set(one) for one in results] == [{"created"}] * len(matches), answer.text[:2_000]
    return [one["created"] for one in results]


def ids(created: list[dict[str, Any]]) -> list[str]:
    return [one["match"]["match_id"] for one in created]


def of_run(platform: Platform, run: str) -> list[str]:
    """The matches of a test that there are."""
    found = platform.get("/v1/matches", params={"metadata": f'{{"run": "{run}"}}', "page_size": 1_000})
    assert found.status_code == 200, found.text
    return [match["match_id"] for match in found.json()["matches"]]


def must_refuse(answer: httpx.Response, status: int, reason: str, *pointers: str) -> dict[str, Any]:
    problem: dict[str, Any] = answer.json()
    assert (answer.status_code, problem["reason"]) == (status, reason), answer.text
    assert [part.get("pointer") for part in problem.get("errors", ())] == list(pointers)
    return problem


# ── created ────────────────────────────────────────────────────────────────────────────────────────


@MODES
def test_matches_of_a_batch_are_as_if_created_alone(platform: Platform, run: str, mode: str) -> None:
    plan = a_match(
        seating=[{"player": "ada", "name": "Ada", "data": {"colour": "teal"}}, {"kind": "invited"}],
        options={"variant": "expert"},
        clock={"kind": "budget", "seconds": 600, "increment_seconds": 5, "abandoned_after_seconds": 86_400},
        undo_timeout_seconds=60,
        title="Friday",
    )
    alone = platform.post("/v1/matches", json=plan).json()
    first, second = created(platform, mode, [plan, a_match(players=["ada", "bob"])])
    assert first.keys() == alone.keys()
    for one in (first, alone):
        for name in ("match_id", "commitment", "created_at", "updated_at", "links"):
            del one["match"][name]
    assert first["match"] == alone["match"]
    assert [len(first["seat_tokens"]), len(first["invites"])] == [1, 1]
    assert (second["match"]["status"], len(second["seat_tokens"])) == ("running", 2)


def test_a_match_of_a_batch_is_played_with_its_tokens(world: World, platform: Platform) -> None:
    (one,) = created(platform, "all", [a_match(players=["ada", "bob"])])
    token = one["seat_tokens"][0]
    with Player(world.url, one["match"]["match_id"], token["seat"], token["token"]) as player:
        assert player.any_move().status_code == 200


@MODES
def test_500_matches_are_created(platform: Platform, run: str, mode: str) -> None:
    made = created(platform, mode, of_round(run, 500, players=["ada", "bob"]), run)
    assert len(set(ids(made))) == 500
    assert set(of_run(platform, run)) == set(ids(made))
    assert [one["match"]["reference"] for one in made] == [f"{run}/{number}" for number in range(500)]
    assert {one["match"]["status"] for one in made} == {"running"}


# ── refused ────────────────────────────────────────────────────────────────────────────────────────

WRONG = [
    pytest.param({"options": {"board": 1}}, 400, "options/board", id="options"),
    pytest.param({"title": "\u202e"}, 400, "title", id="title"),
    pytest.param(
        {"clock": {"kind": "per_move", "seconds": 9, "increment_seconds": 5}},
        400,
        "clock/increment_seconds",
        id="clock",
    ),
    pytest.param({"seating": [{}, {"level": "random"}]}, 400, "seating/1/kind", id="seating"),
    pytest.param({"seats": 9}, 409, "seats", id="seat count"),
]


@pytest.mark.parametrize(("wrong", "status", "pointer"), WRONG)
def test_the_first_fault_refuses_all(
    platform: Platform, run: str, wrong: dict[str, Any], status: int, pointer: str
) -> None:
    matches = of_round(run, 4)
    matches[2] |= wrong
    alone = platform.post("/v1/matches", json={**a_match(), **wrong}).json()
    problem = must_refuse(
        post(platform, "all", matches), alone["status"], alone["reason"], f"/matches/2/{pointer}"
    )
    assert problem["instance"] == BATCH
    assert of_run(platform, run) == []


@pytest.mark.parametrize(("wrong", "status", "pointer"), WRONG)
def test_each_fault_is_told_at_its_place(
    platform: Platform, run: str, wrong: dict[str, Any], status: int, pointer: str
) -> None:
    matches = of_round(run, 4)
    matches[2] |= wrong
    answer = post(platform, "each", matches)
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [list(one) for one in results] == [["created"], ["created"], ["problem"], ["created"]]
    alone = platform.post("/v1/matches", json={**a_match(), **wrong}).json()
    problem = results[2]["problem"]
    assert [part["pointer"] for part in problem.pop("errors")] == [f"/matches/2/{pointer}"]
    alone.pop("errors", None)
    for one in (problem, alone):
        del one["trace_id"], one["instance"], one["detail"]
    assert problem == alone
    assert len(of_run(platform, run)) == 3


def test_a_taken_reference_is_told_with_the_match_that_has_it(platform: Platform, run: str) -> None:
    known = platform.create(reference=f"{run}/1").json()["match"]["match_id"]
    problem = must_refuse(
        post(platform, "all", of_round(run, 3)), 409, "REFERENCE_TAKEN", "/matches/1/reference"
    )
    assert problem["metadata"]["match_id"] == known
    assert of_run(platform, run) == []
    results = post(platform, "each", of_round(run, 3)).json()["results"]
    assert results[1]["problem"]["metadata"]["match_id"] == known
    assert len(of_run(platform, run)) == 2


@MODES
def test_of_two_with_one_reference_the_second_is_refused(platform: Platform, run: str, mode: str) -> None:
    answer = post(platform, mode, [*of_round(run, 2), *of_round(run, 1)])
    if mode == "all":
        must_refuse(answer, 409, "REFERENCE_TAKEN", "/matches/2/reference")
        assert of_run(platform, run) == []
    else:
        assert answer.json()["results"][2]["problem"]["reason"] == "REFERENCE_TAKEN"
        assert len(of_run(platform, run)) == 2


def test_an_unknown_game_refuses_its_match_or_all(platform: Platform, run: str) -> None:
    mixed = [*of_round(run, 1), a_match() | {"game": "chess"}]
    must_refuse(post(platform, "all", mixed), 400, "MALFORMED_REQUEST", "/matches/1/game")
    must_refuse(post(platform, "all", mixed[1:]), 400, "GAME_UNKNOWN", "/matches/0/game")
    results = post(platform, "each", mixed).json()["results"]
    assert results[1]["problem"]["reason"] == "GAME_UNKNOWN"
    assert results[1]["problem"]["errors"][0]["pointer"] == "/matches/1/game"
    assert ids([results[0]["created"]]) == of_run(platform, run)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        pytest.param({"mode": "all", "matches": []}, "OUT_OF_RANGE", "/matches", id="none"),
        pytest.param({"mode": "all", "matches": [a_match()] * 501}, "OUT_OF_RANGE", "/matches", id="501"),
        pytest.param({"matches": [a_match()]}, "MISSING_FIELD", "/mode", id="no mode"),
        pytest.param({"mode": "some", "matches": [a_match()]}, "OUT_OF_RANGE", "/mode", id="another mode"),
        pytest.param({"mode": "all"}, "MISSING_FIELD", "/matches", id="no matches"),
        pytest.param(
            {"mode": "each", "matches": [a_match(), a_match(request_id="r")]},
            "UNKNOWN_FIELD",
            "/matches/1/request_id",
            id="a request id of one match",
        ),
        pytest.param(
            {"mode": "each", "matches": [a_match(), a_match(seats="2")]},
            "WRONG_TYPE",
            "/matches/1/seats",
            id="text",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_as_a_whole(
    platform: Platform, body: dict[str, Any], code: str, pointer: str
) -> None:
    problem = must_refuse(platform.post(BATCH, json=body), 400, "MALFORMED_REQUEST", pointer)
    assert problem["errors"][0]["code"] == code


def test_a_body_may_have_a_mib_and_no_more(platform: Platform, run: str) -> None:
    big = of_round(run, 500, title="t" * 100)
    for one in big:
        one["metadata"] |= {"note": "n" * 1_500}
    answer = platform.post(BATCH, json={"mode": "all", "matches": big})
    assert 64 * 1024 < len(answer.request.content) < MIB
    assert answer.status_code == 200, answer.text
    too_big = {"mode": "all", "matches": [a_match(title="t" * 2_200) for _ in range(500)]}
    must_refuse(platform.post(BATCH, json=too_big), 413, "BODY_TOO_LARGE")
    must_refuse(
        platform.post("/v1/matches", json=a_match(metadata={"note": "n" * 70_000})), 413, "BODY_TOO_LARGE"
    )


def test_a_part_that_parsers_read_differently_is_found_in_a_large_body_too(platform: Platform) -> None:
    good = b'{"game":"river_dragons","seats":2,"title":"%b"}' % (b"t" * 90)
    twice = b'{"game":"river_dragons","seats":2,"seats":3}'
    body = b'{"mode":"each","matches":[%b,%b]}' % (b",".join([good] * 499), twice)
    assert len(body) > 64 * 1024 - 1_000
    answer = platform.post(BATCH, content=body, headers={"content-type": "application/json"})
    must_refuse(answer, 400, "MALFORMED_REQUEST", "/matches/499/seats")


# ── who may ────────────────────────────────────────────────────────────────────────────────────────


def test_players_create_no_batch(world: World, platform: Platform, table: Table) -> None:
    session = platform.post("/v1/player-sessions", json={"player": "ada"}).json()["token"]
    with Caller(world.url, session) as player:
        must_refuse(post(player, "all", [a_match()]), 403, "TENANT_ONLY")
        must_refuse(player.post(BATCH, content=b"x" * 2 * MIB), 403, "TENANT_ONLY")
    must_refuse(post(table.players[0], "each", [a_match()]), 403, "TENANT_ONLY")
    with Caller(world.url, "ft_" + "A" * 43) as nobody:
        assert post(nobody, "all", [a_match()]).status_code == 401
        unread = nobody.post(BATCH, content=b"x" * 2 * MIB)
        must_refuse(unread, 401, "TOKEN_INVALID")


def test_another_tenant_has_batches_and_references_of_its_own(
    platform: Platform, foreign_platform: Platform, run: str
) -> None:
    ours = ids(created(platform, "all", of_round(run, 3), run))
    theirs = ids(created(foreign_platform, "all", of_round(run, 3), run))
    assert not set(ours) & set(theirs)
    assert of_run(foreign_platform, run) != of_run(platform, run)
    assert foreign_platform.get(f"/v1/matches/{ours[0]}").status_code == 404


# ── repeated ───────────────────────────────────────────────────────────────────────────────────────


@MODES
def test_a_repeat_gets_the_first_matches(platform: Platform, run: str, mode: str) -> None:
    first = created(platform, mode, of_round(run, 5), run)
    again = created(platform, mode, of_round(run, 5), run)
    assert ids(again) == ids(first)
    assert [len(one["seat_tokens"]) for one in again] == [2] * 5
    in_body = post(platform, mode, of_round(run, 5), request_id=run).json()
    assert ids([one["created"] for one in in_body["results"]]) == ids(first)
    must_refuse(
        post(platform, mode, of_round(run, 5), run, request_id="other"), 400, "MALFORMED_REQUEST", None
    )  # type: ignore[arg-type]
    assert len(of_run(platform, run)) == 5


def test_other_content_is_refused(platform: Platform, run: str) -> None:
    first = created(platform, "all", of_round(run, 3), run)
    other = of_round(run, 3)
    other[1]["seats"] = 3
    must_refuse(post(platform, "all", other, run), 422, "REQUEST_ID_REUSED", "/matches/1")
    results = post(platform, "each", other, run).json()["results"]
    assert results[1]["problem"]["reason"] == "REQUEST_ID_REUSED"
    assert results[1]["problem"]["errors"][0]["pointer"] == "/matches/1"
    assert ids([results[0]["created"], results[2]["created"]]) == [ids(first)[0], ids(first)[2]]
    assert len(of_run(platform, run)) == 3


# ── killed ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def own(world: World) -> Iterator[tuple[Process, Process, str]]:
    """A rules server that may be killed, and a gateway before it."""
    name = uuid4().hex
    log = world.folder / f"rules_{name}.log"
    with Process("services.rules", log, **world.rules_settings()) as rules:
        address = rules.start()
        settings = world.gateway_settings(address)
        with Process("gateway", world.folder / f"gateway_{name}.log", **settings) as gateway:
            yield rules, gateway, address


@pytest.mark.slow
@MODES
def test_a_batch_whose_server_is_killed_is_finished_by_its_repeat(
    world: World, platform: Platform, own: tuple[Process, Process, str], run: str, mode: str
) -> None:
    """All of the mode `all` is there or nothing, and each of the other once; another server finishes what is missing."""
    rules, gateway, _ = own
    matches = of_round(run, 500, players=["ada", "bob"])
    with Platform(gateway.start(), world.key) as killed, ThreadPoolExecutor(1) as pool:
        assert killed.get("/v1/games").status_code == 200
        answer = pool.submit(post, killed, mode, matches, run)
        deadline = time.monotonic() + 20
        while not of_run(platform, run) and not answer.done() and time.monotonic() < deadline:
            time.sleep(0.005)
        rules.kill()
        assert answer.result().status_code in {200, 503}
    left = of_run(platform, run)
    assert len(left) == 500 if mode == "all" else 0 < len(left) <= 500

    made = created(platform, mode, matches, run)
    assert len(set(ids(made))) == 500
    assert set(left) <= set(ids(made))
    assert set(of_run(platform, run)) == set(ids(made))
    assert {one["match"]["status"] for one in made} == {"running"}


def test_games_of_several_servers_are_created_with_one_request(
    world: World, platform: Platform, run: str
) -> None:
    """In the order of the request; and while one of the servers is away, the others' matches are created."""
    log = world.folder / f"rules_{run}.log"
    settings = world.gateway_settings(world.rules_address)
    with Process("services.rules", log, **world.rules_settings(), games="al_rashid") as rules:
        settings["rules"] = f"river_dragons={world.rules_address},al_rashid={rules.start()}"
        gateway_log = world.folder / f"gateway_{run}.log"
        with (
            Process("gateway", gateway_log, **settings) as gateway,
            Platform(gateway.start(), world.key) as both,
        ):
            games = ["al_rashid", "river_dragons", "al_rashid", "river_dragons"]
            mixed = [one | {"game": game} for one, game in zip(of_round(run, 4), games, strict=True)]
            mixed[2]["seats"] = 9
            results = post(both, "each", mixed, run).json()["results"]
            assert [list(one) for one in results] == [["created"], ["created"], ["problem"], ["created"]]
            assert [one["created"]["match"]["game"] for one in results if "created" in one] == [
                "al_rashid",
                "river_dragons",
                "river_dragons",
            ]
            assert results[2]["problem"]["errors"][0]["pointer"] == "/matches/2/seats"
            must_refuse(post(both, "all", mixed), 400, "MALFORMED_REQUEST", "/matches/1/game")

            rules.kill()
            again = post(both, "each", mixed, run).json()["results"]
            assert [one.get("problem", {}).get("reason") for one in again] == [
                "RULES_UNAVAILABLE",
                None,
                "RULES_UNAVAILABLE",
                None,
            ]
            assert again[1]["created"]["match"] == results[1]["created"]["match"]
            must_refuse(post(both, "each", mixed[:1], run), 503, "RULES_UNAVAILABLE")
    assert len(of_run(platform, run)) == 3


# ── rate limits ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def strict(world: World, run: str) -> Iterator[Platform]:
    """A tenant at a gateway at which a key may create a hundred matches an hour."""
    settings = world.gateway_settings(world.rules_address) | {"rate_limits": "key.lobby=100/3600"}
    with (
        Process("gateway", world.folder / f"strict_{run}.log", **settings) as gateway,
        Platform(gateway.start(), world.key) as tenant,
    ):
        assert tenant.get("/v1/token").status_code == 200  # the gateway has heard that the key is valid
        yield tenant


def test_a_batch_counts_for_as_many_requests_as_it_has_matches(
    strict: Platform, platform: Platform, run: str
) -> None:
    first = post(strict, "all", of_round(run, 60))
    assert first.status_code == 200, first.text
    assert first.headers["ratelimit"].startswith('"lobby";r=40')
    refused = post(strict, "all", [a_match()] * 60)
    problem = must_refuse(refused, 429, "RATE_LIMITED")
    assert problem["metadata"]["bucket"] == "lobby"
    assert 600 < int(refused.headers["retry-after"]) <= 3600 * 21 / 100
    assert post(strict, "each", [a_match()] * 20).status_code == 200
    assert strict.create().status_code == 201
    assert len(of_run(platform, run)) == 60


def test_a_batch_of_more_than_the_quota_is_taken_while_the_bucket_is_full_and_paid_for(
    strict: Platform, run: str
) -> None:
    assert post(strict, "all", of_round(run, 150)).status_code == 200
    refused = strict.create()
    must_refuse(refused, 429, "RATE_LIMITED")
    assert int(refused.headers["retry-after"]) > 3600 / 2 - 60, (
        "fifty more than an hour's must be paid for first"
    )


def test_a_batch_does_not_hold_up_others(world: World, platform: Platform, table: Table, run: str) -> None:
    """Moves are made while 500 matches are created."""
    done = threading.Event()

    def create() -> None:
        with Platform(world.url, world.key) as busy:
            created(busy, "each", of_round(run, 500), run)
        done.set()

    thread = threading.Thread(target=create)
    thread.start()
    answered = 0
    while not done.is_set():
        assert platform.get(f"{table.path}/view").status_code == 200
        answered += 1
    thread.join()
    assert answered > 10
