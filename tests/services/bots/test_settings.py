"""What a worker is told by its environment."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from engine.bots.levels import LEVELS
from services.bots.settings import BotsSettings, read_keys


def test_every_level_is_played_unless_some_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FOLDTABLE_BOTS_KEY_FILE", str(tmp_path / "key"))
    assert BotsSettings().bot_levels == tuple(LEVELS)
    monkeypatch.setenv("FOLDTABLE_BOT_LEVELS", "random, greedy")
    assert BotsSettings().bot_levels == ("random", "greedy")
    monkeypatch.setenv("FOLDTABLE_BOT_LEVELS", "best")
    with pytest.raises(ValidationError, match="unknown: best"):
        BotsSettings()


def test_keys_stand_in_a_file_one_a_line(tmp_path: Path) -> None:
    place = tmp_path / "keys"
    place.write_text("ft_live_one\n\n  ft_live_two\n")
    assert read_keys(place) == ("ft_live_one", "ft_live_two")
    place.write_text("\n")
    with pytest.raises(ValueError, match="holds no API key"):
        read_keys(place)
