"""§4 The course of a round: what happens automatically until a seat has a decision to make.

§4 Course of a round. First everybody secretly programs five cards. Then the five slots are played one after another:
all cards of the slot are revealed, dragons cancel cards, and the other cards are carried out clockwise from the
round's first player. After the fifth slot the first player's card passes to the left and all cards go back to the
hands. Stones, planks, pawns and reserves stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.river_dragons.box.components import NO_ROUND_LIMIT, PROGRAM_SLOTS
from engine.river_dragons.events import (
    CardBegun,
    EndReason,
    FirstPlayerPassed,
    MatchEnded,
    RoundEnded,
    RoundStarted,
)
from engine.river_dragons.phases import (
    ChoosingPlank,
    Ended,
    Jumping,
    LayingPlank,
    Phase,
    PlacingStone,
    Programming,
    Removing,
    Resolving,
    Stepping,
)
from engine.river_dragons.rules.dragons import card_in_slot, clockwise, reveal
from engine.river_dragons.rules.jumps import lose_jump
from engine.river_dragons.rules.moves import lose_step
from engine.river_dragons.rules.planks import lose_choice, lose_plank
from engine.river_dragons.rules.removal import lose_removal
from engine.river_dragons.rules.stones import lose_stone
from engine.river_dragons.rules.turn import Turn


def settle(turn: Turn) -> None:
    """§4, §11 Play on until a seat must decide or the match is over."""
    while AUTOMATIC[type(phase := turn.state.phase)](turn, phase):
        pass


def _begin_slots(turn: Turn, _phase: Programming) -> bool:
    """§4 Reveal the first slot once everybody has a program."""
    if None in turn.state.programs:
        return False
    reveal(turn, 1)
    return True


def _next_card(turn: Turn, _phase: Resolving) -> bool:
    """§4 Go on to the next card of the slot, else to the next slot, else to the end of the round."""
    state = turn.state
    if state.queue:
        seat = state.queue[0]
        turn.record(CardBegun(seat=seat, card=card_in_slot(state, seat)))
    elif state.slot < PROGRAM_SLOTS:
        reveal(turn, state.slot + 1)
    else:
        _end_round(turn)
    return True


def _end_round(turn: Turn) -> None:
    """§4 Pass the first player's card to the left; after the last round, if rounds are limited, the match is a draw [R23]."""
    state = turn.record(RoundEnded(round=turn.state.round))
    if state.round_limit != NO_ROUND_LIMIT and state.round >= state.round_limit:
        turn.record(MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()))
        return
    was_first = state.first_player
    first_player = next(seat for seat in clockwise(state)[1:] if seat not in state.left)
    turn.record(FirstPlayerPassed(from_seat=was_first, to_seat=first_player))
    turn.record(RoundStarted(round=state.round + 1, first_player=first_player))


def _is_over(_turn: Turn, _phase: Ended) -> bool:
    return False


AUTOMATIC: Final[dict[type[Phase], Callable[[Turn, Any], bool]]] = {
    Programming: _begin_slots,
    Resolving: _next_card,
    PlacingStone: lose_stone,
    ChoosingPlank: lose_choice,
    LayingPlank: lose_plank,
    Removing: lose_removal,
    Stepping: lose_step,
    Jumping: lose_jump,
    Ended: _is_over,
}
"""§4, §7 What happens automatically in each phase. It returns False where nothing does: a seat must decide, or the match is over."""
