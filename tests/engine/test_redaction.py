"""Of an event everybody is told everything, but for what only some may know; nothing that is printed shows that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import pytest
from msgspec.structs import replace

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, Audience, seat_audience
from engine.match.playout import Step
from engine.registry import newest

MATCHES = 6


def without_values(event: Any) -> Any:
    return replace(event, tiles=tuple(replace(tile, value=None) for tile in event.tiles))


def its_owner(event: Any, audience: Audience) -> bool:
    return audience.sees_seat(event.seat)


def a_referee(_: Any, audience: Audience) -> bool:
    return audience.sees_all()


SECRET: dict[str, dict[str, tuple[Callable[[Any, Audience], bool], Callable[[Any], Any]]]] = {
    "al_rashid": {
        "mercenaries_drawn": (its_owner, without_values),
        "territory_peeked": (its_owner, without_values),
        "crisis_drawn": (a_referee, without_values),
    },
    "river_dragons": {"program_submitted": (its_owner, lambda event: replace(event, cards=None))},
    "river_of_gold": {"customer_drawn": (its_owner, lambda event: replace(event, customer=None))},
}
"""By kind of event: who is told all of it, and what the others are told. AR §13.2, RD §10, RG §11"""
EVERY_GAME = pytest.mark.parametrize("name", SECRET)


def steps(name: str) -> Iterable[Step]:
    keen_match = import_module(f"tests.engine.{name}.matches").keen_match
    return (step for number in range(MATCHES) for step in keen_match(number))


@EVERY_GAME
def test_an_event_withholds_exactly_what_is_secret(name: str) -> None:
    game, withheld = newest(name), set()
    for step in steps(name):
        seats = range(game.seat_counts[-1])
        for event in step.events:
            tag = type(event).__struct_config__.tag
            for audience in (PUBLIC, REFEREE, *map(seat_audience, seats)):
                told = game.redact(event, audience)
                knows, rest = SECRET[name].get(tag, (lambda *_: True, None))
                if knows(event, audience):
                    assert told == event
                else:
                    assert told == rest(event)
                    withheld.add(tag)
                assert repr(told) == repr(event)
    assert withheld == {*SECRET[name]}


@EVERY_GAME
def test_a_printed_state_shows_no_secret(name: str) -> None:
    game, changed = newest(name), 0
    for place, step in enumerate(steps(name)):
        other = game.redeal(step.state, PUBLIC, SeededChance(bytes(32), place))
        changed += encode(other) != encode(step.state)
        assert repr(other) == repr(step.state)
        if hasattr(step.state, "players"):
            assert repr(other.players) == repr(step.state.players)
    assert changed
