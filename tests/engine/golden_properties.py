"""What every game owes to its stored matches, whatever rules they were begun under.

They still read, fold to the same table, look the same, and are decided again without a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.kernel.chance import Draw
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.text.texts import LANGUAGES
from engine.match.playout import Step
from engine.match.replay import fold_moves, states_after_each
from engine.match.requests import RESIGN
from services.kit.records import stored_logs
from services.kit.records.golden import decided_differences, end_differences, header_differences
from tests.golden.views import VIEWS, log_key, views_of
from tests.golden.writing import transcript, transcript_path
from tests.support.stored_logs import game_of, golden_logs, logs_of_version, read


def every_log(game: AnyGame) -> pytest.MarkDecorator:
    """Ask a test for each stored log of the game, as `path`."""
    return pytest.mark.parametrize(
        "path", golden_logs(game.id), ids=lambda path: f"{path.parent.name}-{path.stem}"
    )


def every_version(game: AnyGame) -> pytest.MarkDecorator:
    """Ask a test for each version of the game's rules, as `version`."""
    return pytest.mark.parametrize("version", [one.version for one in game.versions])


every_language = pytest.mark.parametrize("language", LANGUAGES)
"""Ask a test for each language, as `language`."""


def setups(game: AnyGame, version: str) -> Iterator[tuple[Any, bool]]:
    """Yield the first event of each match that is stored of a version, and whether a seat leaves in it."""
    for path in logs_of_version(game.id, version):
        _, moves, _ = read(path)
        yield game.event_codec.decode_many(moves[0].events)[0], any(move.request == RESIGN for move in moves)


def kinds_of_events(game: AnyGame) -> set[type]:
    """Return what happens in the stored matches."""
    return {
        type(event)
        for path in golden_logs(game.id)
        for move in read(path)[1]
        for event in game.event_codec.decode_many(move.events)
    }


def folds_to_the_stored_end(path: Path) -> None:
    """The number of moves, the outcome and the last state are those the file tells of, and it is kept with its rules."""
    game, log = game_of(path), stored_logs.read(path.read_bytes())
    assert list(header_differences(game, log)) == []
    assert list(end_differences(game, log)) == []


def is_decided_again_without_a_difference(path: Path) -> set[int]:
    """The rules it was begun under give the stored events for the stored requests and secret. Gives the moves that drew."""
    drawn: list[Draw] = []
    log = stored_logs.read(path.read_bytes())
    assert list(decided_differences(game_of(path), log, drawn=drawn)) == []
    return {draw.move for draw in drawn}


def looks_as_it_did(path: Path) -> None:
    """Everybody sees what was seen. A difference is a change of views: rewrite the digest on purpose with `make golden`."""
    told = msgspec.json.decode(VIEWS.read_bytes(), type=dict[str, str])
    assert told[log_key(path)] == views_of(path)


def is_the_same_from_any_snapshot(path: Path) -> None:
    """A replay that goes on from a stored state ends where the replay from the start does."""
    game, (_, moves, _) = game_of(path), read(path)
    states = [state for _, state in states_after_each(game, moves)]
    for at in range(0, len(moves), 17):
        snapshot = game.state_codec.decode(encode(states[at]))
        assert fold_moves(game, moves[at + 1 :], snapshot) == states[-1]


def reads_as_it_did(
    game: AnyGame, name: str, match: Iterable[Step], shows_table: Callable[[Step], bool], language: str
) -> None:
    """A difference is a change of rules, of what seat 0 sees, or of words: rewrite it on purpose with `make golden`."""
    told = transcript(game, list(match), shows_table, language)
    assert told == transcript_path(game, name, language).read_text(encoding="utf-8")
