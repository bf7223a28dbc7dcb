"""A platform's own reference and metadata over REST: at every way to a new match, read back, looked for, and shown to nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.table import Caller, Platform, Table
from tests.support.followers import events_of

METADATA = {"round": 3, "board": "twelve", "rated": True, "left": None, "clubs": ["Rook", {"id": 7}]}


def a_reference() -> str:
    return f"spring/{uuid4()}"


@pytest.fixture
def noted(platform: Platform) -> dict[str, Any]:
    """A match with a reference and metadata."""
    made = platform.create(2, reference=a_reference(), metadata=METADATA, title="Round 3")
    assert made.status_code == 201, made.text
    match: dict[str, Any] = made.json()["match"]
    return match


def notes_of(match: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return match["reference"], match["metadata"]


def found(platform: Platform, **query: Any) -> list[str]:
    page = platform.get("/v1/matches", params=query)
    assert page.status_code == 200, page.text
    return [match["match_id"] for match in page.json()["matches"]]


# ── every way to a new match ───────────────────────────────────────────────────────────────────────


def test_a_match_has_what_the_platform_noted_about_it(platform: Platform, noted: dict[str, Any]) -> None:
    assert noted["metadata"] == METADATA
    again = platform.get(f"/v1/matches/{noted['match_id']}").json()
    assert notes_of(again) == notes_of(noted)


def test_a_match_without_notes_says_so(platform: Platform) -> None:
    match = platform.create(2).json()["match"]
    assert notes_of(match) == ("", {})
    for none in (None, {}):
        assert platform.create(2, metadata=none).json()["match"]["metadata"] == {}


def test_a_fork_has_notes_of_its_own(platform: Platform, noted: dict[str, Any]) -> None:
    path = f"/v1/matches/{noted['match_id']}/fork"
    plain = platform.post(path, json={}).json()["match"]
    assert notes_of(plain) == ("", {})
    reference = a_reference()
    own = platform.post(path, json={"reference": reference, "metadata": {"of": "a fork"}}).json()["match"]
    assert notes_of(own) == (reference, {"of": "a fork"})


def test_a_rematch_has_notes_of_its_own(platform: Platform) -> None:
    with platform.new_table(2, reference=a_reference(), metadata=METADATA) as table:
        table.end()
        path = f"/v1/matches/{table.match_id}/rematch"
        reference = a_reference()
        body = {"reference": reference, "metadata": {"round": 4}}
        first = platform.post(path, json=body).json()["match"]
        assert notes_of(first) == (reference, {"round": 4})
        again = platform.post(path, json={"reference": a_reference()}).json()["match"]
        assert (again["match_id"], *notes_of(again)) == (first["match_id"], reference, {"round": 4})


def test_a_rematch_that_a_player_asks_for_has_none(platform: Platform) -> None:
    with platform.new_table(2, reference=a_reference(), metadata=METADATA) as table:
        table.end()
        path = f"/v1/matches/{table.match_id}/rematch"
        match = table.players[0].post(path, json={}).json()["match"]
        assert "reference" not in match
        assert notes_of(platform.get(f"/v1/matches/{match['match_id']}").json()) == ("", {})


def test_a_document_has_no_notes_and_an_import_gets_some(
    world: World, platform: Platform, foreign_platform: Platform
) -> None:
    with platform.new_table(2, reference=a_reference(), metadata=METADATA) as table:
        table.end()
        document = platform.get(f"/v1/matches/{table.match_id}/export", params={"audience": "referee"})
    assert document.status_code == 200
    assert "reference" not in document.json()
    assert "metadata" not in document.json()
    reference, metadata = a_reference(), {"from": "elsewhere"}
    query = {"reference": reference, "metadata": json.dumps(metadata)}

    def imported(query: dict[str, str]) -> httpx.Response:
        return foreign_platform.post(
            "/v1/matches/import",
            params=query,
            content=document.content,
            headers={"content-type": "application/json"},
        )

    first, again = imported(query), imported({})
    assert (first.status_code, again.status_code) == (201, 200), first.text
    for answer in (first, again):
        assert notes_of(answer.json()["match"]) == (reference, metadata)
    assert found(foreign_platform, reference=reference) == [table.match_id]


# ── one match for a reference ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("way", ["create", "fork", "import"])
def test_a_second_match_does_not_get_the_reference(
    way: str, platform: Platform, noted: dict[str, Any]
) -> None:
    reference = noted["reference"]
    if way == "create":
        answer = platform.create(2, reference=reference)
    elif way == "fork":
        answer = platform.post(f"/v1/matches/{noted['match_id']}/fork", json={"reference": reference})
    else:
        answer = platform.post(
            "/v1/matches/import",
            params={"reference": reference},
            json=_whole_document(),
        )
    assert (answer.status_code, answer.json()["reason"]) == (409, "REFERENCE_TAKEN"), answer.text
    assert answer.json()["metadata"] == {"match_id": noted["match_id"]}
    (error,) = answer.json()["errors"]
    assert error.get("pointer", error.get("parameter")) == ("reference" if way == "import" else "/reference")
    assert found(platform, reference=reference) == [noted["match_id"]]


def _whole_document() -> dict[str, Any]:
    from tests.support.match_documents import a_match, document_of

    document: dict[str, Any] = json.loads(document_of(*a_match(moves=3, match_id=uuid4())))
    return document


def test_another_tenant_is_not_told_of_a_reference(foreign_platform: Platform, noted: dict[str, Any]) -> None:
    answer = foreign_platform.create(2, reference=noted["reference"])
    assert answer.status_code == 201
    assert found(foreign_platform, reference=noted["reference"]) == [answer.json()["match"]["match_id"]]


def test_a_repeated_request_is_told_of_the_first_match(platform: Platform) -> None:
    body = {"reference": a_reference(), "metadata": METADATA, "request_id": str(uuid4())}
    first = platform.create(2, **body)
    in_another_order = {**body, "metadata": dict(reversed(METADATA.items()))}
    for again in (body, in_another_order):
        assert platform.create(2, **again).json()["match"]["match_id"] == first.json()["match"]["match_id"]
    for other in ({"reference": a_reference()}, {"metadata": {"round": 4}}):
        answer = platform.create(2, **{**body, **other})
        assert (answer.status_code, answer.json()["reason"]) == (422, "REQUEST_ID_REUSED")


# ── finding them ───────────────────────────────────────────────────────────────────────────────────


def test_a_match_is_found_by_its_reference_and_no_other(platform: Platform, noted: dict[str, Any]) -> None:
    assert found(platform, reference=noted["reference"]) == [noted["match_id"]]
    assert found(platform, reference=noted["reference"][:-1]) == []
    assert found(platform, reference=noted["reference"], status="ended") == []
    assert found(platform, reference=noted["reference"], game="al_rashid") == []
    (listed,) = platform.get("/v1/matches", params={"reference": noted["reference"]}).json()["matches"]
    assert notes_of(listed) == notes_of(noted)


@pytest.mark.parametrize(
    ("wanted", "is_found"),
    [
        ({"round": 3}, True),
        ({"round": 3.0}, True),
        ({"round": 3, "rated": True, "left": None, "board": "twelve"}, True),
        ({"round": "3"}, False),
        ({"round": 4}, False),
        ({"rated": 1}, False),
        ({"board": "twelv"}, False),
        ({"Round": 3}, False),
        ({"absent": None}, False),
        ({"clubs": "Rook"}, False),
        ({"id": 7}, False),
    ],
    ids=json.dumps,
)
def test_matches_are_found_by_equal_metadata(
    platform: Platform, foreign_platform: Platform, wanted: dict[str, Any], is_found: bool
) -> None:
    of_this_test = str(uuid4())
    match = platform.create(2, metadata={**METADATA, "test": of_this_test}).json()["match"]["match_id"]
    asked = json.dumps({**wanted, "test": of_this_test})
    assert found(platform, metadata=asked) == ([match] if is_found else [])
    assert found(foreign_platform, metadata=asked) == []


def test_many_matches_with_the_same_metadata_come_page_by_page(platform: Platform) -> None:
    event, player = str(uuid4()), f"ada-{uuid4()}"
    made = [
        platform.create(2, players=[player] if number % 2 else [], metadata={"event": event}).json()["match"]
        for number in range(5)
    ]
    ids = [match["match_id"] for match in made]
    asked: dict[str, Any] = {"metadata": json.dumps({"event": event}), "page_size": 2}
    for order, expected in (("created", ids), ("-created", ids[::-1])):
        pages, token = [], ""
        while True:
            page = platform.get("/v1/matches", params={**asked, "order": order, "page_token": token}).json()
            pages += [match["match_id"] for match in page["matches"]]
            if not (token := page["next_page_token"]):
                break
        assert pages == expected
    assert found(platform, **asked, player=player, order="created") == ids[1::2]
    assert sorted(found(platform, metadata=asked["metadata"], order="-updated")) == sorted(ids)
    first = platform.get("/v1/matches", params=asked).json()["next_page_token"]
    other = {**asked, "metadata": json.dumps({"event": "other"}), "page_token": first}
    assert platform.get("/v1/matches", params=other).json()["reason"] == "PAGE_TOKEN_INVALID"


# ── what cannot be noted, or asked ─────────────────────────────────────────────────────────────────


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"in": value}
    return value


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"reference": "é" * 128}, id="128 code points"),
        pytest.param({"metadata": {"a": "x" * (4_096 - 8)}}, id="4,096 bytes"),
        pytest.param({"metadata": {f"{n}": n for n in range(64)}}, id="64 names"),
        pytest.param({"metadata": {"n" * 64: 1}}, id="a name of 64"),
        pytest.param({"metadata": nested(8)}, id="8 levels"),
        pytest.param({"metadata": {"n": [2**53 - 1, -0.5, 1e300, "\u202e"]}}, id="any number and text"),
    ],
)
def test_the_edge_of_every_bound_is_taken(platform: Platform, body: dict[str, Any]) -> None:
    if "reference" in body:
        body = {"reference": f"{uuid4()}{body['reference']}"[:128]}
    made = platform.create(2, **body)
    assert made.status_code == 201, made.text
    match = made.json()["match"]
    assert {name: match[name] for name in body} == body


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"reference": "x" * 129}, "/reference"),
        ({"reference": " x"}, "/reference"),
        ({"reference": "a\nb"}, "/reference"),
        ({"reference": "e\u0301"}, "/reference"),
        ({"reference": None}, "/reference"),
        ({"reference": 7}, "/reference"),
        ({"metadata": []}, "/metadata"),
        ({"metadata": "text"}, "/metadata"),
        ({"metadata": 7}, "/metadata"),
        ({"metadata": {"a": "x" * (4_096 - 7)}}, "/metadata"),
        ({"metadata": {f"{n}": n for n in range(65)}}, "/metadata"),
        ({"metadata": {"n" * 65: 1}}, "/metadata"),
        ({"metadata": {"": 1}}, "/metadata"),
        ({"metadata": nested(9)}, "/metadata" + "/in" * 8),
        ({"metadata": {"a": {"b": "\0"}}}, "/metadata/a/b"),
        ({"metadata": {"a\0": 1}}, "/metadata"),
        ({"metadata": {"a": 2**53}}, "/metadata/a"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_noted_names_the_place(
    platform: Platform, noted: dict[str, Any], body: dict[str, Any], pointer: str
) -> None:
    path = f"/v1/matches/{noted['match_id']}"
    for answer in (platform.create(2, **body), platform.post(f"{path}/fork", json=body)):
        assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), answer.text
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"a": 1e999}', '{"a": "\\ud800"}'])
def test_json_that_parsers_read_differently_is_refused(platform: Platform, text: str) -> None:
    body = f'{{"game": "river_dragons", "seats": 2, "metadata": {text}}}'
    answer = platform.post("/v1/matches", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST")
    assert answer.json()["errors"][0]["pointer"].startswith("/metadata")
    listed = platform.get("/v1/matches", params={"metadata": text})
    assert (listed.status_code, listed.json()["errors"][0]["parameter"]) == (400, "metadata")


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"reference": ""}, "reference"),
        ({"reference": "x" * 129}, "reference"),
        ({"reference": "a\nb"}, "reference"),
        ({"metadata": ""}, "metadata"),
        ({"metadata": "{}"}, "metadata"),
        ({"metadata": "round=3"}, "metadata"),
        ({"metadata": "[]"}, "metadata"),
        ({"metadata": "null"}, "metadata"),
        ({"metadata": '{"a": {"b": 1}}'}, "metadata"),
        ({"metadata": '{"a.b": [1]}'}, "metadata"),
        ({"metadata": '{"a": "\\u0000"}'}, "metadata"),
        ({"metadata": json.dumps({f"{n}": n for n in range(9)})}, "metadata"),
        ({"metadata": json.dumps({"a": "x" * 5_000})}, "metadata"),
        ({"metadata": "[" * 3_000}, "metadata"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_question_that_cannot_be_names_the_parameter(
    platform: Platform, query: dict[str, str], parameter: str
) -> None:
    answer = platform.get("/v1/matches", params=query)
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), answer.text
    assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"reference": " x"}, "reference"),
        ({"metadata": "7"}, "metadata"),
        ({"metadata": json.dumps({"a": {"b": "\0"}})}, "metadata"),
    ],
)
def test_an_import_names_the_parameter(platform: Platform, query: dict[str, str], parameter: str) -> None:
    answer = platform.post("/v1/matches/import", params=query, json=_whole_document())
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), answer.text
    assert [error.get("parameter") for error in answer.json()["errors"]] == [parameter]


# ── for the platform alone ─────────────────────────────────────────────────────────────────────────


@pytest.fixture
def table(platform: Platform) -> Iterator[Table]:
    with platform.new_table(
        2, players=["ada", "bob"], visibility="public", reference=a_reference(), metadata=METADATA
    ) as made:
        yield made


def session(platform: Platform, player: str) -> str:
    token: str = platform.post("/v1/player-sessions", json={"player": player}).json()["token"]
    return token


def test_nobody_else_is_shown_the_notes(world: World, platform: Platform, table: Table) -> None:
    watch = platform.post(f"/v1/matches/{table.match_id}/watch-tokens", json={"role": "referee"}).json()
    tokens = [table.players[0].token, watch["watch_token"]["token"], session(platform, "ada")]
    for token in tokens:
        with Caller(world.url, token) as caller:
            for look in ("", "/table", "/export"):
                answer = caller.get(f"/v1/matches/{table.match_id}{look}")
                assert answer.status_code == 200, answer.text
                shown = answer.json().get("match", answer.json())
                assert not {"reference", "metadata"} & shown.keys()


@pytest.mark.parametrize("query", [{"reference": "spring"}, {"metadata": '{"round": 3}'}], ids=str)
def test_a_session_cannot_ask_for_them(world: World, platform: Platform, query: dict[str, str]) -> None:
    with Caller(world.url, session(platform, "ada")) as ada:
        for asked in (query, {**query, "visibility": "public"}):
            answer = ada.get("/v1/matches", params=asked)
            assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST")
            assert [error["parameter"] for error in answer.json()["errors"]] == list(query)


@pytest.mark.parametrize("body", [{"reference": "mine"}, {"metadata": {"mine": 1}}], ids=str)
def test_nobody_else_notes_anything(
    world: World, platform: Platform, table: Table, body: dict[str, Any]
) -> None:
    (name,) = body
    seat = table.players[0]
    path = f"/v1/matches/{table.match_id}"
    answers = [seat.post(f"{path}/fork", json=body)]
    table.end()
    answers.append(seat.post(f"{path}/rematch", json=body))
    with Caller(world.url, session(platform, "ada")) as ada:
        answers.append(ada.post("/v1/matches", json={"game": "river_dragons", "seats": 2, **body}))
        answers.append(ada.post(f"{path}/fork", json=body))
    for answer in answers:
        assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST"), answer.text
        assert [error["pointer"] for error in answer.json()["errors"]] == [f"/{name}"]


def test_the_tables_of_the_tenant_have_no_notes_either(platform: Platform, table: Table) -> None:
    """A table is the same for everybody who looks as the same audience, and so are its entity tag and its patches."""
    shown = platform.get(f"/v1/matches/{table.match_id}/table").json()["match"]
    assert shown["match_id"] == table.match_id
    assert not {"reference", "metadata"} & shown.keys()


# ── feeds ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_feed_says_which_match_it_is_in_the_platforms_words(world: World, platform: Platform) -> None:
    clock = {"kind": "per_move", "seconds": 3600}
    reference, player = a_reference(), f"ada-{uuid4()}"
    made = platform.create(
        2,
        players=[player, "bob"],
        reference=reference,
        metadata=METADATA,
        title="Round 3",
        clock=clock,
    ).json()["match"]
    told: dict[str, dict[str, Any]] = {}
    with Caller(world.url, session(platform, player)) as ada:
        for who, caller in (("tenant", platform), ("player", ada)):
            query = {"player": player} if who == "tenant" else {}
            with caller.stream("GET", "/v1/feed", params=query) as response:
                assert response.status_code == 200, response.read()
                event, _, data = next(events_of(response))
                assert event == "snapshot"
                (told[who],) = json.loads(data)["matches"]
    for match in told.values():
        assert (match["match_id"], match["title"], match["players"]) == (
            made["match_id"],
            "Round 3",
            [player, "bob"],
        )
        assert match["deadline"] > made["created_at"]
    assert notes_of(told["tenant"]) == (reference, METADATA)
    assert not {"reference", "metadata"} & told["player"].keys()


# ── events ─────────────────────────────────────────────────────────────────────────────────────────


def test_events_say_it_too_and_until_when_there_is_time(world: World, platform: Platform) -> None:
    reference = a_reference()
    with Caller(world.url, world.several.keys["manager"]) as manager:
        kinds = ["match.started", "turn.started", "match.ended"]
        assert manager.put("/v1/events/recording", json={"event_types": kinds}).status_code == 200
        with platform.new_table(
            2,
            players=["ada", "bob"],
            reference=reference,
            metadata=METADATA,
            title="Round 3",
            clock={"kind": "per_move", "seconds": 3600},
        ) as table:
            running = told_of(platform, table.match_id)
            table.end()
        over = told_of(platform, table.match_id)
        manager.put("/v1/events/recording", json={"event_types": []})
    assert {event["type"] for event in running} == {"foldtable.match.started.v1", "foldtable.turn.started.v1"}
    for event in running:
        assert event["data"]["deadline"] > event["time"]
    assert "foldtable.match.ended.v1" in {event["type"] for event in over}
    for event in over:
        data = event["data"]
        assert "deadline" not in data, "the match is over, and no clock runs"
        assert (data["players"], data["title"], data["reference"]) == (["ada", "bob"], "Round 3", reference)
        assert data.get("metadata") == (METADATA if event["type"].startswith("foldtable.match.") else None)


def told_of(tenant: Caller, match_id: str) -> list[dict[str, Any]]:
    """Return the events of a match, once there are any."""
    for _ in range(100):
        page = tenant.get("/v1/events", params={"limit": 1_000}).json()["events"]
        if told := [event for event in page if event["data"]["match_id"] == match_id]:
            return told
    raise AssertionError("no event came")
