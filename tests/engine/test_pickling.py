"""Games go to other processes, whatever was done with them before."""

from __future__ import annotations

import pickle

import pytest

from engine.registry import GAMES, game


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_game_that_has_read_something_can_still_be_sent(game_id: str) -> None:
    played = game(game_id)
    codecs = (played.options_codec, played.state_codec, played.action_codec, played.event_codec)
    assert played.options_codec.decode(b"{}") == pickle.loads(pickle.dumps(codecs[0])).decode(b"{}")
    sent = pickle.loads(pickle.dumps(played))
    assert (sent.id, sent.rules_version) == (played.id, played.rules_version)
