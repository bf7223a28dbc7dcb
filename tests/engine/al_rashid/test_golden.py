"""Stored matches still read, fold to the same table, and are decided again without a difference."""

from __future__ import annotations

import hashlib
import json

import pytest

from engine.al_rashid.events import MatchStarted
from engine.al_rashid.game import GAME
from engine.kernel.chance import Draw, commitment
from engine.kernel.codec import encode
from engine.kernel.replay import decide_again, fold_moves, states_after_each
from tests.engine.al_rashid.matches import whole_match
from tests.golden.al_rashid.write_log import transcript_lines
from tests.support.stored_logs import GOLDEN, read

FOLDER = GOLDEN / "al_rashid"
LOGS = sorted(FOLDER.glob("*.jsonl"))


every_log = pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)


def test_there_is_a_log_for_every_number_of_players_and_a_leaver() -> None:
    seen = set()
    for path in LOGS:
        _, moves, _ = read(path)
        started = GAME.event_codec.decode_many(moves[0].events)[0]
        assert isinstance(started, MatchStarted)
        seen.add(len(started.seats))
        seen.update("leaver" for move in moves if move.request == b'{"type":"resign"}')
    assert {*GAME.seat_counts, "leaver"} <= seen


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
    told = "\n".join(transcript_lines(list(whole_match(2, 40, keen=True)))) + "\n"
    assert told == (FOLDER / "players-2.txt").read_text(encoding="utf-8")
