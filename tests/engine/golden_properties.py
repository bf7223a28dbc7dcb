"""What every game owes to its stored matches: they still read, fold to the same table, and are decided again without a difference."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.chance import Draw, commitment
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.playout import Step
from engine.kernel.replay import decide_again, fold_moves, states_after_each
from engine.kernel.requests import RESIGN
from tests.golden.writing import transcript_lines
from tests.support.stored_logs import GOLDEN, golden_logs, read


def every_log(game: AnyGame) -> pytest.MarkDecorator:
    """Ask a test for each stored log of the game, as `path`."""
    return pytest.mark.parametrize("path", golden_logs(game.id), ids=lambda path: path.stem)


def setups(game: AnyGame) -> Iterator[tuple[Any, bool]]:
    """Give the first event of each stored match, and whether a seat leaves in it."""
    for path in golden_logs(game.id):
        _, moves, _ = read(path)
        yield game.event_codec.decode_many(moves[0].events)[0], any(move.request == RESIGN for move in moves)


def kinds_of_events(game: AnyGame) -> set[type]:
    """Give what happens in the stored matches."""
    return {
        type(event)
        for path in golden_logs(game.id)
        for move in read(path)[1]
        for event in game.event_codec.decode_many(move.events)
    }


def folds_to_the_stored_end(game: AnyGame, path: Path) -> None:
    """The number of moves, the outcome and the last state are those the file tells of."""
    _, moves, end = read(path)
    state = fold_moves(game, moves)
    assert len(moves) == end["moves"]
    assert json.loads(encode(game.outcome(state))) == end["outcome"]
    assert hashlib.sha256(encode(state)).hexdigest() == end["state_sha256"]


def is_decided_again_without_a_difference(game: AnyGame, path: Path) -> set[int]:
    """The rules of today give the stored events for the stored requests and secret. Gives the moves that drew."""
    header, moves, _ = read(path)
    secret = bytes.fromhex(header["secret"])
    drawn: list[Draw] = []
    assert commitment(secret).hex() == header["commitment"]
    assert decide_again(game, moves, secret, drawn=drawn) is None
    return {draw.move for draw in drawn}


def is_the_same_from_any_snapshot(game: AnyGame, path: Path) -> None:
    """A replay that goes on from a stored state ends where the replay from the start does."""
    _, moves, _ = read(path)
    states = [state for _, state in states_after_each(game, moves)]
    for at in range(0, len(moves), 17):
        snapshot = game.state_codec.decode(encode(states[at]))
        assert fold_moves(game, moves[at + 1 :], snapshot) == states[-1]


def reads_as_it_did(
    game: AnyGame, name: str, match: Iterable[Step], shows_table: Callable[[Step], bool]
) -> None:
    """A difference is a change of rules, of what seat 0 sees, or of words: rewrite it on purpose with `make golden`."""
    told = "\n".join(transcript_lines(game, list(match), shows_table)) + "\n"
    assert told == (GOLDEN / game.id / f"{name}.txt").read_text(encoding="utf-8")
