"""Making moves: versions, repeats, refusals that say how to go on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from tests.gateway.table import FIVE_CARDS, PROGRAM, Platform, Player, Table, unmarked

OTHER_PROGRAM = {"type": "submit_program", "cards": list(reversed(FIVE_CARDS))}


def test_an_accepted_move_tells_what_happened_and_the_new_version(player: Player) -> None:
    answer = player.move(PROGRAM, 1)
    assert answer.status_code == 200
    assert unmarked(answer) == '"v:2"'
    assert answer.headers["cache-control"] == "private, no-store"
    assert "idempotent-replayed" not in answer.headers
    assert answer.json() == {
        "match_id": player.match_id,
        "version": 2,
        "events": [{"type": "program_submitted", "seat": 0, "cards": FIVE_CARDS}],
        "to_act": [1],
        "status": "running",
        "outcome": None,
        "clocks": None,
    }


@pytest.mark.parametrize("if_match", ['"v:1"', "v:1", 'W/"v:1"', '"v:0", "v:1"', '"v:1--gzip"'])
def test_if_match_says_the_version_as_well(player: Player, if_match: str) -> None:
    assert player.move(PROGRAM, headers={"if-match": if_match}).status_code == 200


def test_a_move_needs_a_version(player: Player) -> None:
    answer = player.move(PROGRAM)
    assert (answer.status_code, answer.json()["reason"]) == (428, "VERSION_REQUIRED")


@pytest.mark.parametrize("if_match", ["*", '"abc"', '"v:1x"', '"v:1', '"v:1", "abc"'])
def test_if_match_must_name_a_version(player: Player, if_match: str) -> None:
    answer = player.move(PROGRAM, headers={"if-match": if_match})
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED_REQUEST")
    assert answer.json()["errors"][0]["header"] == "If-Match"


def test_header_and_body_must_agree(player: Player) -> None:
    versions = player.move(PROGRAM, 1, headers={"if-match": '"v:2"'})
    ids = player.move(PROGRAM, 1, request_id="one", headers={"idempotency-key": '"two"'})
    assert versions.status_code == ids.status_code == 400


@pytest.mark.parametrize(("in_header", "status"), [(True, 412), (False, 409)])
def test_a_stale_move_is_told_what_it_missed(table: Table, in_header: bool, status: int) -> None:
    """412 where a header asked for the version, 409 where the body did."""
    table.play_on(2)
    seat = table.match()["to_act"][0]
    player = table.players[seat]
    legal = player.look("legal-actions", samples=1).json()
    if in_header:
        answer = player.move(legal["samples"][0], headers={"if-match": '"v:1"'})
    else:
        answer = player.move(legal["samples"][0], 1)
    told = answer.json()
    assert (answer.status_code, told["status"], told["reason"]) == (status, status, "VERSION_CONFLICT")
    assert told["current_version"] == 3
    assert [move["version"] for move in told["missed"]] == [2, 3]
    assert told["pending"] == legal["pending"]
    assert told["legal_actions"]["actions"] == legal["actions"]
    assert told["metadata"] == {"current_version": "3", "expected_version": "1"}


def test_a_repeat_gets_the_first_answer_and_says_so(player: Player) -> None:
    key = {"idempotency-key": f'"{uuid4()}"'}
    first = player.move(PROGRAM, 1, headers=key)
    again = player.move(PROGRAM, 1, headers=key)
    assert first.json() == again.json()
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"


def test_a_repeat_is_looked_up_before_the_version_is_judged(table: Table) -> None:
    """Else the retry of a move that was made would be told that the match has moved on."""
    key = {"idempotency-key": f'"{uuid4()}"', "if-match": '"v:1"'}
    first = table.players[0].move(PROGRAM, headers=key)
    table.play_on(3)
    assert table.players[0].move(PROGRAM, headers=key).json() == first.json()


def test_a_request_id_used_for_another_move_is_refused(player: Player) -> None:
    request_id = str(uuid4())
    assert player.move(PROGRAM, 1, request_id=request_id).status_code == 200
    answer = player.move(OTHER_PROGRAM, 1, request_id=request_id)
    assert (answer.status_code, answer.json()["reason"]) == (422, "REQUEST_ID_REUSED")


def test_all_six_seats_submit_their_secret_programs_at_once(platform: Platform) -> None:
    with platform.new_table(6) as table, ThreadPoolExecutor(6) as players:
        answers = list(players.map(lambda player: player.move(PROGRAM, 1), table.players))
    assert [answer.status_code for answer in answers] == [200] * 6


def test_a_broken_rule_tells_paragraph_field_and_facts(player: Player) -> None:
    two_dragons = {
        "type": "submit_program",
        "cards": ["dragon:black", "dragon:black", "move1", "move2", "jump"],
    }
    answer = player.move(two_dragons, 1)
    told = answer.json()
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert told["rule"]
    assert told["field"]
    assert told["type"] == f"/problems/{told['reason']}"
    assert told["current_version"] == 1
    assert told["legal_actions"]["templates"]
    explained = player.get(told["type"]).json()
    assert (explained["title"], explained["status"]) == (told["title"], 422)


def test_not_this_seats_turn(table: Table) -> None:
    table.play_on(2)
    (acting,) = table.match()["to_act"]
    answer = table.players[1 - acting].move({"type": "choose_plank", "size": 1}, 3)
    assert (answer.status_code, answer.json()["reason"]) == (409, "NOT_YOUR_TURN")
    assert answer.json()["pending"] is None


def test_another_decision_is_open(player: Player) -> None:
    answer = player.move({"type": "choose_plank", "size": 1}, 1)
    assert (answer.status_code, answer.json()["reason"]) == (422, "WRONG_DECISION")


def test_an_api_key_acts_for_the_seat_it_names(table: Table) -> None:
    body = {"action": PROGRAM, "expected_version": 1}
    unnamed = table.platform.post(f"{table.path}/moves", json=body)
    assert (unnamed.status_code, unnamed.json()["errors"][0]["pointer"]) == (400, "/seat")
    assert table.platform.post(f"{table.path}/moves", json=body | {"seat": 1}).status_code == 200


def test_resigning_needs_no_version_and_ends_a_match_of_two(table: Table) -> None:
    answer = table.players[0].post(f"{table.path}/resign")
    told = answer.json()
    assert (answer.status_code, told["status"]) == (200, "ended")
    assert unmarked(answer) == f'"v:{told["version"]}"'
    assert told["outcome"]["winners"] == [1]
    assert [result["seat"] for result in told["outcome"]["results"]] == [0, 1]
    match = table.match()
    assert match["outcome"] == told["outcome"]
    assert len(bytes.fromhex(match["secret"])) == 32
    over = table.players[1].move(PROGRAM, match["version"])
    assert (over.status_code, over.json()["reason"]) == (409, "MATCH_OVER")


def test_a_stale_resignation_with_a_version_is_refused(table: Table) -> None:
    table.play_on(2)
    answer = table.players[0].post(f"{table.path}/resign", json={}, headers={"if-match": '"v:1"'})
    assert (answer.status_code, answer.json()["reason"]) == (412, "VERSION_CONFLICT")


def test_moves_are_listed_page_by_page_without_holes(table: Table) -> None:
    table.play_on(4)
    path = f"{table.path}/moves"
    first = table.platform.get(path, params={"page_size": 3, "audience": "referee"}).json()
    rest = table.platform.get(
        path, params={"page_size": 3, "audience": "referee", "page_token": first["next_page_token"]}
    ).json()
    moves = first["moves"] + rest["moves"]
    assert [move["version"] for move in moves] == [1, 2, 3, 4, 5]
    assert (moves[0]["seat"], moves[0]["action"]) == (None, None)
    assert all(move["action"] for move in moves[1:])
    assert rest["next_page_token"] == ""
    assert [move["version"] for move in table.platform.get(path, params={"after": 3}).json()["moves"]] == [
        4,
        5,
    ]


def test_only_the_asking_seat_sees_what_it_asked(table: Table) -> None:
    player, other = table.players
    player.move(PROGRAM, 1)
    (own,) = player.look("moves", after=1).json()["moves"]
    (foreign,) = other.look("moves", after=1).json()["moves"]
    assert own["action"] == PROGRAM
    assert foreign["action"] is None
    assert foreign["events"] == [{"type": "program_submitted", "seat": 0, "cards": None}]
    assert own["hash"] == foreign["hash"]


def test_a_page_token_belongs_to_its_listing(table: Table) -> None:
    table.play_on(3)
    path = f"{table.path}/moves"
    token = table.platform.get(path, params={"page_size": 1}).json()["next_page_token"]
    for query in ({"page_token": token, "after": 1}, {"page_token": "nonsense"}):
        answer = table.platform.get(path, params=query)
        assert (answer.status_code, answer.json()["reason"]) == (400, "PAGE_TOKEN_INVALID")
