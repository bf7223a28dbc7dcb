"""Changing a match over REST: what its tenant may change, and what everybody who looks at it is told of that, or not any longer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import Caller, Platform, Table
from tests.support.followers import events_of

METADATA = {"round": 3, "clubs": {"home": "Rook", "away": "Pawn"}}


def a_reference() -> str:
    return f"spring/{uuid4()}"


@pytest.fixture
def table(platform: Platform) -> Iterator[Table]:
    body = {"title": "Friday", "visibility": "public", "metadata": METADATA, "reference": a_reference()}
    with platform.new_table(2, players=["ada", "bob"], **body) as made:
        yield made


def change(table: Table, **body: Any) -> httpx.Response:
    return table.platform.patch(f"/v1/matches/{table.match_id}", json=body)


def session(platform: Platform, player: str) -> str:
    token: str = platform.post("/v1/player-sessions", json={"player": player}).json()["token"]
    return token


# ── what is changed ────────────────────────────────────────────────────────────────────────────────


def test_what_is_named_changes_and_nothing_else(table: Table) -> None:
    before = table.match()
    for body in ({"title": "Saturday"}, {"visibility": "unlisted"}, {"reference": a_reference()}):
        answer = change(table, **body)
        assert answer.status_code == 200, answer.text
        before |= body
        assert answer.json() == before == table.match()
        assert change(table, **body).json() == before, "a repeat changes nothing"


@pytest.mark.parametrize(
    ("patch", "result"),
    [
        ({}, METADATA),
        ({"round": 4}, {**METADATA, "round": 4}),
        ({"round": None, "new": [None]}, {"clubs": METADATA["clubs"], "new": [None]}),
        ({"clubs": {"away": None}}, {"round": 3, "clubs": {"home": "Rook"}}),
        ({"clubs": 7}, {"round": 3, "clubs": 7}),
        (None, {}),
    ],
    ids=json.dumps,
)
def test_metadata_are_changed_by_a_merge_patch(table: Table, patch: Any, result: dict[str, Any]) -> None:
    for _ in range(2):
        assert change(table, metadata=patch).json()["metadata"] == result


def test_null_removes_title_and_reference(table: Table, platform: Platform) -> None:
    reference = table.match()["reference"]
    match = change(table, title=None, reference=None).json()
    assert (match["title"], match["reference"]) == ("", "")
    assert platform.create(2, reference=reference).status_code == 201, "it is free again"


def test_a_match_that_is_over_can_still_be_changed(table: Table) -> None:
    table.end()
    assert change(table, title="Rude no more", visibility="private").json()["title"] == "Rude no more"
    verified = table.platform.get(f"/v1/matches/{table.match_id}/verify").json()
    assert verified["ok"], "none of it is in the log"


def test_the_creating_request_can_be_repeated_after_a_change(platform: Platform) -> None:
    body = {"title": "Friday", "metadata": METADATA, "request_id": str(uuid4())}
    first = platform.create(2, **body).json()["match"]["match_id"]
    changes = {"title": "Saturday", "metadata": {"round": 4}, "visibility": "public"}
    assert platform.patch(f"/v1/matches/{first}", json=changes).status_code == 200
    assert platform.create(2, **body).json()["match"]["match_id"] == first
    assert platform.create(3, **body).json()["reason"] == "REQUEST_ID_REUSED"


def test_a_taken_reference_is_refused_and_nothing_changes(table: Table, platform: Platform) -> None:
    other = platform.create(2, reference=a_reference()).json()["match"]
    before = table.match()
    answer = change(table, title="Saturday", reference=other["reference"])
    assert (answer.status_code, answer.json()["reason"]) == (409, "REFERENCE_TAKEN")
    assert answer.json()["metadata"] == {"match_id": other["match_id"]}
    assert table.match() == before
    assert change(table, reference=before["reference"]).status_code == 200, "its own may be sent again"


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, ""),
        ({"title": "x" * 101}, "/title"),
        ({"title": "a\nb"}, "/title"),
        ({"visibility": None}, "/visibility"),
        ({"visibility": "secret"}, "/visibility"),
        ({"reference": "x" * 129}, "/reference"),
        ({"metadata": []}, "/metadata"),
        ({"metadata": {f"n{n}": n for n in range(63)}}, "/metadata"),
        ({"metadata": {"long": "x" * 4_050}}, "/metadata"),
        ({"status": "ended"}, "/status"),
        ({"title": "x", "metadata": {"a": "\0"}}, "/metadata/a"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_is_refused_and_nothing_changes(
    table: Table, body: dict[str, Any], pointer: str
) -> None:
    before = table.match()
    answer = change(table, **body)
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), answer.text
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]
    assert table.match() == before


def test_only_the_tenant_changes_a_match(
    world: World, table: Table, platform: Platform, foreign_platform: Platform
) -> None:
    path, body = f"/v1/matches/{table.match_id}", {"title": "Mine"}
    told = [(403, "TENANT_ONLY")]
    answers = [table.players[0].patch(path, json=body)]
    with Caller(world.url, session(platform, "ada")) as ada:
        answers.append(ada.patch(path, json=body))
        told.append((403, "TENANT_ONLY"))
    answers.append(foreign_platform.patch(path, json=body))
    told.append((404, "MATCH_NOT_FOUND"))
    with Caller(world.url, world.several.keys["read_only"]) as reader:
        answers.append(reader.patch(path, json=body))
        told.append((403, "SCOPE_MISSING"))
    assert [(one.status_code, one.json()["reason"]) for one in answers] == told
    assert table.match()["title"] == "Friday"


# ── who is told ────────────────────────────────────────────────────────────────────────────────────


def test_a_table_and_its_entity_tag_change_with_the_title(table: Table) -> None:
    path = f"/v1/matches/{table.match_id}/table"
    player = table.players[0]
    for body in ({"title": "Saturday"}, {"visibility": "private"}):
        shown = player.get(path)
        known = {"if-none-match": shown.headers["etag"]}
        assert player.get(path, headers=known).status_code == 304
        change(table, **body)
        again = player.get(path, headers=known)
        assert again.status_code == 200
        assert body.items() <= again.json()["match"].items()
        assert again.json()["version"] == shown.json()["version"]


def test_notes_change_no_table(table: Table) -> None:
    path = f"/v1/matches/{table.match_id}/table"
    known = {"if-none-match": table.players[0].get(path).headers["etag"]}
    change(table, metadata={"round": 5}, reference=a_reference())
    assert table.players[0].get(path, headers=known).status_code == 304


@pytest.mark.parametrize("include", [None, "table"])
def test_open_streams_are_told_of_a_new_title(table: Table, include: str | None) -> None:
    query = {"include": include} if include else {}
    with table.players[0].stream("GET", f"/v1/matches/{table.match_id}/stream", params=query) as response:
        events = events_of(response)
        assert next(events)[0] == ("table" if include else "snapshot")
        change(table, title="Saturday")
        name, _, data = next(event for event in events if "Saturday" in event[2])
    assert name == ("table.patched" if include else "seats.updated")
    if not include:
        told = json.loads(data)
        assert (told["title"], told["visibility"]) == ("Saturday", "public")


@pytest.mark.parametrize(
    "body", [{"title": "Saturday"}, {"visibility": "private"}, {"metadata": {"round": 9}}], ids=str
)
def test_feeds_are_told_of_a_change(table: Table, platform: Platform, body: dict[str, Any]) -> None:
    with platform.stream("GET", "/v1/feed") as response:
        events = events_of(response)
        assert next(events)[0] == "snapshot"
        change(table, **body)
        ((name, value),) = body.items()
        wanted = METADATA | value if name == "metadata" else value
        seen = (json.loads(data) for event, _, data in events if event == "match.updated")
        # The match's start may be told first, as the feed came to know it.
        told = (one.get(name) for one in seen if one["match_id"] == table.match_id)
        assert wanted in islice(told, 3)


# ── hiding ─────────────────────────────────────────────────────────────────────────────────────────


def listed(caller: httpx.Client, match_id: str, **query: Any) -> bool:
    page = caller.get("/v1/matches", params={"visibility": "public", "page_size": 1_000, **query})
    assert page.status_code == 200, page.text
    return match_id in [match["match_id"] for match in page.json()["matches"]]


@pytest.mark.parametrize("hidden", ["private", "unlisted"])
def test_a_hidden_match_leaves_public_lists_and_strangers(
    world: World, table: Table, platform: Platform, hidden: str
) -> None:
    with (
        Caller(world.url, session(platform, "eve")) as eve,
        Caller(world.url, session(platform, "ada")) as ada,
    ):
        path = f"/v1/matches/{table.match_id}"
        assert listed(eve, table.match_id)
        assert listed(platform, table.match_id)
        assert eve.get(path).status_code == 200
        change(table, visibility=hidden)
        assert not listed(eve, table.match_id)
        assert not listed(platform, table.match_id)
        assert listed(platform, table.match_id, visibility=hidden)
        for look in ("", "/view", "/table", "/moves"):
            answer = eve.get(f"{path}{look}")
            assert (answer.status_code, answer.json()["reason"]) == (404, "MATCH_NOT_FOUND"), look
            assert ada.get(f"{path}{look}").status_code == 200, "who has a seat goes on"
        change(table, visibility="public")
        assert eve.get(path).status_code == 200


def in_the_background(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_open_streams_and_long_polls_of_strangers_end(world: World, table: Table, platform: Platform) -> None:
    path = f"/v1/matches/{table.match_id}"
    polled: list[httpx.Response] = []
    with (
        Caller(world.url, session(platform, "eve")) as eve,
        Caller(world.url, session(platform, "eve")) as other,
    ):
        with eve.stream("GET", f"{path}/stream") as response:
            events = events_of(response)
            assert next(events)[0] == "snapshot"
            version = table.match()["version"]
            query = {"after": version, "wait": "20s"}
            polling = in_the_background(lambda: polled.append(other.get(f"{path}/moves", params=query)))
            change(table, visibility="private")
            name, _, data = list(events)[-1]
        assert (name, json.loads(data)["reason"]) == ("revoked", "MATCH_NOT_FOUND")
        polling.join(30)
    assert [(one.status_code, one.json()["reason"]) for one in polled] == [(404, "MATCH_NOT_FOUND")]


def test_a_stream_without_a_credential_ends(world: World, table: Table, platform: Platform) -> None:
    with (
        platform.readable_by_anybody(),
        httpx.Client(base_url=world.url, timeout=30, trust_env=False) as anybody,
    ):
        path = f"/v1/matches/{table.match_id}"
        with anybody.stream("GET", f"{path}/stream") as response:
            assert response.status_code == 200, response.read()
            events = events_of(response)
            assert next(events)[0] == "snapshot"
            change(table, visibility="private")
            name, _, data = list(events)[-1]
        assert (name, json.loads(data)["reason"]) == ("revoked", "TOKEN_MISSING")
        assert anybody.get(path).status_code == 401


def test_a_match_that_was_called_off_leaves_public_lists(
    world: World, table: Table, platform: Platform
) -> None:
    over = platform.create(2, visibility="public").json()["match"]["match_id"]
    platform.post(f"/v1/matches/{over}/resign", json={"seat": 0})
    assert platform.post(f"/v1/matches/{table.match_id}/abort", json={}).status_code == 200
    assert not listed(platform, table.match_id)
    assert listed(platform, over), "other matches that are over stay"
    assert listed(platform, table.match_id, visibility="any", status="ended")
    with Caller(world.url, session(platform, "ada")) as ada:
        assert listed(ada, table.match_id, player="ada"), "its player finds it"
