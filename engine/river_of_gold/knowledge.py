"""What a seat cannot know (§11): which customers are in other hands, and which are left in the deck.

Each fact is the place of a customer card; it is hidden while an audience cannot say where the card is. Building tiles that
nobody has seen have no place yet: nothing is shuffled in advance, the next tile is drawn when it becomes visible [F1].
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kernel.chance import Chance
from engine.kernel.seats import Audience, Seat
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.state import Player, State

_NAMES: Final = {card: f"customer:{card.value}" for card in CustomerId}


def hidden(state: State, audience: Audience) -> tuple[str, ...]:
    """§11 Return the names of the cards in the deck and in hands that this audience does not see.

    Empty if all these cards are in the same place.
    """
    if audience.sees_all():
        return ()
    places = sum([bool(hand) for hand in _other_hands(state, audience)]) + bool(state.deck)
    return tuple([_NAMES[card] for card in _missing(state, audience)]) if places > 1 else ()


def redeal(state: State, audience: Audience, chance: Chance) -> State:
    """Deal the cards this audience does not see to the other hands, as many as each holds; the rest is the deck.

    Every deal is equally likely, and so is every order of a hand. Two things are not considered: which cards were among
    the discards when they became the new deck [A11], and which cards a player is likely to keep.
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
    """Return the cards this audience has not seen, sorted, so that their order reveals nothing."""
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
