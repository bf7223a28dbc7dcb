"""Stored matches still read, fold to the same table, and are decided again without a difference."""

from __future__ import annotations

import hashlib
import json

import pytest

from engine.kernel.chance import Draw, commitment
from engine.kernel.codec import encode
from engine.kernel.replay import decide_again, fold_moves, states_after_each
from engine.river_of_gold.components import PatronMode
from engine.river_of_gold.events import MatchStarted, RiverOfGoldEvent
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.matches import whole_match
from tests.golden.river_of_gold.write_log import transcript_lines
from tests.support.stored_logs import GOLDEN, read

FOLDER = GOLDEN / "river_of_gold"
LOGS = sorted(FOLDER.glob("*.jsonl"))


every_log = pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)


def test_there_is_a_log_for_every_number_of_players_with_patrons_one_without_and_one_with_leavers() -> None:
    seen = set()
    for path in LOGS:
        _, moves, _ = read(path)
        started = GAME.event_codec.decode_many(moves[0].events)[0]
        assert isinstance(started, MatchStarted)
        seen.add(started.patrons)
        if started.patrons is not PatronMode.NONE:
            seen.add(len(started.order))
        seen.update("leaver" for move in moves if move.request == b'{"type":"resign"}')
    assert {*GAME.seat_counts, *PatronMode, "leaver"} <= seen


def test_every_kind_of_event_is_in_a_log() -> None:
    """So no shape of an event can change without an upcaster."""
    seen = {
        type(event)
        for path in LOGS
        for move in read(path)[1]
        for event in GAME.event_codec.decode_many(move.events)
    }
    assert seen == {*RiverOfGoldEvent.__args__}


@every_log
def test_a_stored_log_folds_to_the_stored_end(path) -> None:
    _, moves, end = read(path)
    state = fold_moves(GAME, moves)
    assert len(moves) == end["moves"]
    assert json.loads(encode(GAME.outcome(state))) == end["outcome"]
    assert hashlib.sha256(encode(state)).hexdigest() == end["state_sha256"]


@every_log
def test_a_stored_log_is_decided_again_without_a_difference(path) -> None:
    header, moves, _ = read(path)
    secret = bytes.fromhex(header["secret"])
    drawn: list[Draw] = []
    assert commitment(secret).hex() == header["commitment"]
    assert decide_again(GAME, moves, secret, drawn=drawn) is None
    assert len({draw.move for draw in drawn}) > 5


@every_log
def test_a_replay_from_any_snapshot_equals_the_replay_from_the_start(path) -> None:
    _, moves, _ = read(path)
    states = [state for _, state in states_after_each(GAME, moves)]
    for at in range(0, len(moves), 17):
        snapshot = GAME.state_codec.decode(encode(states[at]))
        assert fold_moves(GAME, moves[at + 1 :], snapshot) == states[-1]


def test_the_transcript_reads_as_it_did() -> None:
    """A difference is a change of rules, of what seat 0 sees, or of words: rewrite it on purpose with write_log.py."""
    steps = list(whole_match(2, 40, patrons=PatronMode.DRAFT, keen=True))
    told = "\n".join(transcript_lines(steps)) + "\n"
    assert told == (FOLDER / "players-2.txt").read_text(encoding="utf-8")
