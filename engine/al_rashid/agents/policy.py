"""§13.5 What an absent player does: a legal answer to every decision, always the same for the same knowledge.

The seat avoids the others, spends as little as it can, and never fights. It uses only public information and its own goods.

=============  ==============================================================================================
decision       answer, and why
=============  ==============================================================================================
stack          red: there is no better colour
hold back      decline: no piece waits to surprise anybody
place          where the fewest others stand; of those a territory without mercenaries, then the first area
manoeuvre      decline: nothing is moved away from where the player put it
own turn       resolve the first area that is left, without activating an office; then end the turn
negotiate      decline: own tiles are kept
visit          the cheapest that brings no dishonor, else the one that costs nothing; notes are kept
audience       the good the seat has fewest of: it is free; no office
payment        the cheapest bag (§6.4)
impostor       the first two favors that can be done
general        the good the seat has most of, for a red tile; for a blue one where red has run out
vizier         the good it has most of for the one it has fewest of
recruits,      red as long as there is any: as the stack
Agha
quartermaster  the two goods worth most beside the own ones (§6.3)
alchemist      decline: the family stays as it is
spy move       decline: it may be waived [R16]
battle         flee: the tiles are kept, and the ranks behind move up
spoil          the good the seat has fewest of
trade          what makes the own goods worth most (§6.3)
=============  ==============================================================================================

A match always has five turns, and the policy does nothing twice in a turn.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.al_rashid.actions import (
    AlRashidAction,
    ChooseStack,
    DeclareAudience,
    DeclareVisit,
    Decline,
    EndTurn,
    Flee,
    GiveGood,
    PlacePiece,
    ResolveArea,
    SwapGood,
    TakeAll,
    TakeItems,
)
from engine.al_rashid.box.areas import AREA_INDEX, TERRITORY_INDEX
from engine.al_rashid.box.components import GOOD_INDEX, GOODS, ONE_GOOD, Bag, Colour, Good, bag_of, plus
from engine.al_rashid.box.goods import worth
from engine.al_rashid.phases import Decision, question
from engine.al_rashid.rules.battle import spoils
from engine.al_rashid.rules.declaring import visit_cost, visits
from engine.al_rashid.rules.own_turn import owned_kinds, resolvable
from engine.al_rashid.rules.paying import cheapest_payment
from engine.al_rashid.rules.placement import places
from engine.al_rashid.rules.trade import stock, trades
from engine.al_rashid.rules.visiting import colours_for_the_general, impostor_favors, mixes, pairs_of_goods
from engine.al_rashid.state import State
from engine.kernel.seats import Seat


def policy(state: State, seat: Seat) -> AlRashidAction:  # noqa: C901 - one case per decision
    """Return an answer to the seat's open decision. Raises LookupError if it has none."""
    asked = question(state)
    if asked is None or asked.seat != seat:
        raise LookupError(f"seat {seat} has no open decision")
    decision, goods = asked.decision, state.players[seat].goods
    match decision:
        case Decision.PLACE | Decision.PLACE_HELD:
            return _quietest(state, seat, places(state, seat, held=decision is Decision.PLACE_HELD))
        case Decision.OWN_TURN:
            return EndTurn() if state.area_named else ResolveArea(area=resolvable(state)[0])
        case Decision.VISIT:
            return _cheapest_visit(state, seat)
        case Decision.AUDIENCE:
            return DeclareAudience(benevolence=_scarcest(goods, GOODS))
        case Decision.BATTLE:
            return Flee()
        case Decision.SPOIL:
            return min(spoils(state), key=lambda spoil: _count(goods, spoil.good))
        case Decision.TRADE:
            return max(trades(state, seat), key=lambda trade: worth(plus(goods, _taken(state, trade))))
        case Decision.STACK:
            return ChooseStack(colour=Colour.RED)
        case (
            Decision.HOLD_BACK
            | Decision.MANOEUVRE
            | Decision.NEGOTIATE
            | Decision.SPY_MOVE
            | Decision.ALCHEMIST
        ):
            return Decline()
        case _:
            return _in_visit(state, seat, decision)


def _in_visit(state: State, seat: Seat, decision: Decision) -> AlRashidAction:
    """[R35] Answer a decision of a declared visit."""
    goods = state.players[seat].goods
    match decision:
        case Decision.PAYMENT:
            return cheapest_payment(state, seat)
        case Decision.IMPOSTOR:
            return impostor_favors(state, seat)[0]
        case Decision.GENERAL:
            return GiveGood(give=_most_plentiful(goods), colour=colours_for_the_general(state)[0])
        case Decision.VIZIER:
            give = _most_plentiful(goods)
            return SwapGood(give=give, take=_scarcest(goods, [good for good in GOODS if good is not give]))
        case Decision.QUARTERMASTER:
            return max(pairs_of_goods(), key=lambda pair: worth(plus(goods, bag_of(pair.goods))))
        case Decision.RECRUITS | Decision.AGHA:
            return mixes(state)[0]
        case _:
            raise TypeError(f"{decision} is no question of a visit")


def _quietest(state: State, seat: Seat, found: list[PlacePiece]) -> PlacePiece:
    """§4.2 Return the quietest place; the first of equal ones, as pieces and areas are listed in the order of the board."""
    return min(found, key=lambda place: _bustle(state, seat, place))


def _bustle(state: State, seat: Seat, place: PlacePiece) -> tuple[int, bool, bool]:
    """Return how many others stand there, whether it is a palace, and whether mercenaries lie there."""
    others = sum([stack.seat != seat for stack in state.areas[AREA_INDEX[place.area]]])
    territory = TERRITORY_INDEX.get(place.area)
    return others, territory is None, territory is not None and bool(state.tiles[territory])


def _cheapest_visit(state: State, seat: Seat) -> DeclareVisit:
    """§7.2 [R12] A visit without a service or an office brings a dishonor."""
    return min(visits(state, seat), key=lambda visit: _price(state, seat, visit))


def _price(state: State, seat: Seat, visit: DeclareVisit) -> tuple[bool, int, bool, bool, bool]:
    scene = state.scene
    if scene is None:
        raise TypeError("no palace is being visited")
    total = visit_cost(state, seat, scene.area, scene.rank(seat), visit)
    dishonored = not visit.service and visit.office is None
    return dishonored, total, visit.note, visit.favor is not None, visit.office is None


def _taken(state: State, trade: TakeAll | TakeItems) -> Bag:
    """§9.7 Return the goods that a trade brings."""
    if isinstance(trade, TakeItems):
        return bag_of(trade.goods)
    count = stock(state)[GOOD_INDEX[trade.good]]
    return tuple([count * each for each in ONE_GOOD[trade.good]])


def _most_plentiful(goods: Bag) -> Good:
    return max(owned_kinds(goods), key=lambda good: _count(goods, good))


def _scarcest(goods: Bag, kinds: Iterable[Good]) -> Good:
    return min(kinds, key=lambda good: _count(goods, good))


def _count(goods: Bag, good: Good) -> int:
    return goods[GOOD_INDEX[good]]
