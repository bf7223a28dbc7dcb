"""What a seat cannot know (§11): which customers are in other hands, and which are left in the deck.

A fact is a customer card, and it is hidden while an audience cannot say where the card is. Building tiles that nobody has
seen are no fact of the table: nothing is shuffled in advance, the next tile is drawn when it comes to light [F1].
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kernel.chance import Chance
from engine.kernel.seats import Audience, Seat
from engine.river_of_gold.ids import CustomerId
from engine.river_of_gold.state import Player, State

_NAMES: Final = {card: f"customer:{card.value}" for card in CustomerId}


def hidden(state: State, audience: Audience) -> tuple[str, ...]:
    """§11 Name the cards in the deck and in hands that this audience does not see, unless all are in the same place."""
    if audience.sees_all():
        return ()
    places = sum([bool(hand) for hand in _other_hands(state, audience)]) + bool(state.deck)
    return tuple([_NAMES[card] for card in _missing(state, audience)]) if places > 1 else ()


def redeal(state: State, audience: Audience, chance: Chance) -> State:
    """Deal the cards this audience does not see to the other hands, as many as they hold; the rest is the deck.

    Every deal is equally likely, and so is every order of a hand. What only a memory holds is not weighed: which cards lay
    among the discards when the deck was made anew of them [A11], nor what a player is likely to keep.
    """
    if audience.sees_all():
        return state
    pool = _missing(state, audience)
    players = tuple(
        [
            player if audience.sees_seat(Seat(seat)) else _dealt_hand(player, pool, chance)
            for seat, player in enumerate(state.players)
        ]
    )
    return replace(state, players=players, deck=tuple(sorted(pool)))


def _missing(state: State, audience: Audience) -> list[CustomerId]:
    """Give the cards this audience has not seen, sorted: their order tells nothing."""
    pool = list(state.deck)
    for hand in _other_hands(state, audience):
        pool += hand
    return sorted(pool)


def _other_hands(state: State, audience: Audience) -> list[tuple[CustomerId, ...]]:
    return [player.hand for seat, player in enumerate(state.players) if not audience.sees_seat(Seat(seat))]


def _dealt_hand(player: Player, pool: list[CustomerId], chance: Chance) -> Player:
    """Take as many cards as the hand has, one after another."""
    hand = tuple([pool.pop(chance.below(len(pool))) for _ in player.hand])
    return replace(player, hand=hand)
