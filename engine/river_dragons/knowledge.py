"""What a seat cannot know (§5, §10): cards of other programs in slots that are not revealed yet."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kernel.chance import Chance
from engine.kernel.seats import Audience, Seat
from engine.river_dragons.box.components import PROGRAM_SLOTS, Card
from engine.river_dragons.rules.programming import hand, nth_program, programs
from engine.river_dragons.state import MAX_SEATS, State

NAMES: Final = tuple(
    tuple(f"program:seat{seat}:slot{slot}" for slot in range(1, PROGRAM_SLOTS + 1))
    for seat in range(MAX_SEATS)
)
"""By seat, then by slot."""


def hidden(state: State, audience: Audience) -> tuple[str, ...]:
    """§10 Return the slots of this round in which other seats have not shown a card, whether it is chosen yet or not.

    A seat that has left shows nothing more [R29], so what it had not shown stays hidden for good.
    """
    names: list[str] = []
    for seat in range(state.seats):
        if not audience.sees_seat(Seat(seat)):
            shown = len(state.programs[seat] or ()) if seat in state.left else state.slot
            names += NAMES[seat][shown:]
    return tuple(names)


def redeal(state: State, audience: Audience, chance: Chance) -> State:
    """Return the state with every other seat's program replaced by a legal one with the same cards in the revealed slots.

    Each such program is equally likely, with one independent draw for each seat. That is all an audience
    knows for certain; what a player is likely to choose is not weighed. A seat that has left keeps what it had shown.
    Nothing is dealt once all slots are revealed.
    """
    return replace(
        state,
        programs=tuple(
            [
                program
                if audience.sees_seat(Seat(seat)) or program is None or len(program) < PROGRAM_SLOTS
                else _any_program(state, Seat(seat), program[: state.slot], chance)
                for seat, program in enumerate(state.programs)
            ]
        ),
    )


def _any_program(state: State, seat: Seat, shown: tuple[Card, ...], chance: Chance) -> tuple[Card, ...]:
    cards = hand(state, seat)
    return nth_program(cards, chance.below(programs(cards, shown)), shown)
