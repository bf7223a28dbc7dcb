"""The stored logs are those that were stored, and rules that decide otherwise do not get past them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.match.replay import decide_again
from tests.golden.pins import PINS_OF_RECORDS, pinned, stored, stored_records
from tests.support.our_games import OUR_GAMES
from tests.support.stored_logs import game_of, golden_logs, read

ONE_OF_EACH = [golden_logs(game_id)[0] for game_id in OUR_GAMES]


def test_no_stored_log_was_altered_taken_away_or_put_in_unpinned() -> None:
    """Whoever adds one pins it: `python -m tests.golden.pins`."""
    assert stored() == pinned()


def test_no_stored_record_was_altered_or_taken_away_or_put_in_unpinned() -> None:
    assert stored_records() == pinned(PINS_OF_RECORDS)


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=lambda log: log.parent.parent.name)
def test_a_change_of_the_rules_that_alters_a_replay_is_found(log: Path) -> None:
    """Every event counts: one that is left out, once, in the middle of the match, is enough."""
    header, moves, _ = read(log)
    game = game_of(log)
    secret = bytes.fromhex(header["secret"])
    assert decide_again(game, moves, secret) is None
    decided = 0

    def forgetful(*asked: Any) -> Any:
        nonlocal decided
        decided += 1
        events = game.decide(*asked)
        return events[:-1] if decided == len(moves) // 2 else events

    difference = decide_again(replace(game, decide=forgetful), moves, secret)
    assert difference is not None
    assert difference.place == "events"
