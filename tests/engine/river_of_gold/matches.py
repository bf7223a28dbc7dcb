"""Whole matches played by nobody: at random, or by keen players who build and deliver rather than turn the die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.kernel.chance import Chance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.playout import Step as Played
from engine.river_of_gold.actions import (
    Build,
    Deliver,
    ExchangeGoods,
    ExchangeKoku,
    PlaceMarker,
    RiverOfGoldAction,
    Sail,
    SpendFavor,
    TakeJourneyBonus,
)
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.state import State
from tests.engine.river_of_gold.answers import answers
from tests.engine.whole_matches import match_of


def whole_match(
    players: int,
    number: int,
    *,
    patrons: PatronMode = PatronMode.NONE,
    keen: bool = False,
    thrifty: bool = False,
    leavers: Mapping[int, int] | None = None,
    game: AnyGame = GAME,
) -> Iterator[Played]:
    """The same match for the same arguments; in move m the seat `leavers[m]` leaves instead of somebody's move.

    `game` may be the game under older rules.
    """
    options = RiverOfGoldOptions(patrons=patrons)
    answer = _thrifty_answer if thrifty else _keen_answer if keen else GAME.sample
    return match_of(game, options, players, number, answer=answer, leavers=leavers)


def keen_match(number: int) -> Iterator[Played]:
    """A match of players who get as far as rare decisions: they build in one and save in the next."""
    keen = number % 2 == 0
    return whole_match(2 + number % 3, number, patrons=PatronMode.CHOICE_OF_TWO, keen=keen, thrifty=not keen)


def _keen_answer(state: State, seat: Seat, chance: Chance) -> RiverOfGoldAction:
    """One of the keenest answers there are: first deliver, then mostly sail or build; seldom exchange."""
    open_ = answers(state, seat)
    wildness = chance.below(4)
    best = max(_eagerness(action, wildness) for action in open_)
    keenest = [action for action in open_ if _eagerness(action, wildness) == best]
    return keenest[chance.below(len(keenest))]


def _eagerness(action: RiverOfGoldAction, wildness: int) -> int:
    match action:
        case Deliver() | PlaceMarker():
            return 4
        case Build():
            return 3 if wildness else 1
        case Sail():
            return 2
        case ExchangeGoods() | ExchangeKoku() | SpendFavor():
            return 3 if wildness == 3 else 0
        case _:
            return 2


def _thrifty_answer(state: State, seat: Seat, chance: Chance) -> RiverOfGoldAction:
    """Deliver and sail, take koku, and exchange nothing in the own turn: the purse fills up, and bonuses lapse."""
    open_ = answers(state, seat)
    asked = GAME.pending(state)[0].decision
    best = max(_thrift(action, asked) for action in open_)
    thriftiest = [action for action in open_ if _thrift(action, asked) == best]
    return thriftiest[chance.below(len(thriftiest))]


def _thrift(action: RiverOfGoldAction, asked: str) -> int:
    match action:
        case Deliver() | TakeJourneyBonus(good=None):
            return 3
        case Sail():
            return 2
        case ExchangeGoods() | ExchangeKoku():
            return 1 if asked in {"lapsing", "last_exchanges"} else 0
        case Build() | SpendFavor():
            return 0
        case _:
            return 1
