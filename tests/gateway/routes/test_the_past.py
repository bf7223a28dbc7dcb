"""The past of a match over REST: replays in pages and in lines, exports with their schema, imports."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any
from uuid import uuid4

import httpx
import jsonschema
import pytest

from services.movelog.export.format import export_schema
from tests.gateway.table import Platform, Table
from tests.support.match_documents import a_match, document_of
from tests.support.winding_matches import a_match_of_many_rows

ROOT = Path(__file__).resolve().parents[3]
LINES = {"accept": "application/x-ndjson"}


def lines_of(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert "content-length" not in answer.headers, "it goes out as it comes"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_pages_and_lines_tell_the_same(table: Table) -> None:
    table.play_on(7)
    whole = lines_of(table.platform.get(f"{table.path}/replay?audience=referee", headers=LINES))
    assert [line["version"] for line in whole] == list(range(1, 9))
    steps: list[Any] = []
    token = ""
    while not steps or token:
        query = {"audience": "referee", "page_size": 3, "page_token": token}
        page = table.platform.get(f"{table.path}/replay", params=query).json()
        assert (page["version"], page["status"]) == (8, "running")
        steps += page["steps"]
        token = page["next_page_token"]
    assert steps == whole


def test_each_step_is_the_view_and_the_move_of_that_version(table: Table) -> None:
    table.play_on(5)
    player = table.players[0]
    steps = player.get(f"{table.path}/replay").json()["steps"]
    moves = player.get(f"{table.path}/moves").json()["moves"]
    assert [step["move"] for step in steps] == moves
    for step in steps:
        assert step["view"] == player.look("view", at=step["version"]).json()["view"]
    views = player.get(f"{table.path}/replay?what=views&from=2&to=3").json()["steps"]
    assert views == [{"version": step["version"], "view": step["view"]} for step in steps[1:3]]


@pytest.mark.parametrize(
    ("query", "status", "parameter"),
    [
        ("what=dice", 400, "what"),
        ("from=0", 404, None),
        ("to=99", 404, None),
        ("from=2&to=1", 400, "to"),
        ("page_token=bm90IGEgdG9rZW4", 400, "page_token"),
        ("audience=referee", 403, None),
    ],
)
def test_what_cannot_be_replayed_is_refused(
    table: Table, query: str, status: int, parameter: str | None
) -> None:
    table.play_on(1)
    for headers in ({}, LINES):
        answer = table.players[0].get(f"{table.path}/replay?{query}", headers=headers)
        assert answer.status_code == (400 if "page_token" in query else status)
        assert answer.headers["content-type"] == "application/problem+json"
        if parameter:
            assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]


def test_once_it_is_over_a_player_replays_it_with_anybody_s_eyes(table: Table) -> None:
    table.play_on(4)
    table.end()
    for query in ("audience=referee", "seat=0", "seat=1", "audience=public"):
        own = lines_of(table.players[0].get(f"{table.path}/replay?{query}", headers=LINES))
        assert own == lines_of(table.platform.get(f"{table.path}/replay?{query}", headers=LINES))


# ── the schema ─────────────────────────────────────────────────────────────────────────────────────


def test_the_published_schema_is_the_code_s(anybody: httpx.Client) -> None:
    answer = anybody.get("/v1/schemas/match-export")
    assert answer.headers["content-type"] == "application/schema+json"
    assert answer.json() == export_schema()
    assert json.loads((ROOT / "docs" / "match-export.schema.json").read_text()) == export_schema()


def test_exports_fit_the_published_schema(table: Table, anybody: httpx.Client) -> None:
    schema = jsonschema.Draft202012Validator(anybody.get("/v1/schemas/match-export").json())
    table.play_on(4)
    running = [table.platform.get(f"{table.path}/export?audience={who}") for who in ("referee", "public")]
    table.end()
    for answer in (*running, table.platform.get(f"{table.path}/export")):
        schema.validate(answer.json())
    with pytest.raises(jsonschema.ValidationError):
        schema.validate({**running[0].json(), "moves": "none"})


# ── verification ───────────────────────────────────────────────────────────────────────────────────


def test_draws_are_listed_so_that_one_die_can_be_checked_by_hand(table: Table) -> None:
    table.play_on(2)
    assert table.platform.get(f"{table.path}/verify?draws_page_size=5").json()["listed_draws"] == []
    table.end()
    secret = bytes.fromhex(table.match()["secret"])
    draws: list[Any] = []
    token = ""
    while not draws or token:
        query = {"draws_page_size": 1, "draws_page_token": token}
        found = table.players[1].get(f"{table.path}/verify", params=query).json()
        draws += found["listed_draws"]
        token = found["next_draws_page_token"]
    assert len(draws) == found["draws"] > 0
    for draw in draws:
        digest = hmac.new(secret, bytes.fromhex(draw["message"]), hashlib.sha256).hexdigest()
        assert draw["digest"] == digest
        assert int(digest[:16], 16) % int(draw["bound"]) == int(draw["value"])


# ── import ─────────────────────────────────────────────────────────────────────────────────────────


def imported(platform: Platform, document: bytes | Iterator[bytes]) -> httpx.Response:
    headers = {"content-type": "application/vnd.foldtable.match+json"}
    return platform.post("/v1/matches/import", content=document, headers=headers)


def test_a_match_is_taken_in_once(platform: Platform) -> None:
    document = document_of(*a_match(moves=8, match_id=uuid4()), "Ada", "Bo")
    first, second = imported(platform, document), imported(platform, document)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["match"] == second.json()["match"]
    assert platform.get(f"{first.headers['location']}/export").content == document
    assert platform.get(f"{first.headers['location']}/verify").json()["decided_again"]


@pytest.mark.slow
def test_a_log_that_no_single_grpc_message_would_hold_comes_in_and_out(platform: Platform) -> None:
    match, rows = a_match_of_many_rows(14_000, match_id=uuid4())
    document = document_of(match, rows, "Ada", "Bo")
    assert len(document) > 4 * 1024 * 1024
    path = imported(platform, document).headers["location"]
    assert platform.get(f"{path}/export").content == document
    whole = lines_of(platform.get(f"{path}/replay?what=events", headers=LINES))
    assert [line["version"] for line in whole] == list(range(1, len(rows) + 1))
    last = platform.get(f"{path}/replay?what=views&from=13500&page_size=1000").json()
    assert (len(last["steps"]), last["next_page_token"]) == (len(rows) - 13_499, "")
    assert last["steps"][-2]["view"] == platform.get(f"{path}/view?at=2").json()["view"]


def test_another_tenant_s_match_is_neither_shown_nor_touched(
    platform: Platform, foreign_platform: Platform
) -> None:
    """And that it is there cannot be told: two tenants have two matches of one id, each its own."""
    match_id = uuid4()
    path = f"/v1/matches/{match_id}"
    theirs = document_of(*a_match(moves=8, match_id=match_id), "Ada", "Bo")
    ours = document_of(*a_match(moves=5, seed=3, match_id=match_id), "Ada", "Bo")
    assert imported(foreign_platform, theirs).status_code == 201
    assert platform.get(path).json()["reason"] == "MATCH_NOT_FOUND"
    taken = imported(platform, ours)
    assert (taken.status_code, taken.headers["location"]) == (201, path)
    for tenant, document in ((foreign_platform, theirs), (platform, ours)):
        exported = tenant.get(f"{path}/export")
        assert (exported.status_code, exported.text) == (200, document.decode())
        assert str(match_id) in tenant.get("/v1/matches?page_size=1000&visibility=private&status=ended").text
    own = imported(platform, document_of(*a_match(moves=9, seed=2, match_id=match_id), "Ada", "Bo"))
    assert (own.status_code, own.json()["reason"]) == (409, "MATCH_ID_TAKEN")


def test_a_broken_file_is_refused_with_the_place(platform: Platform) -> None:
    document = document_of(*a_match(moves=8, match_id=uuid4()))
    broken = document.replace(b'"seq":4,"seat":0', b'"seq":4,"seat":1').replace(
        b'"seq":4,"seat":1', b'"seq":4,"seat":0' if b'"seq":4,"seat":1' in document else b'"seq":4,"seat":1'
    )
    refused = imported(platform, broken)
    assert (refused.status_code, refused.json()["reason"]) == (422, "IMPORT_BROKEN")
    assert [error["pointer"] for error in refused.json()["errors"]] == ["/moves/3/hash"]
    assert refused.json()["metadata"]["move"] == "4"


def test_who_sends_too_many_at_once_is_told_when_to_come_again(platform: Platform) -> None:
    documents = [document_of(*a_match(moves=8, match_id=uuid4()), "Ada", "Bo") for _ in range(4)]
    sent, go_on = Barrier(len(documents) + 1), Event()

    def slowly(document: bytes) -> Iterator[bytes]:
        yield document[:100]
        sent.wait(30)
        assert go_on.wait(30)
        yield document[100:]

    with ThreadPoolExecutor(len(documents)) as pool:
        under_way = [pool.submit(imported, platform, slowly(document)) for document in documents]
        try:
            sent.wait(30)
            time.sleep(1)  # from here to a rules server
            refused = until_refused(platform)
        finally:
            go_on.set()
        taken_in = [one.result().status_code for one in under_way]
    assert (refused.status_code, refused.json()["reason"]) == (429, "RATE_LIMITED")
    assert refused.json()["metadata"] == {"bucket": "imports_of_tenant", "seconds": "5"}
    assert refused.headers["retry-after"] == "5"
    assert taken_in == [201] * len(documents)


def until_refused(platform: Platform) -> httpx.Response:
    """Take in one match after the other until the uploads under way have all arrived."""
    for _ in range(100):
        answer = imported(platform, document_of(*a_match(moves=8, match_id=uuid4()), "Ada", "Bo"))
        if answer.status_code != 201:
            return answer
        time.sleep(0.02)
    raise AssertionError("an import was taken in with four others under way")


def test_a_running_match_a_huge_body_and_other_kinds_are_refused(platform: Platform, table: Table) -> None:
    running = platform.get(f"{table.path}/export").content
    assert imported(platform, running).json()["reason"] == "MATCH_NOT_OVER"
    assert imported(platform, b" " * (16 * 1024 * 1024 + 1)).status_code == 413
    parts = (b" " * 1024 * 1024 for _ in range(17))
    assert (
        platform.post(
            "/v1/matches/import", content=parts, headers={"content-type": "application/json"}
        ).status_code
        == 413
    )
    answer = platform.post("/v1/matches/import", content=b"{}", headers={"content-type": "text/plain"})
    assert answer.status_code == 415
    assert imported(table.players[0], running).json()["reason"] == "TENANT_ONLY"  # type: ignore[arg-type]
