"""What every game owes about hidden facts, for any table: `hidden`, `redeal`, and how far a move can be taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import sqrt

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.knowledge import audiences
from engine.kernel.seats import REFEREE, Audience
from engine.match.boundary import FreeUndo, Move, Obstacle, drew, free_undo, revealed_to
from engine.match.boundary import UndoBoundaryReason as Reason
from engine.match.playout import Step
from engine.match.replay import fold
from engine.match.requests import RESIGN, decide_request, read_request


def luck(number: int, about: int = 0) -> SeededChance:
    """The same luck for the same numbers."""
    return SeededChance(number.to_bytes(32, "big"), about)


def received(game, state, audience: Audience) -> bytes:
    """Everything the audience can get at: its view, who is waited for, its own legal answers, and what it does not know."""
    own = () if audience.seat is None else (game.legal_actions(state, audience.seat),)
    return b"|".join(
        encode(each)
        for each in (
            game.view(state, audience),
            game.pending(state),
            game.outcome(state),
            own,
            game.hidden(state, audience),
        )
    )


def cannot_be_told_from_the_truth(game, state, audience: Audience, number: int) -> bool:
    """A redealt table looks like the true one to who it was dealt for. Is it another one?"""
    dealt = game.redeal(state, audience, luck(number))
    assert received(game, dealt, audience) == received(game, state, audience)
    return dealt != state


def names_are_in_order(game, state, seats: int) -> None:
    """Nothing is named twice, a referee misses nothing, and nobody misses what the public knows."""
    public = game.hidden(state, audiences(seats)[-1])
    assert game.hidden(state, REFEREE) == ()
    assert game.redeal(state, REFEREE, luck(0)) == state
    for audience in audiences(seats):
        hidden = game.hidden(state, audience)
        assert len(set(hidden)) == len(hidden)
        assert set(hidden) <= set(public)


def move_of(game, before, step: Step, seq: int = 2) -> Move:
    """A played step; one without an action is a seat that leaves."""
    request = read_request(game, RESIGN) if step.action is None else step.action
    return Move(seq=seq, seat=step.seat, request=request, before=before, events=step.events)


def looks_the_same_at_every_table(game, move: Move, seats: int, number: int) -> int:
    """A move looks the same at all tables an audience cannot tell apart, if it drew nothing and revealed it nothing.

    That is why it can be taken back: who has seen it knows no more than before. Gives how many audiences were asked.
    """
    if drew(game, move):
        return 0
    learnt = revealed_to(game, move, seats)
    unaware = [audience for audience in audiences(seats) if audience not in learnt]
    for audience in unaware:
        other = game.redeal(move.before, audience, luck(number))
        events = decide_request(game, other, move.seat, move.request, luck(number, 1))
        assert [encode(game.redact(event, audience)) for event in events] == [
            encode(game.redact(event, audience)) for event in move.events
        ], move
    return len(unaware)


def draws_are_noticed(game, move: Move, number: int) -> bool:
    """A move is said to draw exactly if it does. Did it?"""
    chance = luck(number)
    decide_request(game, move.before, move.seat, move.request, chance)
    assert drew(game, move) == bool(chance.draws)
    return bool(chance.draws)


def comes_up_as_often_as_it_should(seen: Iterable[object], weights: Mapping[object, int]) -> None:
    """Every deal that is possible, and no other, with the frequencies of the weights (chi-square, six deviations)."""
    counts = Counter(seen)
    assert set(counts) == set(weights)
    each = counts.total() / sum(weights.values())
    chi_square = sum((counts[one] - each * weight) ** 2 / (each * weight) for one, weight in weights.items())
    freedom = len(weights) - 1
    assert chi_square <= freedom + 6 * sqrt(2 * freedom), chi_square


def line(game, state, *turns) -> tuple[Move, ...]:
    """A match that began with this table: the start, then what the seats do, as pairs of seat and action."""
    moves = [Move(seq=1, seat=None, request=None, before=None, events=())]
    for seq, (seat, action) in enumerate(turns, start=2):
        request = read_request(game, RESIGN) if action is None else action
        events = decide_request(game, state, seat, request, luck(0, seq))
        moves.append(Move(seq=seq, seat=seat, request=request, before=state, events=events))
        state = fold(game, events, state)
    return tuple(moves)


def undone(game, state, seat, *turns) -> FreeUndo:
    """How far a seat may take back what was done from this table on."""
    return free_undo(game, line(game, state, *turns), state.seats, seat)


def stopped(to: int, reason: Reason, seq: int) -> FreeUndo:
    """Back to this version, because of this move."""
    return FreeUndo(to=to, obstacle=Obstacle(reason=reason, seq=seq))
