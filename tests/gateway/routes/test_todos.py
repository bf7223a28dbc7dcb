"""Who has something to do besides moving learns of it: in the match, the table, lists, feeds, streams and events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from httpx_sse import EventSource

from tests.gateway.conftest import World
from tests.gateway.live.test_streams import following
from tests.gateway.routes.test_player_sessions import signed_in
from tests.gateway.table import Caller, Platform, Table


@pytest.fixture
def players() -> list[str]:
    """Two players whom no other test knows."""
    return [f"{name}-{uuid4()}" for name in ("ada", "bob")]


@pytest.fixture
def table(platform: Platform, players: list[str]) -> Iterator[Table]:
    with platform.new_table(2, players=players) as table:
        yield table


@pytest.fixture
def tenant(world: World, operator: Platform) -> Iterator[Platform]:
    """A new tenant that records the events of consent."""
    name = f"t{uuid4().hex[:12]}"
    operator.post("/v1/tenants", json={"tenant": name}).raise_for_status()
    scopes = {"scopes": ["matches:write", "webhooks:write", "bots:play"]}
    issued = operator.post(f"/v1/tenants/{name}/keys", json=scopes).raise_for_status().json()
    with Platform(world.url, issued["secret"]) as tenant:
        kinds = {"event_types": ["consent.asked", "consent.settled"]}
        tenant.put("/v1/events/recording", json=kinds).raise_for_status()
        yield tenant


def ask(table: Table, what: str, seat: int, **body: Any) -> None:
    if what != "abort":
        body["expected_version"] = table.match()["version"]
    answer = table.players[seat].post(f"{table.path}/{what}", json=body)
    assert answer.status_code == 200, answer.text


def todos(table: Table) -> list[tuple[str, int]]:
    return [(one["kind"], one["seat"]) for one in table.match()["todos"]]


def listed(platform: Platform, player: str) -> list[str]:
    page = platform.get("/v1/matches", params={"waiting_for": player}).json()["matches"]
    return [match["match_id"] for match in page]


def in_feed(platform: Platform, player: str) -> list[dict[str, Any]]:
    """What a player's feed begins with."""
    with platform.stream("GET", "/v1/feed", params={"player": player}) as response:
        first = next(event for event in EventSource(response).iter_sse() if event.data)
    found: list[dict[str, Any]] = first.json()["matches"]
    return found


def events_of(platform: Platform, match_id: str, kind: str) -> list[dict[str, Any]]:
    page = platform.get("/v1/events", params={"limit": 200}).json()
    return [
        one["data"]
        for one in page["events"]
        if one["type"] == f"foldtable.{kind}.v1" and one["data"].get("match_id") == match_id
    ]


def soon(told: Callable[[], Any], seconds: float = 30) -> Any:
    """Return the first thing that holds."""
    deadline = time.monotonic() + seconds
    while not (found := told()):
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.1)
    return found


def changed_by(tables: Iterator[Any]) -> Iterator[str]:
    """What the patches of a stream with tables change."""
    for event in tables:
        if event.event == "table.patched":
            yield from [step["path"] for step in event.json()["patch"]]


PROPOSALS = [pytest.param("abort", {}, id="abort"), pytest.param("undo", {"to": 1}, id="undo")]


@pytest.mark.parametrize(("what", "body"), PROPOSALS)
def test_who_must_answer_is_told_everywhere(
    platform: Platform, table: Table, players: list[str], what: str, body: dict[str, Any]
) -> None:
    table.play_on(2)
    ask(table, what, 0, **body)
    (todo,) = table.match()["todos"]
    assert (todo["kind"], todo["seat"], todo["player"]) == (f"answer_{what}", 1, players[1])
    proposal = table.players[1].look("table").json()["proposal"]
    assert todo["deadline"] == proposal["expires_at"]
    assert table.players[0].look("table").json()["match"]["todos"] == [todo]
    assert listed(platform, players[1]) == [table.match_id]
    (match,) = in_feed(platform, players[1])
    assert (match["waiting_for_me"], match["todos"]) == (True, [todo])
    assert players[1] in match["waiting_for"]

    ask(table, f"{what}/answer", 1, accept=False)
    assert todos(table) == []
    assert table.players[0].look("table").json()["match"]["todos"] == []
    assert in_feed(platform, players[1])[0]["todos"] == []


@pytest.mark.parametrize(("what", "body"), PROPOSALS)
def test_a_seat_that_has_answered_has_nothing_to_do(
    platform: Platform, what: str, body: dict[str, Any]
) -> None:
    with platform.new_table(3) as table:
        table.play_on(3)
        ask(table, what, 0, **body)
        assert todos(table) == [(f"answer_{what}", 1), (f"answer_{what}", 2)]
        ask(table, f"{what}/answer", 2, accept=True)
        assert todos(table) == [(f"answer_{what}", 1)]


def by_a_move(table: Table) -> None:
    seat = table.match()["to_act"][0]
    table.players[seat].any_move().raise_for_status()


ENDS = {
    "accepted": lambda table: ask(table, "abort/answer", 1, accept=True),
    "refused": lambda table: ask(table, "abort/answer", 1, accept=False),
    "moved": by_a_move,
    "ended": lambda table: table.players[1].post(f"{table.path}/resign", json={}).raise_for_status(),
}


@pytest.mark.parametrize("clock", [None, {"kind": "per_move", "seconds": 3600}], ids=["no clock", "clock"])
@pytest.mark.parametrize("result", ENDS)
def test_events_say_who_is_asked_and_how_it_ends(
    tenant: Platform, result: str, clock: dict[str, Any] | None, players: list[str]
) -> None:
    more = {} if clock is None else {"clock": clock}
    with tenant.new_table(2, players=players, **more) as table:
        table.play_on(2)
        ask(table, "abort", 0)
        version = table.match()["version"]
        ENDS[result](table)
        assert todos(table) == []
        asked, settled = (
            soon(lambda kind=kind: events_of(tenant, table.match_id, kind))
            for kind in ("consent.asked", "consent.settled")
        )
    assert [(one["seat"], one["player"], one["proposal"], one["version"]) for one in asked] == [
        (1, players[1], "abort", version)
    ]
    assert [(one["seat"], one["player"], one["proposal"], one["result"]) for one in settled] == [
        (0, players[0], "abort", result)
    ]


def test_a_proposal_whose_time_is_up_waits_for_nobody(tenant: Platform, players: list[str]) -> None:
    """The feed and the stream say so when it happens, without a move."""
    with (
        tenant.new_table(2, players=players, undo_timeout_seconds=3) as table,
        tenant.stream("GET", "/v1/feed", params={"player": players[1]}) as response,
        following(table.players[0], table.path, include="table") as (_, tables),
        following(table.players[0], table.path) as (_, events),
    ):
        feed = (event.json() for event in EventSource(response).iter_sse() if event.data)
        next(feed), next(tables), next(events)
        table.play_on(2)
        ask(table, "abort", 0)
        in_time = next(one for one in feed if one["todos"])
        assert (in_time["waiting_for_me"], in_time["todos"][0]["kind"]) == (True, "answer_abort")
        late = next(one for one in feed if not one["todos"])
        assert late["version"] == in_time["version"]
        told = [
            one.json() for one in (next(e for e in events if e.event == "seats.updated") for _ in range(2))
        ]
        assert [[todo["kind"] for todo in one["todos"]] for one in told] == [["answer_abort"], []]
        for _ in range(2):  # it comes, and it goes
            next(path for path in changed_by(tables) if path.startswith("/match/todos"))
        assert todos(table) == []
        assert listed(tenant, players[1]) == ([table.match_id] if 1 in table.match()["to_act"] else [])
        (settled,) = soon(lambda: events_of(tenant, table.match_id, "consent.settled"))
        assert (settled["result"], settled["seat"]) == ("expired", 0)
        by_a_move(table)
        ask(table, "abort", 1)
        ask(table, "abort/answer", 0, accept=False)
        results = soon(
            lambda: len(found := events_of(tenant, table.match_id, "consent.settled")) > 1 and found
        )
        assert [one["result"] for one in results] == ["expired", "refused"], "each is settled once"


def test_who_was_away_is_asked_to_return(platform: Platform, players: list[str]) -> None:
    clock = {"kind": "per_move", "seconds": 1, "absent": "policy", "away_after": 1}
    with platform.new_table(2, players=players, clock=clock) as table:
        found = soon(lambda: [one for one in table.match()["todos"] if one["kind"] == "return"], 30)
        seat = found[0]["seat"]
        assert (found[0]["player"], found[0]["deadline"]) == (players[seat], None)
        assert table.match_id in listed(platform, players[seat])
        assert in_feed(platform, players[seat])[0]["waiting_for_me"]


def test_whoever_is_not_ready_is_asked_where_the_match_starts_on_demand(
    platform: Platform, players: list[str]
) -> None:
    seating = [{"player": players[0]}, {"kind": "bot", "level": "greedy"}, {"kind": "open"}]
    on_demand = platform.create(3, seating=seating, start="on_demand").json()["match"]
    assert [(one["kind"], one["seat"]) for one in on_demand["todos"]] == [("get_ready", 0)], "bots are ready"
    assert on_demand["match_id"] in listed(platform, players[0])
    ready = platform.patch(f"{on_demand['links']['self']}/seats/0", json={"ready": True}).json()
    assert ready["todos"] == []
    assert on_demand["match_id"] not in listed(platform, players[0])
    when_full = platform.create(3, seating=seating, start="when_full").json()["match"]
    assert when_full["todos"] == [], "it starts whether they are ready or not"


def test_who_is_invited_finds_the_match_until_the_seat_is_taken(
    platform: Platform, players: list[str]
) -> None:
    ada, bob = players
    seating = [{"player": ada}, {"kind": "invited", "player": bob}]
    with platform.stream("GET", "/v1/feed", params={"player": bob}) as response:
        feed = (event.json() for event in EventSource(response).iter_sse() if event.data)
        assert next(feed) == {"matches": []}
        created = platform.create(2, seating=seating).json()
        match = created["match"]
        told = next(feed)
        assert (told["match_id"], told["waiting_for_me"]) == (match["match_id"], True)
        assert [(one["kind"], one["seat"], one["player"]) for one in told["todos"]] == [
            ("take_invite", 1, bob)
        ]
        assert match["todos"] == told["todos"]
        assert listed(platform, bob) == [match["match_id"]]
        assert [one["match_id"] for one in in_feed(platform, bob)] == [match["match_id"]]
        with Caller(str(platform.base_url), created["invites"][0]["token"]) as invited:
            invited.post(f"{match['links']['self']}/join", json={}).raise_for_status()
        assert next(one for one in feed if not one["todos"])["match_id"] == match["match_id"]
    assert platform.get(match["links"]["self"]).json()["todos"] == []


def test_a_seat_kept_in_a_rematch_is_its_players_to_take(platform: Platform, players: list[str]) -> None:
    with platform.new_table(2, players=players) as table:
        table.end()
        following_match = table.players[0].post(f"{table.path}/rematch").json()["match"]
        kept = [(one["kind"], one["player"]) for one in following_match["todos"]]
        assert kept == [("take_seat", players[1])]
        assert following_match["match_id"] in listed(platform, players[1])
        table.players[1].post(f"{table.path}/rematch").raise_for_status()
        assert platform.get(following_match["links"]["self"]).json()["todos"] == []


def test_a_tenants_own_bot_is_asked_and_the_servers_agree(tenant: Platform) -> None:
    with tenant.new_table(3) as table:
        table.play_on(3)
        seat = f"{table.path}/seats"
        tenant.post(f"{seat}/1/bot", json={"bot": "deep"}).raise_for_status()
        tenant.post(f"{seat}/2/bot", json={"level": "greedy"}).raise_for_status()
        ask(table, "abort", 0)
        assert todos(table) == [("answer_abort", 1)]
        turns = tenant.get("/v1/bots/turns").json()["matches"]
        # A built-in bot may have to move; it is never asked, because the servers agree for it.
        waiting = [one["waiting_bots"] for one in turns if one["match_id"] == table.match_id]
        assert 1 in {bot["seat"] for bots in waiting for bot in bots}
        tenant.post(f"{seat}/1/bot", json={"level": "greedy"}).raise_for_status()
        assert table.match()["status"] == "ended", "whoever takes the seat over has answered"
        (settled,) = soon(lambda: events_of(tenant, table.match_id, "consent.settled"))
        assert settled["result"] == "accepted"


def test_a_session_finds_what_its_player_has_to_do(platform: Platform, players: list[str]) -> None:
    with platform.new_table(2, players=players) as table, signed_in(platform, players[1]) as bob:
        table.play_on(2)
        ask(table, "abort", 0)
        (match,) = bob.get("/v1/matches", params={"waiting_for": players[1]}).json()["matches"]
        assert [one["kind"] for one in match["todos"]] == ["answer_abort"]
        with bob.stream("GET", "/v1/feed") as response:
            first = next(event for event in EventSource(response).iter_sse() if event.data).json()
        assert first["matches"][0]["waiting_for_me"] is True


def test_a_match_that_its_tenant_calls_off_asks_nobody(tenant: Platform, players: list[str]) -> None:
    with tenant.new_table(2, players=players) as table:
        table.play_on(2)
        ask(table, "abort", 0)
        tenant.post(f"{table.path}/abort", json={}).raise_for_status()
        assert todos(table) == []
        (settled,) = soon(lambda: events_of(tenant, table.match_id, "consent.settled"))
        assert settled["result"] == "ended"
