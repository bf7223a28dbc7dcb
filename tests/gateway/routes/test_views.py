"""Looking at the table, and at what may be done."""

from __future__ import annotations

import pytest

from tests.gateway.table import PROGRAM, Player, Table, unmarked


def test_a_view_has_the_version_as_its_entity_tag(player: Player) -> None:
    answer = player.look("view")
    assert (answer.status_code, unmarked(answer)) == (200, '"v:1"')
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in answer.headers["vary"]
    told = answer.json()
    assert (told["match_id"], told["version"]) == (player.match_id, 1)
    assert told["audience"] == {"kind": "seat", "seat": 0}


@pytest.mark.parametrize("known", ["{tag}", "W/{tag}", '"v:7", {tag}', '"v:7;a=0123456789ab", {tag}', "*"])
def test_who_has_it_already_is_told_so(player: Player, known: str) -> None:
    tag = player.look("view").headers["etag"]
    sent = known.format(tag=tag)
    answer = player.get(f"/v1/matches/{player.match_id}/view", headers={"if-none-match": sent})
    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == (f"W/{tag}" if sent.startswith("W/") else tag)
    assert answer.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize(
    "known", ['"v:0"', '"v:1"', '"v:1;a=0123456789ab"', '"v:2"', '"other"', '"v:0", "v:9"']
)
def test_who_has_another_version_gets_the_view(player: Player, known: str) -> None:
    answer = player.get(f"/v1/matches/{player.match_id}/view", headers={"if-none-match": known})
    assert (answer.status_code, answer.json()["version"]) == (200, 1)


def test_nobody_learns_by_304_what_he_may_not_see(player: Player) -> None:
    for tag in ('"v:1"', player.look("view").headers["etag"], "*"):
        headers = {"if-none-match": tag}
        answer = player.get(f"/v1/matches/{player.match_id}/view", params={"seat": 1}, headers=headers)
        assert answer.status_code == 403


def test_a_view_of_an_earlier_version(table: Table) -> None:
    before = table.players[0].look("view").json()["view"]
    table.play_on(3)
    answer = table.players[0].look("view", at=1)
    assert (unmarked(answer), answer.json()["version"]) == ('"v:1"', 1)
    assert answer.json()["view"] == before
    repeated = table.players[0].get(
        f"{table.path}/view", params={"at": 1}, headers={"if-none-match": answer.headers["etag"]}
    )
    assert repeated.status_code == 304


def test_a_version_the_match_does_not_have(player: Player) -> None:
    answer = player.look("view", at=99)
    assert (answer.status_code, answer.json()["reason"]) == (404, "VERSION_NOT_FOUND")


def test_audiences(table: Table) -> None:
    """A key looks as anybody, a seat as itself or as the public."""
    player, _ = table.players
    player.move(PROGRAM, 1)
    key, path = table.platform, f"{table.path}/view"
    assert key.get(path).json()["audience"] == {"kind": "public", "seat": None}
    assert key.get(path, params={"seat": 1}).json()["audience"] == {"kind": "seat", "seat": 1}
    assert key.get(path, params={"audience": "referee"}).json()["audience"] == {
        "kind": "referee",
        "seat": None,
    }
    assert player.look("view", audience="public").json()["audience"]["kind"] == "public"
    assert player.look("view", audience="seat").json()["audience"] == {"kind": "seat", "seat": 0}
    assert player.look("view", audience="seat", seat=0).status_code == 200


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"audience": "seat"}, "seat"),
        ({"audience": "public", "seat": "1"}, "seat"),
        ({"seat": "5"}, "seat"),
        ({"seat": "x"}, "seat"),
        ({"audience": "king"}, "audience"),
        ({"at": "-1"}, "at"),
        ({"version": "1"}, "version"),
    ],
)
def test_a_query_that_makes_no_sense_names_the_parameter(
    table: Table, query: dict[str, str], parameter: str
) -> None:
    answer = table.platform.get(f"{table.path}/view", params=query)
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST")
    assert answer.json()["errors"][0]["parameter"] == parameter


def test_what_a_secret_program_holds_is_in_no_other_answer(table: Table) -> None:
    player, other = table.players
    player.move(PROGRAM, 1)
    seen = [other.look(what).text for what in ("view", "legal-actions", "moves", "export")]
    public = [table.platform.get(f"{table.path}/{what}").text for what in ("", "view", "moves", "export")]
    assert all('["stone1","stone2","plank1","move1","jump"]' not in text for text in seen + public)
    assert '["stone1","stone2","plank1","move1","jump"]' in player.look("moves").text


def test_every_listed_action_is_for_the_version_it_says(table: Table) -> None:
    for player in table.players:
        legal = player.look("legal-actions", samples=5).json()
        assert (legal["version"], legal["seat"], legal["pending"]["seat"]) == (1, player.seat, player.seat)
        assert legal["templates"]
        assert len(legal["samples"]) == 5


def test_a_seat_without_a_decision_may_do_nothing(player: Player) -> None:
    player.move(PROGRAM, 1)
    legal = player.look("legal-actions", samples=3).json()
    assert (legal["pending"], legal["actions"], legal["templates"], legal["samples"]) == (None, [], [], [])


def test_an_api_key_must_say_for_which_seat(table: Table) -> None:
    answer = table.platform.get(f"{table.path}/legal-actions")
    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (400, "seat")
    assert table.platform.get(f"{table.path}/legal-actions", params={"seat": 1}).json()["seat"] == 1


@pytest.mark.parametrize("samples", ["101", "-1", "many"])
def test_samples_are_bounded(player: Player, samples: str) -> None:
    answer = player.look("legal-actions", samples=samples)
    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (400, "samples")
