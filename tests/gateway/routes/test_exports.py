"""A match as one document, and what checking it finds."""

from __future__ import annotations

from tests.gateway.table import PROGRAM, Table


def test_a_match_that_is_over_is_exported_whole(table: Table) -> None:
    table.play_on(4)
    table.end()
    answer = table.players[0].get(f"{table.path}/export")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/vnd.foldtable.match+json"
    assert table.match_id in answer.headers["content-disposition"]
    document = answer.json()
    assert (document["format"], document["match_id"]) == ("foldtable.match.v1", table.match_id)
    assert document["secret"] == table.match()["secret"]
    assert [move["seq"] for move in document["moves"]] == list(range(1, document["version"] + 1))
    assert all(move["request"] for move in document["moves"])


def test_a_running_match_is_exported_as_the_caller_may_see_it(table: Table) -> None:
    table.players[0].move(PROGRAM, 1)
    own = table.players[0].get(f"{table.path}/export").json()
    foreign = table.players[1].get(f"{table.path}/export").json()
    referee = table.platform.get(f"{table.path}/export", params={"audience": "referee"}).json()
    assert own["secret"] is foreign["secret"] is referee["secret"] is None
    assert own["moves"][1]["request"] == referee["moves"][1]["request"] == PROGRAM
    assert foreign["moves"][1]["request"] is None


def test_a_match_that_is_over_is_verified_draw_by_draw(table: Table) -> None:
    table.play_on(6)
    table.end()
    answer = table.platform.get(f"{table.path}/verify")
    found = answer.json()
    assert answer.status_code == 200
    assert (found["ok"], found["decided_again"], found["difference"]) == (True, True, "")
    assert found["moves"] == table.match()["version"]
    assert found["draws"] > 0


def test_a_running_match_is_verified_as_far_as_it_can_be(table: Table) -> None:
    found = table.players[0].get(f"{table.path}/verify").json()
    assert (found["ok"], found["decided_again"], found["draws"]) == (True, False, 0)
