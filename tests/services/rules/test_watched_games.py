"""Games whose functions are watched by a rules server can be used for everything else that its process does."""

from __future__ import annotations

import pickle

import pytest

from engine.kernel.game import Game
from engine.registry import GAMES, game
from services.rules.watchdog.guarded import WATCHED, Watched


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_watched_game_is_sent_as_the_game_it_was(game_id: str) -> None:
    plain = pickle.loads(pickle.dumps(game(game_id)))
    watched = Watched().guarded(plain)
    assert all(getattr(watched, name) is not getattr(plain, name) for name in WATCHED)
    sent = pickle.loads(pickle.dumps(watched))
    assert type(sent) is Game
    functions = [
        name for name in WATCHED if name != "rules_of"
    ]  # a getter of the standard library's, which is made anew
    assert [getattr(sent, name) for name in functions] == [getattr(plain, name) for name in functions]
    assert sent.upcasters == plain.upcasters


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_game_that_is_watched_already_stays_what_it_is(game_id: str) -> None:
    watched = Watched().guarded(game(game_id))
    assert Watched().guarded(watched) is watched
    assert (
        Watched().guarded(watched.by(watched.versions[-1].version)).rules_version
        == watched.versions[-1].version
    )
