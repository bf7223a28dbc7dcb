"""Whole matches played by nobody: at random, by keen players who would rather do something than nothing, or by hoarders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.al_rashid.actions import (
    AlRashidAction,
    DeclareAudience,
    DeclareVisit,
    Fight,
    Flee,
    GiveGood,
    NameColours,
    PlacePiece,
    ResolveArea,
    TakeAll,
    TakeItems,
    UseRecruiter,
)
from engine.al_rashid.box.areas import MILITARY
from engine.al_rashid.box.components import Colour, Favor, bag_of
from engine.al_rashid.box.offices import RECRUITER
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.state import State
from engine.kernel.chance import Chance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.playout import Step as Played
from tests.engine.whole_matches import match_of


def whole_match(
    players: int,
    number: int,
    *,
    keen: bool = False,
    hoarding: bool = False,
    leavers: Mapping[int, int] | None = None,
    game: AnyGame = GAME,
) -> Iterator[Played]:
    """The same match for the same arguments; in move m the seat `leavers[m]` leaves instead of somebody's move.

    `game` may be the game under older rules.
    """
    answer = _hoarding_answer if hoarding else _keen_answer if keen else GAME.sample
    return match_of(game, AlRashidOptions(), players, number, answer=answer, leavers=leavers)


def keen_match(number: int) -> Iterator[Played]:
    """A match of players who get as far as rare decisions, with every number of players in turn."""
    return whole_match(2 + number % 4, number, keen=True)


def _keen_answer(state: State, seat: Seat, chance: Chance) -> AlRashidAction:
    """The best of four random answers: more actions and offices in a visit, more goods in a trade, rather a fight."""
    return max((GAME.sample(state, seat, chance) for _ in range(4)), key=_eagerness)


def _eagerness(action: AlRashidAction) -> int:
    match action:
        case DeclareVisit():
            return 2 * (action.office is not None) + action.service + (action.favor is not None)
        case DeclareAudience():
            return 2 * (action.office is not None) + (action.benevolence is not None)
        case TakeAll():
            return 3
        case TakeItems():
            return sum(bag_of(action.goods)) + action.note
        case Flee():
            return -1
        case _:
            return 0


def _hoarding_answer(state: State, seat: Seat, chance: Chance) -> AlRashidAction:
    """The best of eight random answers: red mercenaries, as many as there are, and none of them is ever spent."""
    return max((GAME.sample(state, seat, chance) for _ in range(8)), key=_greed)


def _greed(action: AlRashidAction) -> int:
    match action:
        case PlacePiece() | ResolveArea():
            return action.area == MILITARY
        case DeclareVisit():
            return 2 * action.service + 2 * (action.favor is Favor.GENERAL) + (action.office == RECRUITER)
        case UseRecruiter() | GiveGood():
            return 1 + (action.colour is Colour.RED)
        case NameColours():
            return action.red
        case Fight():
            return -1
        case _:
            return 0
