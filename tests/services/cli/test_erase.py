"""`foldtable players erase` repeats its request until nothing is left, and once more when no session can be remembered any more."""

from __future__ import annotations

from typing import Any, Self

import pytest
from typer.testing import CliRunner

from services.cli.forgetting import players
from services.cli.main import app
from services.identity.key_ring import REMEMBER_SECONDS

COUNTS = {"events": 0, "vacations": 0, "login_codes": 0}


def test_it_asks_once_more_after_the_time_for_which_sessions_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page that was signed in took a seat after the first answer that said `done`."""
    told: list[Any] = []
    answers = [(3, False), (2, True), (1, False), (0, True)]

    class Answering(players.Gateway):
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def erase(self, player: str) -> dict[str, Any]:
            told.append(player)
            seats, done = answers.pop(0)
            return {**COUNTS, "seats": seats, "done": done}

    monkeypatch.setattr(players, "Gateway", Answering)
    monkeypatch.setattr(players, "sleep", told.append)
    done = CliRunner().invoke(
        app, ["players", "erase", "eve", "--yes", "--url", "http://127.0.0.1:1", "--key", "k"]
    )
    assert done.exit_code == 0, done.output
    assert [one for one in told if one != "eve"] == [told[2]]
    assert told[2] > REMEMBER_SECONDS
    assert len(told) == 5
    assert "6 seats" in done.output
