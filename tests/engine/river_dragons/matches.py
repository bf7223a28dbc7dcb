"""Whole matches played by nobody: at random, or by keen players who walk and build towards their destination."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import dist

from msgspec import UNSET, UnsetType

from engine.kernel.chance import Chance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.playout import Step as Played
from engine.river_dragons.actions import Jump, LayPlank, RiverDragonsAction, Step
from engine.river_dragons.box.components import Variant, destination_of, plank_id
from engine.river_dragons.game import GAME
from engine.river_dragons.options import RiverDragonsOptions
from engine.river_dragons.state import State
from tests.engine.whole_matches import anyone, match_of


def whole_match(
    players: int,
    variant: Variant,
    number: int,
    *,
    keen: bool = False,
    leavers: Mapping[int, int] | None = None,
    game: AnyGame = GAME,
    round_limit: int | UnsetType = UNSET,
) -> Iterator[Played]:
    """The same match for the same arguments; in move m the seat `leavers[m]` leaves instead of somebody's move.

    `game` may be the game under older rules.
    """
    options = RiverDragonsOptions(variant=variant, round_limit=round_limit)
    answer = _keen_answer if keen else GAME.sample
    return match_of(game, options, players, number, answer=answer, next_seat=anyone, leavers=leavers)


def keen_match(number: int) -> Iterator[Played]:
    """A match of players who get as far as rare decisions."""
    return whole_match(4, Variant.ISLANDS, number, keen=True)


def _keen_answer(state: State, seat: Seat, chance: Chance) -> RiverDragonsAction:
    """Random cards, stones and sizes; of steps and pairs the one that looks nearest to the way."""
    listed = GAME.legal_actions(state, seat).actions
    goal = _middle(state, destination_of(state.colours[seat]))
    here = _middle(state, state.pawns[seat])
    if listed and isinstance(listed[0], (Step, Jump)):
        return min(listed, key=lambda action: dist(_middle(state, action.to), goal))
    if listed and isinstance(listed[0], LayPlank):

        def detour(action: LayPlank) -> float:
            middle = _middle(state, plank_id(action.a, action.b))
            return dist(here, middle) + dist(middle, goal)

        return min(listed, key=detour)
    return GAME.sample(state, seat, chance)


def _middle(state: State, place: str) -> tuple[float, float]:
    pairs = state.table.pairs
    if place in pairs.supports:
        return pairs.supports[place].x, pairs.supports[place].y
    pair = pairs.by_id[place]
    return (pair.a.x + pair.b.x) / 2, (pair.a.y + pair.b.y) / 2
