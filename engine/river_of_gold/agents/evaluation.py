"""What a position is worth to a seat: its lead in VP, where what is owned counts as the VP it is expected to bring (§8.5).

    standing   = VP if the match ended now (§8.5)
               + rest x (koku, goods, favor + influence + own buildings + orders in hand)
               + what the turn to play is good for, while its action is still to be chosen (§3)
               + a little for each favor, which breaks ties, once nothing but exchanges is left [F11]
    lead       = own standing - best standing of the others, whose hands do not count
    evaluation = lead / (|lead| + 20)

`rest` is the part of the tiles of both eras that is still to come: 1 at the start, 0 after the last one. A building is worth
what it gives its owner, times the visits expected (§5.3). An order in hand is worth more, the more of it can be paid (§6.2).
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Final

from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import COSTS, VISITED, downstream
from engine.river_of_gold.box.buildings import BUILDING
from engine.river_of_gold.box.components import (
    ERA_1_COUNTS,
    ERA_2_COUNTS,
    bag_of,
)
from engine.river_of_gold.box.customers import CUSTOMER
from engine.river_of_gold.box.ids import BuildingId
from engine.river_of_gold.box.rewards import Reward
from engine.river_of_gold.phases import Decision, question
from engine.river_of_gold.rules.delivering import deliveries
from engine.river_of_gold.rules.sailing import distances
from engine.river_of_gold.rules.scoring import customer_vp, totals
from engine.river_of_gold.state import Player, Stage, State

SCALE: Final = 20.0
"""A lead of this many VP evaluates to one half."""
KOKU: Final = 0.3
GOOD: Final = 0.7
FAVOR: Final = 0.5
INFLUENCE: Final = 0.35
CARD: Final = 0.6
"""§6.4 A customer drawn and another discarded."""
COUNTED: Final = 1.5
"""How many koku a reward that counts buildings brings on average (§5.3)."""
VISITS: Final = 4.0
"""How often ships visit a building from the start of the match to its end."""
ORDER: Final = 7.0
"""An order that can be paid, in addition to the goods it costs."""
DELIVERY: Final = 3.0
"""§6.3 What delivering brings at once, in addition to the VP for the number of customers."""
BUILDING_NOW: Final = 2.0
"""§4 A build that can be paid for."""
TIE_BREAK: Final = 0.01
"""[A41] A favor before the final scoring; it is so little that a favor is bought only if that costs no VP [F11]."""
_PLAYED: Final = frozenset({Stage.TURNS, Stage.LAST_EXCHANGES})


def evaluate(state: State, seat: Seat) -> float:
    """Return a number between -1 and 1, higher is better; 0 before the first turn and after the end."""
    if state.stage not in _PLAYED:
        return 0.0
    rest = _rest(state)
    standings = [vp + rest * _prospects(state, Seat(other)) for other, vp in enumerate(totals(state))]
    own = standings[seat] + rest * _orders(state.players[seat]) + _turn_to_play(state, seat, rest)
    if state.stage is Stage.LAST_EXCHANGES:
        own += TIE_BREAK * state.players[seat].favor
    lead = own - max([standings[other] for other in state.present if other != seat], default=0.0)
    return lead / (abs(lead) + SCALE)


def _rest(state: State) -> float:
    """§8.2, §8.3 Return how much of the match is still to come, from 1 to 0."""
    if state.last_turns is not None or state.end_due:
        return 0.0
    tiles = ERA_1_COUNTS[state.seats] + ERA_2_COUNTS[state.seats]
    return min((state.era_1.left + state.era_2.left) / tiles, 1.0)


def _prospects(state: State, seat: Seat) -> float:
    """Return the value of what everybody can see a seat has."""
    player = state.players[seat]
    value = KOKU * player.koku + GOOD * sum(player.goods) + FAVOR * player.favor
    value += INFLUENCE * sum(player.tracks)
    for site in state.sites:
        if site is not None and seat in site.markers:
            value += VISITS * site.markers.count(seat) * _owner_worth(site.building)
    return value


def _orders(player: Player) -> float:
    """§6.2 Return the value of the orders in the hand."""
    value: float = 0.0
    for card in player.hand:
        order = bag_of(CUSTOMER[card].order)
        there = sum([min(wanted, owned) for wanted, owned in zip(order, player.goods, strict=True)])
        value += ORDER * (there / sum(order)) ** 2
    return value / sqrt(max(len(player.hand), 1))


def _turn_to_play(state: State, seat: Seat, rest: float) -> float:
    """§3 Return the value of the best action with the face the die shows; 0 if no action is to be chosen."""
    asked = question(state)
    if asked is None or asked.seat != seat or asked.decision is not Decision.TURN:
        return 0.0
    player = state.players[seat]
    value = max([_visited_worth(state, seat, end) for end in _landings(player)], default=0.0)
    if deliveries(player):
        number = len(player.delivered)
        value = max(value, DELIVERY + customer_vp(number + 1) - customer_vp(number))
    if any(state.row) and player.koku >= min([cost for cost in COSTS if cost is not None]):
        value = max(value, BUILDING_NOW * rest)
    return value


def _landings(player: Player) -> list[int]:
    """§5.1"""
    return [
        downstream(start, distance)[0]
        for ship, start in enumerate(player.ships)
        for distance in distances(player, ship)
    ]


def _visited_worth(state: State, seat: Seat, river: int) -> float:
    """§5.2, §5.3 Return what sailing there brings the seat, less half of what it brings others."""
    value = 0.0
    for at in VISITED[river]:
        site = state.sites[at]
        if site is None:
            value += KOKU
            continue
        value += _visitor_worth(site.building)
        for owner in site.markers:
            value += _owner_worth(site.building) * (1.0 if owner == seat else -0.5)
    return value


@cache
def _visitor_worth(building: BuildingId) -> float:
    return _worth(BUILDING[building].visitor)


@cache
def _owner_worth(building: BuildingId) -> float:
    return _worth(BUILDING[building].owner)


def _worth(reward: Reward) -> float:
    """§5.2 Return the value of a printed reward in VP."""
    goods = reward.silk + reward.rice + reward.porcelain + reward.any_good
    counted = 0.0 if reward.koku_per is None else COUNTED
    return (
        KOKU * (reward.koku + counted)
        + GOOD * goods
        + reward.vp
        + INFLUENCE * reward.influence
        + FAVOR * reward.favor
        + CARD * reward.draw
    )
