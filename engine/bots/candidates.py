"""The actions that a bot considers: all legal actions if they are few, otherwise some of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.kernel.chance import Chance
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat


def candidates(game: AnyGame, state: Any, seat: Seat, chance: Chance, most: int) -> list[Any]:
    """Return up to `most` different legal actions of the seat: the policy's action, then listed ones, then samples.

    Raises LookupError if the seat has no open decision.
    """
    found = {_key(action): action for action in (game.policy(state, seat),)}
    legal = game.legal_actions(state, seat)
    listed: Sequence[Any] = legal.actions
    if len(listed) > most:
        listed = _some(listed, chance, most)
    for action in listed:
        if len(found) == most:
            break
        found.setdefault(_key(action), action)
    if legal.templates:
        for _ in range(most - len(found)):
            action = game.sample(state, seat, chance)
            found.setdefault(_key(action), action)
    return list(found.values())


def _some(listed: Sequence[Any], chance: Chance, number: int) -> list[Any]:
    """Draw `number` different actions."""
    left = list(listed)
    for place in range(number):
        other = place + chance.below(len(left) - place)
        left[place], left[other] = left[other], left[place]
    return left[:number]


def _key(action: Any) -> bytes:
    """Return a key by which actions are compared."""
    return encode(action)
