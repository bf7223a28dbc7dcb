"""The match directory over REST. What it finds is tested beside the platform service; here, how it is asked."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.gateway.table import Platform, Table


def listed(platform: Platform, **query: Any) -> list[str]:
    found: list[str] = []
    token = ""
    while True:
        page = platform.get("/v1/matches", params={"page_size": 2, "page_token": token, **query})
        assert page.status_code == 200, page.text
        found += [match["match_id"] for match in page.json()["matches"]]
        token = page.json()["next_page_token"]
        if not token:
            return found


def test_a_player_finds_the_matches_that_wait_for_him(platform: Platform) -> None:
    player = f"ada-{uuid4()}"
    with ExitStack() as stack:
        tables = [stack.enter_context(platform.new_table(2, players=[player, "bert"])) for _ in range(3)]
        tables[0].players[0].any_move()
        tables[1].end()
    assert listed(platform, player=player, order="created") == [table.match_id for table in tables]
    assert listed(platform, player=player) == [table.match_id for table in reversed(tables)]
    assert listed(platform, waiting_for=player) == [tables[2].match_id]
    assert listed(platform, player=player, status="ended") == [tables[1].match_id]
    assert listed(platform, player=player, status="running", game="al_rashid") == []


def test_public_matches_with_open_seats_are_a_lobby_page(platform: Platform) -> None:
    public = platform.create(3, open_seats=True, visibility="public", title="Come in").json()["match"]
    private = platform.create(3, open_seats=True).json()["match"]
    found = listed(platform, open_seats="true", game="river_dragons", visibility="public")
    assert public["match_id"] in found
    assert private["match_id"] not in found
    for visibility in ({}, {"visibility": "any"}):
        assert {public["match_id"], private["match_id"]} <= set(
            listed(platform, open_seats="true", **visibility)
        )
    assert private["match_id"] in listed(platform, visibility="private")
    page = platform.get("/v1/matches", params={"open_seats": "true"}).json()
    assert platform.get(f"/v1/matches/{public['match_id']}").json() in page["matches"]


def test_what_has_moved_on_since(table: Table) -> None:
    table.players[0].any_move()
    moved = datetime.fromisoformat(table.match()["updated_at"])
    since, later = (moment.isoformat() for moment in (moved, moved + timedelta(microseconds=1)))
    found = listed(table.platform, updated_since=since, visibility="any")
    assert found[-1:] == [table.match_id]
    assert table.match_id not in listed(table.platform, updated_since=later, visibility="any")


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"status": "asleep"}, "status"),
        ({"visibility": "secret"}, "visibility"),
        ({"order": "title"}, "order"),
        ({"order": "created", "updated_since": "2026-01-01T00:00:00Z"}, "order"),
        ({"updated_since": "yesterday"}, "updated_since"),
        ({"updated_since": "0001-01-01T00:00:00+01:00"}, "updated_since"),
        ({"updated_since": "9999-12-31T23:59:59-01:00"}, "updated_since"),
        ({"updated_since": "2026-01-01T24:00:00"}, "updated_since"),
        ({"page_size": "-1"}, "page_size"),
        ({"page_token": "nonsense"}, "page_token"),
        ({"player": "x" * 65}, "player"),
        ({"open_seats": "perhaps"}, "open_seats"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_question_that_cannot_be_names_the_culprit(
    platform: Platform, query: dict[str, str], parameter: str
) -> None:
    answer = platform.get("/v1/matches", params=query)
    assert answer.status_code == 400
    assert [error["parameter"] for error in answer.json()["errors"]] == [parameter]


def test_tenants_list_their_own_matches_and_nobody_else_lists_any(
    table: Table, foreign_platform: Platform
) -> None:
    for asked in ({}, {"visibility": "any"}, {"visibility": "private"}):
        assert table.match_id in listed(table.platform, **asked)
        assert table.match_id not in listed(foreign_platform, **asked)
    answer = table.players[0].get("/v1/matches")
    assert (answer.status_code, answer.json()["reason"]) == (403, "TENANT_ONLY")
