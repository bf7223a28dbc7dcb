"""Stored matches of our games: which there are, that they look as they did, and that a replay may begin anywhere in them.

That each still folds to its stored end, and is decided again without a difference, the kit asks (`golden`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.kernel.chance import Draw
from engine.kernel.codec import encode
from engine.kernel.text.texts import LANGUAGES
from engine.match.playout import Step
from engine.match.replay import decide_again, fold_moves, states_after_each
from engine.match.requests import RESIGN
from engine.registry import game as registered_game
from engine.registry import newest
from engine.river_dragons.box.components import Variant
from engine.river_of_gold.box.components import PatronMode
from tests.engine.al_rashid.matches import whole_match as rashid
from tests.engine.river_dragons.matches import whole_match as dragons
from tests.engine.river_of_gold.matches import whole_match as gold
from tests.golden.views import VIEWS, log_key, views_of
from tests.golden.writing import transcript, transcript_path
from tests.support.our_games import OUR_GAMES
from tests.support.stored_logs import game_of, golden_logs, logs_of_version, read

EVERY_GAME = pytest.mark.parametrize("name", OUR_GAMES)
EVERY_LOG = pytest.mark.parametrize(
    "path", [log for name in OUR_GAMES for log in golden_logs(name)], ids=log_key
)
EVERY_VERSION = pytest.mark.parametrize(
    ("name", "version"), [(name, one.version) for name in OUR_GAMES for one in newest(name).versions]
)
SETUPS: Mapping[str, set[Any]] = {
    "al_rashid": {2, 3, 4, 5},
    "river_dragons": {*((Variant.ISLANDS, players) for players in range(2, 7)), (Variant.EXPERT, 4)},
    "river_of_gold": {(True, 2), (True, 3), (True, 4), *PatronMode},
}
"""What there is a log of, with every version of the rules: every number of players, and every option."""
TRANSCRIPTS: Mapping[str, tuple[str, Callable[[], Iterable[Step]]]] = {
    "al_rashid": ("players-2", lambda: rashid(2, 40, keen=True)),
    "river_dragons": ("islands-2", lambda: dragons(2, Variant.ISLANDS, 40, keen=True)),
    "river_of_gold": ("players-2", lambda: gold(2, 40, patrons=PatronMode.DRAFT, keen=True)),
}
"""The file and the match that it tells."""


def told_of(started: Any) -> set[Any]:
    """What the first event of a match tells of its setup, as SETUPS counts it."""
    match started:
        case object(variant=variant, seats=seats):
            return {(variant, len(seats))}
        case object(patrons=patrons, order=order):
            return {patrons, (patrons is not PatronMode.NONE, len(order))}
        case _:
            return {len(started.seats)}


@EVERY_VERSION
def test_there_is_a_log_of_everything_that_is_chosen_before_a_match_and_of_a_leaver(
    name: str, version: str
) -> None:
    logs = [read(path)[1] for path in logs_of_version(name, version)]
    codec = registered_game(name).event_codec
    assert SETUPS[name] <= {each for moves in logs for each in told_of(codec.decode_many(moves[0].events)[0])}
    assert any(move.request == RESIGN for moves in logs for move in moves)


@EVERY_LOG
def test_a_stored_log_looks_as_it_did(path: Path) -> None:
    """A difference is a change of views: rewrite the digest on purpose with `python -m tests.golden.views`."""
    told = msgspec.json.decode(VIEWS.read_bytes(), type=dict[str, str])
    assert told[log_key(path)] == views_of(path)


@EVERY_LOG
def test_a_replay_from_any_snapshot_equals_the_replay_from_the_start(path: Path) -> None:
    game, (_, moves, _) = game_of(path), read(path)
    states = [state for _, state in states_after_each(game, moves)]
    for at in range(0, len(moves), 17):
        snapshot = game.state_codec.decode(encode(states[at]))
        assert fold_moves(game, moves[at + 1 :], snapshot) == states[-1]


@EVERY_LOG
def test_in_river_dragons_only_the_setup_draws_and_in_the_others_many_moves(path: Path) -> None:
    game, (header, moves, _) = game_of(path), read(path)
    drawn: list[Draw] = []
    assert decide_again(game, moves, bytes.fromhex(header["secret"]), drawn=drawn) is None
    drew = {draw.move for draw in drawn}
    assert drew == {1} if game.id == "river_dragons" else len(drew) > 5


@pytest.mark.parametrize("language", LANGUAGES)
@EVERY_GAME
def test_the_transcript_reads_as_it_did(name: str, language: str) -> None:
    """A difference is a change of rules, of what seat 0 sees, or of words: rewrite it on purpose with `make golden`."""
    game = newest(name)
    stem, match = TRANSCRIPTS[name]
    shows_table = import_module(f"tests.golden.{name}.write_log").shows_table
    told = transcript(game, [*match()], shows_table, language)
    assert told == transcript_path(game, stem, language).read_text(encoding="utf-8")
