"""What games may rely on stays: names, fields and signatures of `engine.interface`, and our games use nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engine import interface
from engine.registry import GAMES
from services.kit.records.imports import imported, offered, unwelcome
from services.kit.records.sources import sources
from tests.support import interface_baseline
from tests.support.interface_baseline import STORED, complaint
from tests.support.our_games import OUR_GAMES

ENGINE = "engine."


def stored() -> dict[str, Any]:
    """What the last release offered."""
    told: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8"))
    return told


def changed(change: Any) -> str:
    """What is said of the stored interface after a change."""
    now = copy.deepcopy(stored())
    change(now["names"])
    return complaint(stored(), now)


def test_the_interface_is_the_one_that_is_stored() -> None:
    """Additions raise the minor version, removals and changes the major one."""
    now = json.loads(json.dumps(interface_baseline.offered()))
    assert complaint(stored(), now) == ""


def test_an_addition_raises_the_minor_version() -> None:
    told = changed(lambda names: names.update(Deck={"kind": "class"}))
    assert told.startswith("added: Deck.kind; raise the minor version of INTERFACE")
    assert "python -m tests.support.interface_baseline" in told


def test_a_new_default_or_a_missing_name_raises_the_major_version() -> None:
    told = changed(lambda names: names["Piece"]["fields"].update(count="int = 0"))
    assert told.startswith("removed or changed: Piece.fields.count; raise the major version of INTERFACE")
    assert "removed or changed: fold.kind, fold.signature" in changed(lambda names: names.pop("fold"))


def test_the_interface_lists_all_that_it_imports() -> None:
    assert set(offered()) == set(interface.__all__)


@pytest.mark.parametrize("game", OUR_GAMES)
def test_a_game_of_ours_uses_nothing_of_the_engine_that_the_interface_does_not_offer(game: str) -> None:
    package = GAMES[game].python_package
    used = [
        (source.name, line, name)
        for source in sources(package)
        for line, name in imported(source)
        if name.startswith(ENGINE) and not name.startswith(f"{package}.")
    ]
    assert len(used) > 50
    assert [place for place in used if unwelcome(package, place[2])] == []
    assert unwelcome(package, "engine.kernel.codec.Codec") == "the interface does not offer it"
