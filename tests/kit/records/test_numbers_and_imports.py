"""The checks of numbers find words and rows that are not what they must be; the check of imports what no rules may use."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.kernel.seats import seat_audience
from engine.registry import newest, part
from services.kit.records import numbers
from services.kit.records.imports import IMPORTS, unwelcome
from services.kit.records.numbers import ACTIONS, ROWS
from tests.kit.records.planted import SIMPLE, faults, subject

GAME = newest(SIMPLE)


def said(
    monkeypatch: pytest.MonkeyPatch, check: Any, name: str, change: Callable[[Any], dict[str, Any]]
) -> list[str]:
    """What is said if some functions of a numbering are others."""

    def make(options, seats):
        true = part(SIMPLE, name)(options, seats)
        functions = ("names", "parts", "choices", "word") if name == "action_space" else ("named", "row")
        return SimpleNamespace(**{one: getattr(true, one) for one in functions} | change(true))

    monkeypatch.setattr(numbers, "loaded", lambda _: make)
    return faults(check, subject())


def test_names_of_indices_must_differ_and_be_ascii(monkeypatch) -> None:
    told = said(monkeypatch, ACTIONS, "action_space", lambda true: {"names": ["é", "é", *true.names[2:]]})
    assert told[:2] == [
        "two indices of the action space have the same name",
        "the name 'é' of an index is not printable ASCII",
    ]


def test_two_actions_with_the_same_word_are_a_fault(monkeypatch) -> None:
    told = said(monkeypatch, ACTIONS, "action_space", lambda _: {"word": lambda action, view: (0,)})
    assert any(one.endswith(" have the same word") for one in told)


def test_a_word_outside_of_the_names_is_a_fault(monkeypatch) -> None:
    told = said(monkeypatch, ACTIONS, "action_space", lambda true: {"names": true.names[:1]})
    assert any(one.endswith("has indices outside of the names") for one in told)


def test_an_index_for_what_is_not_legal_is_a_fault(monkeypatch) -> None:
    def choices(true):
        def other(legal, view):
            right = true.choices(legal, view)
            return SimpleNamespace(
                following=lambda begun: (
                    [*right.following(begun), 99_999] if not begun else right.following(begun)
                ),
                action=right.action,
            )

        return {"choices": other}

    told = said(monkeypatch, ACTIONS, "action_space", choices)
    assert any("the index 99999 is offered, and means no action" in one for one in told)
    assert any("the word (99999,) cannot be continued, and is no action" in one for one in told)


def test_an_index_that_is_offered_twice_is_a_fault(monkeypatch) -> None:
    def choices(true):
        def other(legal, view):
            right = true.choices(legal, view)
            return SimpleNamespace(
                following=lambda begun: [one for one in right.following(begun) for _ in "ab"],
                action=right.action,
            )

        return {"choices": other}

    told = said(monkeypatch, ACTIONS, "action_space", choices)
    assert any(one.endswith(" indices are offered twice or out of order") for one in told)


def test_a_word_that_means_what_the_rules_refuse_is_a_fault(monkeypatch) -> None:
    """What is listed is spelt rightly; who follows what is offered arrives at the first action of the match, again and again."""
    first: list[Any] = []
    asked = count()

    def choices(true):
        def other(legal, view):
            right = true.choices(legal, view)
            first.extend(legal.actions[:1] if not first else [])
            if next(asked) % 2 == 0:  # for the listed actions, then for the word that is followed
                return right
            return SimpleNamespace(
                following=right.following, action=lambda word: first[0] if right.action(word) else None
            )

        return {"choices": other}

    told = said(monkeypatch, ACTIONS, "action_space", choices)
    assert any("which is refused: " in one for one in told), told
    assert any(one.endswith("whose word is another") for one in told)


def test_rows_must_have_constant_names_and_values_from_0_to_1(monkeypatch) -> None:
    assert said(
        monkeypatch,
        ROWS,
        "features",
        lambda true: {"row": lambda view, seat: [*true.row(view, seat)[1:], 2.0]},
    )[0].endswith("of a row is 2.0, which is not from 0 to 1")
    short = said(
        monkeypatch, ROWS, "features", lambda true: {"row": lambda view, seat: true.row(view, seat)[1:]}
    )
    assert "numbers and" in short[0]
    named = said(
        monkeypatch, ROWS, "features", lambda true: {"named": lambda view: ["x"] * len(true.named(view))}
    )
    assert named == ["two places of a row have the same name"]
    counter = count()
    moving = said(
        monkeypatch,
        ROWS,
        "features",
        lambda true: {"named": lambda view: [f"{next(counter)} {one}" for one in true.named(view)]},
    )
    assert moving[0] == "the places of a row change their meaning in a match"


def test_a_row_that_knows_too_much_is_a_fault() -> None:
    """A view that shows what is hidden shows in the row of a state that was dealt again."""

    def view(state, audience):
        return GAME.view(state, seat_audience(1) if audience.seat == 0 else audience)

    assert faults(ROWS, subject(view=view)) == [
        "the row of a seat differs between states that the seat cannot distinguish"
    ]


def test_a_game_without_numbers_is_skipped() -> None:
    planted = subject()
    planted.package = replace(planted.package, action_space="", features="")
    assert ACTIONS.run(planted).skipped == "the package names no action_space"
    assert ROWS.run(planted).skipped == "the package names no features"


SOURCE = """
import random
from engine.kernel.codec import Codec
from engine.interface import Seat, Decoder
from engine import interface
from . import cards
from .. import elsewhere
import numpy
import msgspec, math
def look():
    import datetime
    return open("cards"), interface, print
"""


def test_imports_and_calls_that_rules_must_not_have(tmp_path: Path, monkeypatch) -> None:
    package = tmp_path / "shady_game"
    package.mkdir()
    (package / "__init__.py").write_text('raise AssertionError("it must not be imported")\n')
    (package / "game.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    planted = subject()
    planted.package = replace(planted.package, game="shady_game.game:GAME")
    first = IMPORTS.run(planted).faults
    assert [(fault.where, fault.what) for fault in first] == [
        ("game.py:2", "it imports random: luck comes through Chance"),
        ("game.py:3", f"it imports engine.kernel.codec.Codec: {ONLY}"),
        ("game.py:4", "it imports engine.interface.Decoder: engine.interface does not offer it"),
        ("game.py:7", f"it imports elsewhere: {ONLY}"),
        ("game.py:8", f"it imports numpy: {ONLY}"),
    ]
    (package / "game.py").write_text("\n".join(SOURCE.splitlines()[9:]))
    assert faults(IMPORTS, planted) == ["it imports datetime: the rules know no clock", "it calls open()"]
    assert "shady_game" not in sys.modules


ONLY = "a game imports the standard library, msgspec, engine.interface and itself"


def test_a_game_of_ours_may_name_what_is_behind_the_interface() -> None:
    assert unwelcome("engine.chess", "engine.kernel.seats.Seat") == ""
    assert unwelcome("engine.chess", "engine.kernel.seats.Chair") == "the interface does not offer it"
    assert unwelcome("chess", "engine.kernel.seats.Seat") == ONLY
    assert unwelcome("chess", "engine.interface.Seat") == ""
