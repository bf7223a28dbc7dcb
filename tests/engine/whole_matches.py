"""Whole matches played by nobody, for any game: the same match for the same number."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, settings

from engine.kernel.chance import Chance, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.records import Options
from engine.kernel.seats import Seat
from engine.match.playout import Step
from engine.match.replay import fold

WHIMS = 1 << 32
"""The move number under which the players' choices are drawn: no match gets that far."""


def few(most: int) -> settings:
    """So many whole matches for a property; the environment variable asks for more, and for other ones each time."""
    return settings(
        max_examples=int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", most)),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    )


def match_secret(number: int) -> bytes:
    return number.to_bytes(32, "big")


def the_only_one(waited_for: tuple[Seat, ...], whims: Chance) -> Seat:
    """For games that wait for one seat at a time."""
    (seat,) = waited_for
    return seat


def anyone(waited_for: tuple[Seat, ...], whims: Chance) -> Seat:
    """For games in which several may act. Draws a whim even for a single seat: the golden logs were made so."""
    return waited_for[whims.below(len(waited_for))]


def match_of(
    game: AnyGame,
    options: Options,
    players: int,
    number: int,
    *,
    answer: Callable[[Any, Seat, Chance], Any],
    next_seat: Callable[[tuple[Seat, ...], Chance], Seat] = the_only_one,
    leavers: Mapping[int, int] | None = None,
) -> Iterator[Step]:
    """A match that is the same for the same arguments; in move m the seat `leavers[m]` leaves instead of somebody's move.

    `answer` gives what a seat does, from the state, the seat and the players' whims. A step without an action
    and with a seat is a seat that leaves.
    """
    secret = match_secret(number)
    whims = SeededChance(secret, WHIMS)
    luck = SeededChance(secret, 1)
    events = game.start(options, players, luck)
    state = fold(game, events)
    yield Step(None, None, events, state, tuple(luck.draws))
    move = 1
    while waited_for := game.to_act(state):
        move += 1
        luck = SeededChance(secret, move)
        leaver = (leavers or {}).get(move)
        action = None
        if leaver is not None and leaver in state.present:
            seat = Seat(leaver)
            events = game.leave(state, seat, luck)
        else:
            seat = next_seat(waited_for, whims)
            action = answer(state, seat, whims)
            events = game.decide(state, seat, action, luck)
        state = fold(game, events, state)
        yield Step(seat, action, events, state, tuple(luck.draws))


def sequences(
    game: AnyGame, state: Any, depth: int, answers: Callable[[Any, Seat], Any] | None = None
) -> int:
    """Count the sequences of so many legal actions; every draw is the first one of the same secret."""
    if not depth:
        return 1
    total = 0
    for seat in game.to_act(state):
        listed = game.legal_actions(state, seat).actions if answers is None else answers(state, seat)
        for action in listed if depth > 1 else ():
            events = game.decide(state, seat, action, SeededChance(bytes(32), 9))
            total += sequences(game, fold(game, events, state), depth - 1, answers)
        total += len(listed) if depth == 1 else 0
    return total
