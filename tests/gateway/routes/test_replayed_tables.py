"""A replay with tables over REST: a table, then patches, which together are what single reads return at every version."""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

import msgspec

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from engine.match.replay import states_after_each
from engine.registry import game as registered_game
from foldtable.matches.v1.table_pb2 import GetTableResponse
from gateway.translate.table import pieces
from services.movelog.export.verification import logged_moves
from services.rules.wire.layouts import piece_message
from tests.gateway.http.test_json_patch import patched
from tests.gateway.routes.test_the_past import LINES, imported, lines_of
from tests.gateway.table import Platform, Player, Table
from tests.support.match_documents import document_of
from tests.support.winding_matches import a_winding_match

AUDIENCES: Final = (
    ("audience=public", PUBLIC),
    ("audience=seat&seat=1", seat_audience(Seat(1))),
    ("audience=referee", REFEREE),
)


def drawn(steps: list[Any]) -> list[Any]:
    """Put the tables together, as a page does: the first one is whole."""
    tables: list[Any] = []
    for number, step in enumerate(steps):
        assert set(step) == {"version", "move", "patch" if number else "table"}
        assert step["move"]["version"] == step["version"]
        tables.append(patched(tables[-1], step["patch"]) if number else step["table"])
    return tables


def replay(player: Player, **query: Any) -> Any:
    """Return a page of a replay with tables."""
    return player.get(f"/v1/matches/{player.match_id}/replay", params={"what": "tables", **query}).json()


def pieces_of(game: Any, state: Any, eyes: Audience) -> Any:
    """Return the pieces of a state as REST writes them."""
    laid = map(piece_message, game.pieces(game.view(state, eyes)))
    return msgspec.to_builtins(pieces(GetTableResponse(pieces=laid)))


def test_patched_tables_are_what_single_reads_return_at_every_version(platform: Platform) -> None:
    """With moves taken back and put back. Every game: tests/services/rules/test_replayed_tables.py."""
    match, rows = a_winding_match(moves=50, match_id=uuid4())
    path = imported(platform, document_of(match, rows, "Ada", "Bo")).headers["location"]
    game = registered_game(match.game)
    states = [state for _, state in states_after_each(game, logged_moves(rows))]
    for query, eyes in AUDIENCES:
        replay = f"{path}/replay?what=tables&{query}"
        steps = lines_of(platform.get(replay, headers=LINES))
        assert [step["version"] for step in steps] == list(range(1, match.version + 1))
        assert {one["op"] for step in steps[1:] for one in step["patch"]} <= {"add", "remove", "replace"}
        for version, (table, state) in enumerate(zip(drawn(steps), states, strict=True), 1):
            view = platform.get(f"{path}/view?at={version}&{query}").json()["view"]
            assert table["view"] == view
            assert table["pieces"] == pieces_of(game, state, eyes)
            assert table["pending"] == view["pending"]


def test_the_last_one_is_the_table_that_is_read_now(table: Table) -> None:
    player = table.players[0]
    table.play_on(4)
    for lang in ({}, {"lang": "pl"}):
        replayed = drawn(replay(player, **lang)["steps"])[-1]
        now = player.look("table", **lang).json()
        assert replayed == {name: now[name] for name in ("view", "pieces", "pending")}


def test_every_page_begins_with_a_whole_table(table: Table) -> None:
    table.play_on(6)
    player = table.players[0]
    whole = drawn(lines_of(player.get(f"{table.path}/replay?what=tables", headers=LINES)))
    paged, token = list[Any](), ""
    while not paged or token:
        page = replay(player, page_size=3, page_token=token)
        paged += drawn(page["steps"])
        token = page["next_page_token"]
    assert paged == whole
    part = replay(player, **{"from": 3, "to": 5})["steps"]
    assert drawn(part) == whole[2:5]


def test_moves_and_decisions_have_texts_in_the_language_asked_for(player: Player) -> None:
    player.any_move().raise_for_status()
    begun, moved = replay(player, lang="fr")["steps"]
    assert all(decision["text"]["sentence"] for decision in begun["table"]["pending"])
    assert moved["move"] == player.look("moves", lang="fr").json()["moves"][1]
    assert moved["move"]["event_texts"]


def test_a_match_that_was_aborted_before_the_start_has_an_empty_table(platform: Platform) -> None:
    path = platform.create(open_seats=True).json()["match"]["links"]["self"]
    platform.post(f"{path}/abort").raise_for_status()
    (step,) = platform.get(f"{path}/replay?what=tables").json()["steps"]
    assert step["table"] == {"view": None, "pieces": {}, "pending": []}


def test_a_running_match_shows_others_only_what_they_saw(table: Table) -> None:
    first, second = table.players
    first.any_move().raise_for_status()
    for refused in ("seat=0", "audience=referee"):
        assert second.get(f"{table.path}/replay?what=tables&{refused}").status_code == 403
    other, own = (drawn(replay(each)["steps"])[1] for each in (second, first))
    assert other["view"]["programs"] == []
    assert own["view"]["programs"] != []
