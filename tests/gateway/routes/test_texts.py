"""Words for people over REST: for those who ask for a language, and for nobody else."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from engine.kernel.text.texts import LANGUAGES
from gateway.schemas import fields
from tests.gateway.table import PROGRAM, Platform, Table, unmarked

ITALIAN = {"accept-language": "it-IT, it;q=0.9, en;q=0.5"}
TEXT_MEMBERS = {
    "text",
    "event_texts",
    "action_text",
    "action_texts",
    "template_texts",
    "sample_texts",
    "names",
}


def members(document: Any) -> set[str]:
    """Every name of a member, however deep."""
    match document:
        case dict():
            return set(document) | {name for value in document.values() for name in members(value)}
        case list():
            return {name for value in document for name in members(value)}
        case _:
            return set()


def test_a_move_in_italian(table: Table) -> None:
    answer = table.players[0].move(PROGRAM, 1, headers=ITALIAN)
    assert answer.headers["content-language"] == "it"
    assert "Accept-Language" in answer.headers.get_list("vary", split_commas=True)
    (text,) = answer.json()["event_texts"]
    assert text["key"] == "event.program_submitted"
    assert text["args"]["seat"] == {"key": "seat", "args": {"seat": 0}}
    assert text["sentence"].startswith("Giocatore 0 ")
    assert text["sentence"].endswith(".")


def test_nobody_who_did_not_ask_gets_texts(table: Table) -> None:
    player = table.players[0]
    for answer in (
        player.look("view"),
        player.look("legal-actions", samples=1),
        player.move(PROGRAM, 1),
        player.look("moves"),
        player.move(PROGRAM, 1),
        player.get(table.path, headers={"accept-language": "*"}),
        player.get(table.path, headers={"accept-language": "de, ja;q=0.5"}),
        table.platform.get("/v1/games/river_dragons"),
    ):
        assert not members(answer.json()) & TEXT_MEMBERS, answer.url
        assert "content-language" not in answer.headers


def test_a_refusal_is_said_to_the_player(table: Table) -> None:
    twice = {**PROGRAM, "cards": ["stone1", "stone1", "move1", "stone2", "plank2"]}
    answer = table.players[0].post(
        f"{table.path}/moves", params={"lang": "it"}, json={"action": twice, "expected_version": 1}
    )
    problem = answer.json()
    assert (answer.status_code, problem["reason"]) == (422, "CARD_TWICE")
    assert answer.headers["content-language"] == "it"
    assert problem["text"]["key"] == "refusal.CARD_TWICE"
    assert problem["detail"] == problem["text"]["sentence"]
    assert problem["pending"]["text"]["key"] == "decision.program"
    legal = problem["legal_actions"]
    assert len(legal.get("template_texts", [])) == len(legal["templates"]) == 1


def test_a_refusal_that_is_no_rule_of_the_game_is_said_as_well(table: Table) -> None:
    table.players[0].move(PROGRAM, 1)
    stale = table.players[0].move(PROGRAM, 0, headers=ITALIAN)
    assert stale.json()["reason"] == "VERSION_CONFLICT"
    assert stale.json()["text"] == {"key": "problem.VERSION_CONFLICT", "sentence": stale.json()["detail"]}
    assert stale.headers["content-language"] == "it"


def test_what_only_a_program_can_get_wrong_stays_in_english(table: Table) -> None:
    answer = table.players[0].post(f"{table.path}/moves", json={"action": 7}, headers=ITALIAN)
    assert answer.status_code in {400, 428}
    assert "content-language" not in answer.headers
    assert "text" not in answer.json()


@pytest.mark.parametrize("language", ["en", "it", "fr", "pl"])
def test_every_action_has_words_and_can_still_be_sent_as_it_is(table: Table, language: str) -> None:
    table.play_on(8)
    (seat, *_) = table.match()["to_act"]
    player = table.players[seat]
    legal = player.look("legal-actions", samples=2, lang=language).json()
    for kind in ("action", "template", "sample"):
        texts = legal.get(f"{kind}_texts", [])
        assert len(texts) == len(legal[f"{kind}s"])
        assert all(text["sentence"] for text in texts)
    assert legal["pending"]["text"]["sentence"]
    assert player.move(legal["samples"][0], legal["version"]).status_code == 200


def test_keys_come_without_sentences(table: Table) -> None:
    answer = table.players[0].look("view", lang="keys")
    (pending, *_) = answer.json()["pending"]
    assert pending["text"] == {"key": "decision.program"}
    assert "content-language" not in answer.headers


def test_each_language_is_a_representation_of_its_own(table: Table) -> None:
    player = table.players[0]
    plain, italian = player.look("view"), player.get(f"{table.path}/view", headers=ITALIAN)
    assert unmarked(plain) == '"v:1"'
    assert unmarked(italian) == '"v:1;it"'
    known = {"if-none-match": italian.headers["etag"]}
    assert player.get(f"{table.path}/view", headers=known).status_code == 200
    assert player.get(f"{table.path}/view", headers={**ITALIAN, **known}).status_code == 304
    assert player.move(PROGRAM, headers={"if-match": italian.headers["etag"]}).status_code == 200


def test_what_a_seat_asked_for_is_a_log_line_of_its_own(table: Table) -> None:
    table.players[0].move(PROGRAM, 1)
    own = table.players[0].look("moves", lang="en").json()["moves"]
    foreign = table.players[1].look("moves", lang="en").json()["moves"]
    assert own[1]["action_text"]["key"] == "action.submit_program.log"
    assert "action_text" not in foreign[1]
    assert [len(move["event_texts"]) for move in own] == [len(move["events"]) for move in own]


def test_a_sentence_says_no_more_than_the_event(table: Table) -> None:
    """The cards of a program are secret; so are their words."""
    table.players[0].move(PROGRAM, 1)
    own = table.players[0].look("moves", lang="en").json()["moves"][1]
    foreign = table.players[1].look("moves", lang="en").json()["moves"][1]
    assert foreign["events"][0]["cards"] is None
    assert foreign["event_texts"][0]["args"]["cards"] == "none"
    assert len(own["event_texts"][0]["args"]["cards"]) == len(PROGRAM["cards"])
    assert own["event_texts"][0]["sentence"] != foreign["event_texts"][0]["sentence"]


def test_how_a_match_ended_in_words(table: Table) -> None:
    ended = table.players[0].post(f"{table.path}/resign", params={"lang": "fr"}).json()
    assert ended["outcome"]["text"]["key"] == "end.LAST_PLAYER_LEFT"
    for shown in (
        table.players[1].get(table.path, params={"lang": "fr"}).json()["outcome"],
        table.players[1].look("view", lang="fr").json()["outcome"],
    ):
        assert shown["text"]["sentence"] == ended["outcome"]["text"]["sentence"]


def test_a_stream_in_polish(table: Table) -> None:
    table.players[0].post(f"{table.path}/resign")
    seen = table.players[1].get(f"{table.path}/stream", params={"after_version": 1, "lang": "pl"}).text
    assert '"event_texts":[{"key":"event.seat_left"' in seen
    plain = table.players[1].get(f"{table.path}/stream", params={"after_version": 1}).text
    assert "event_texts" not in plain


def test_the_texts_of_a_game(platform: Platform) -> None:
    answer = platform.get("/v1/games/river_dragons/texts/pl")
    catalogue = answer.json()
    assert (catalogue["game"], catalogue["language"]) == ("river_dragons", "pl")
    assert catalogue["messages"]["seat"] == "Gracz {seat, number}"
    assert answer.headers["content-language"] == "pl"
    known = {"if-none-match": answer.headers["etag"]}
    assert platform.get("/v1/games/river_dragons/texts/pl", headers=known).status_code == 304
    assert platform.get("/v1/games/river_dragons/texts/it", headers=known).status_code == 200


def test_a_language_that_there_is_not(platform: Platform, table: Table) -> None:
    for answer in (
        platform.get("/v1/games/river_dragons/texts/de"),
        table.players[0].look("view", lang="de"),
        table.players[0].post(f"{table.path}/resign", params={"lang": "de"}),
    ):
        assert answer.status_code in {400, 404}, answer.text
        assert answer.json()["reason"] in {"MALFORMED_REQUEST", "NOT_FOUND"}
    assert table.match()["status"] == "running"


def test_what_components_are_called(platform: Platform) -> None:
    described = platform.get("/v1/games/river_dragons", headers=ITALIAN).json()
    assert described["languages"] == ["en", "it", "fr", "pl"]
    assert described["names"]["jump"]["name"]
    assert described["names"]["jump"]["text"]


def test_the_rule_of_a_refusal_can_be_read(platform: Platform, table: Table) -> None:
    twice = {**PROGRAM, "cards": ["stone1", "stone1", "move1", "stone2", "plank2"]}
    problem = table.players[0].move(twice, 1).json()
    path, _, anchor = problem["rule_page"].partition("#")
    assert (path, anchor) == ("/v1/games/river_dragons/rules", problem["rule"])
    paragraphs = {one["id"]: one for one in platform.get(path).json()["paragraphs"]}
    assert "five" in paragraphs[anchor]["text"]
    page = platform.get(path, headers={"accept": "text/html"}).text
    assert f'<section id="{anchor}">' in page
    assert 'href="#R10"' in page, "a paragraph leads to those it names"


def test_rules_that_all_games_share_can_be_read_with_each_game(platform: Platform) -> None:
    paragraphs = platform.get("/v1/games/river_dragons/rules").json()["paragraphs"]
    assert {"undo", "abort"} <= {one["id"] for one in paragraphs}


def test_the_gateway_s_languages_are_those_of_the_catalogues() -> None:
    """It imports no engine, so it has a list of its own."""
    assert fields.LANGUAGES == LANGUAGES
    assert {*get_args(fields.Language)} == {*LANGUAGES, "keys"}
