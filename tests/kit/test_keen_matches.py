"""The rules of our games under the kit again, in matches of players who get as far as rare decisions.

Random players, whom the kit has for every game, hardly deliver to a noble, come home, or hold four offices.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from typing import Any

import pytest

from engine.al_rashid.options import AlRashidOptions
from engine.match.playout import Step
from engine.registry import newest
from engine.river_dragons.box.components import Variant
from engine.river_dragons.options import RiverDragonsOptions
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.options import RiverOfGoldOptions
from services.kit.check import Check
from services.kit.every_check import named
from services.kit.printed import printed
from services.kit.running import run
from services.kit.subject import Played, Subject
from tests.engine.al_rashid.matches import whole_match as rashid
from tests.engine.conserved import CONSERVED
from tests.engine.river_dragons.matches import whole_match as dragons
from tests.engine.river_of_gold.matches import whole_match as gold

MATCHES = int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", "2"))
"""With each number of players; the environment variable asks for more."""
LOOKING_AT_MATCHES = named(
    (
        *("listed-actions", "unlisted-actions", "draws-after-judging", "replay", "ends", "conserved"),
        *("leaving", "redeal", "non-interference", "undo-boundary", "hints"),
    )
)
KEEN: Mapping[str, tuple[tuple[Any, Callable[[int, int], Iterable[Step]]], ...]] = {
    "al_rashid": ((AlRashidOptions(), lambda players, number: rashid(players, number, keen=number % 3 > 0)),),
    "river_dragons": tuple(
        (
            RiverDragonsOptions(variant=side),
            lambda players, number, side=side: dragons(players, side, number, keen=True),
        )
        for side in Variant
    ),
    "river_of_gold": tuple(
        (
            RiverOfGoldOptions(patrons=patrons),
            lambda players, number, patrons=patrons: gold(
                players, number, patrons=patrons, keen=number % 3 > 0, thrifty=number % 3 == 0
            ),
        )
        for patrons in PatronMode
    ),
}
"""The options and the match of so many players with a number."""


class KeenSubject(Subject):
    """A game with matches of its keen players."""

    @cached_property
    def matches(self) -> tuple[Played, ...]:
        tables = [
            (options, seats, match)
            for options, match in KEEN[self.id]
            for seats in self.game.seat_counts
            for _ in range(MATCHES)
        ]
        return tuple(
            Played(number=number, options=options, seats=seats, steps=tuple(match(seats, number)))
            for number, (options, seats, match) in enumerate(tables)
        )


@cache
def subject(game_id: str) -> Subject:
    return KeenSubject(game_id)


@pytest.mark.hypothesis
@pytest.mark.parametrize("check", LOOKING_AT_MATCHES, ids=lambda check: check.name)
@pytest.mark.parametrize("game_id", KEEN)
def test_a_game_passes(game_id: str, check: Check) -> None:
    result = run(check, subject(game_id))
    assert not result.faults, printed(check, result)
    assert not result.skipped


@pytest.mark.hypothesis
@pytest.mark.parametrize("game_id", KEEN)
def test_what_is_in_the_box_is_neither_made_nor_lost(game_id: str) -> None:
    for played in subject(game_id).matches:
        for step in played.steps:
            CONSERVED[game_id](step.state)


@pytest.mark.parametrize("game_id", KEEN)
def test_keen_matches_bring_nearly_everything_there_is(game_id: str) -> None:
    """Otherwise the checks would look at what random matches bring as well."""
    steps = [step for played in subject(game_id).matches for step in played.steps]
    types = newest(game_id).types
    assert {*types.action.__args__} == {type(step.action) for step in steps} - {type(None)}
    missing = {*types.event.__args__} - {type(event) for step in steps for event in step.events}
    assert {event.__name__ for event in missing} <= {"SeatLeft", "StackRebuilt", "ChoiceLapsed"}
