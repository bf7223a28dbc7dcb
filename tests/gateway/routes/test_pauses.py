"""Pauses and added time over REST; and a whole match of weeks, with all that happens in one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from httpx_sse import connect_sse

from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Caller, Platform, Table, unmarked
from tests.support.passing_time import run_out

DAYS = {"kind": "per_move", "seconds": 3 * 86_400}


def soon(found: Callable[[], Any], seconds: float = 20) -> Any:
    """Wait until something is there, and give it."""
    deadline = time.monotonic() + seconds
    while not (there := found()):
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return there


@pytest.fixture
def tenant(world: World, operator: Platform) -> Iterator[Platform]:
    """A new tenant that records what a platform of correspondence matches wants to know."""
    name = f"t{uuid4().hex[:12]}"
    operator.post("/v1/tenants", json={"tenant": name}).raise_for_status()
    scopes = {"scopes": ["matches:write", "webhooks:write"]}
    issued = operator.post(f"/v1/tenants/{name}/keys", json=scopes)
    with Platform(world.url, issued.raise_for_status().json()["secret"]) as tenant:
        kinds = {"event_types": ["match.paused", "match.resumed", "deadline.near", "match.ended"]}
        tenant.put("/v1/events/recording", json=kinds).raise_for_status()
        yield tenant


def told(tenant: Platform, match_id: str) -> list[str]:
    page = tenant.get("/v1/events", params={"limit": 200}).json()
    return [
        one["type"].removeprefix("foldtable.").removesuffix(".v1")
        for one in page["events"]
        if one["data"]["match_id"] == match_id
    ]


def test_a_paused_match_says_so_everywhere(platform: Platform, table: Table) -> None:
    answer = platform.post(f"{table.path}/pause", headers={"idempotency-key": '"stop"'})
    assert (answer.status_code, unmarked(answer)) == (200, '"v:2"')
    assert answer.json()["events"] == [{"type": "match_paused", "by": "tenant", "seat": None}]
    again = platform.post(f"{table.path}/pause", headers={"idempotency-key": '"stop"'})
    assert again.headers["idempotent-replayed"] == "true"
    match = table.match()
    assert (match["paused_by"], match["status"], match["to_act"]) == ("tenant", "running", [])
    listed = platform.get("/v1/matches", params={"page_size": 100}).json()["matches"]
    assert [one["paused_by"] for one in listed if one["match_id"] == table.match_id] == ["tenant"]
    seen = table.players[0].look("table").json()
    assert (seen["match"]["paused_by"], seen["pending"], seen["legal"]) == ("tenant", [], None)
    refused = table.players[0].move(PROGRAM, 2)
    assert (refused.status_code, refused.json()["reason"]) == (409, "MATCH_PAUSED")
    assert table.players[0].post(f"{table.path}/resume").json()["reason"] == "PAUSE_NOT_ALLOWED"
    assert platform.post(f"{table.path}/resume").json()["to_act"] == [0, 1]
    assert table.match()["paused_by"] is None
    assert platform.post(f"{table.path}/resume").json()["reason"] == "NOT_PAUSED"


def test_an_open_stream_hears_of_the_pause_and_of_its_end(platform: Platform, table: Table) -> None:
    with connect_sse(table.players[1], "GET", f"{table.path}/stream") as source:
        events = source.iter_sse()
        next(event for event in events if event.data)
        platform.post(f"{table.path}/pause").raise_for_status()
        paused = next(event for event in events if event.data).json()
        assert (paused["events"][0]["type"], paused["to_act"]) == ("match_paused", [])
        platform.post(f"{table.path}/resume").raise_for_status()
        resumed = next(event for event in events if event.data).json()
        assert (resumed["events"][0]["type"], resumed["to_act"]) == ("match_resumed", [0, 1])


def test_an_open_stream_of_tables_hears_of_it_too(platform: Platform, table: Table) -> None:
    query = {"include": "table"}
    with connect_sse(table.players[1], "GET", f"{table.path}/stream", params=query) as source:
        events = source.iter_sse()
        first = next(event for event in events if event.data).json()
        assert first["match"]["paused_by"] is None
        platform.post(f"{table.path}/pause").raise_for_status()
        patched = next(event for event in events if event.event == "table.patched")
        assert '"paused_by":"tenant"' in patched.data.replace(" ", "") or "/match/paused_by" in patched.data


def test_players_agree_on_a_pause(platform: Platform, table: Table) -> None:
    first, second = table.players
    assert first.post(f"{table.path}/pause").json()["events"] == [{"type": "pause_proposed", "seat": 0}]
    assert first.look("view").json()["proposal"]["kind"] == "pause"
    assert [(one["kind"], one["seat"]) for one in table.match()["todos"]] == [("answer_pause", 1)]
    assert second.post(f"{table.path}/pause/answer", json={"accept": True}).status_code == 428
    agreed = second.post(f"{table.path}/pause/answer", json={"accept": True, "expected_version": 2})
    assert [event["type"] for event in agreed.json()["events"]] == ["pause_answered", "match_paused"]
    assert (table.match()["paused_by"], table.match()["todos"]) == ("consent", [])
    assert first.post(f"{table.path}/resume").status_code == 200


def test_time_is_given(platform: Platform) -> None:
    with platform.new_table(clock=DAYS) as table:
        gift = {"seats": [1], "seconds": 3600}
        given = table.players[0].post(f"{table.path}/add-time", json=gift).json()
        assert given["events"] == [{"type": "time_added", "by": 0, **gift}]
        assert given["clocks"]["seats"][1]["left_seconds"] == pytest.approx(3 * 86_400 + 3600, abs=20)
        own = table.players[1].post(f"{table.path}/add-time", json=gift)
        assert (own.status_code, own.json()["facts"]) == (422, {"reason": "OWN_CLOCK"})
        for wrong, field in (
            ({"seats": [], "seconds": 1}, "/seats"),
            ({"seats": [7], "seconds": 1}, "/seats"),
            ({"seats": [0], "seconds": 0}, "/seconds"),
            ({"seats": [0]}, "/seconds"),
        ):
            refused = platform.post(f"{table.path}/add-time", json=wrong)
            pointers = [one["pointer"] for one in refused.json()["errors"]]
            assert (refused.status_code, pointers) == (400, [field])


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"remind_before_seconds": 0}, "remind_before_seconds"), ({"vacations": "yes"}, "vacations")],
)
def test_a_clock_that_cannot_be(platform: Platform, wrong: dict[str, Any], field: str) -> None:
    refused = platform.create(2, clock={**DAYS, **wrong})
    assert refused.status_code == 400
    assert [one["pointer"] for one in refused.json()["errors"]] == [f"/clock/{field}"]


def test_a_clock_says_what_it_was_asked_for(platform: Platform) -> None:
    clock = platform.create(2, clock={**DAYS, "remind_before_seconds": 60, "vacations": True}).json()
    said = clock["match"]["clock"]
    assert (said["remind_before_seconds"], said["vacations"]) == (60, True)
    said = platform.create(2, clock=DAYS).json()["match"]["clock"]
    assert (said["remind_before_seconds"], said["vacations"]) == (None, False)


def test_a_match_of_weeks(world: World, tenant: Platform) -> None:
    """Reminded, on vacation, given time, paused, replaced, timed out; then replayed and verified."""
    ada, bob, cleo = (f"{name}-{uuid4()}" for name in ("ada", "bob", "cleo"))
    clock = {**DAYS, "remind_before_seconds": 86_400, "vacations": True, "away_after": 3}
    with tenant.new_table(players=[ada, bob], clock=clock, reference=f"round-1-{uuid4()}") as table:
        path, match_id = table.path, table.match_id
        first, second = table.players
        first.move(PROGRAM, 1).raise_for_status()

        def earlier(seat: int, time: str) -> None:
            with psycopg.connect(world.database_url, autocommit=True) as connection:
                connection.execute(
                    "UPDATE clocks SET deadline_at = deadline_at - %s::interval, remind_at = remind_at - %s::interval "
                    "WHERE match_id = %s AND seat = %s",
                    (time, time, match_id, seat),
                )

        earlier(1, "2 days 1 hour")
        soon(lambda: "deadline.near" in told(tenant, match_id))

        until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 7 * 86_400))
        vacation = tenant.post("/v1/vacations", json={"player": bob, "until": until})
        assert vacation.status_code == 201, vacation.text
        soon(lambda: table.match()["clocks"]["seats"][1]["on_vacation"])
        assert table.match()["clocks"]["seats"][1]["deadline"] is None
        cancelled = tenant.delete(f"/v1/vacations/{vacation.json()['vacation_id']}")
        assert cancelled.status_code in {200, 204}, cancelled.text
        soon(lambda: not table.match()["clocks"]["seats"][1]["on_vacation"])
        left = table.match()["clocks"]["seats"][1]["left_seconds"]
        assert left == pytest.approx(23 * 3600, abs=60), "what was left before"

        tenant.post(f"{path}/add-time", json={"seats": [1], "seconds": 86_400}).raise_for_status()
        first.post(f"{path}/pause").raise_for_status()
        body = {"accept": True, "expected_version": table.match()["version"]}
        second.post(f"{path}/pause/answer", json=body).raise_for_status()
        second.post(f"{path}/resume").raise_for_status()

        replaced = tenant.post(f"{path}/seats/1/replace", json={"player": cleo})
        assert replaced.status_code == 200, replaced.text
        assert second.get(path).status_code in {401, 403}
        with Caller(world.url, replaced.json()["seat_token"]["token"]) as third:
            version = table.match()["version"]
            moved = third.post(f"{path}/moves", json={"action": PROGRAM, "expected_version": version})
            assert moved.status_code == 200, moved.text
            seat = moved.json()["to_act"][0]
            run_out(world.database_url, match_id, seat)
            version = moved.json()["version"]
            soon(lambda: table.match()["version"] > version)
            third.post(f"{path}/resign", json={}).raise_for_status()

        assert told(tenant, match_id)[-1] == "match.ended"
        assert {"match.paused", "match.resumed"} <= set(told(tenant, match_id))
        steps = tenant.get(f"{path}/replay").json()["steps"]
        kinds = [event["type"] for step in steps for event in step["move"]["events"]]
        assert {"vacation_began", "vacation_ended", "time_added", "match_paused", "match_resumed"} <= {*kinds}
        verified = tenant.get(f"{path}/verify").json()
        assert (verified["ok"], verified["decided_again"]) == (True, True), verified
