"""Apply events to the state: one case for each event. Nothing is judged here, and nothing is drawn."""

from __future__ import annotations

from typing import TypeVar, assert_never

from engine.interface import Seat, kept
from msgspec.structs import replace

from example_game.box import PEBBLES, Pebbles
from example_game.events import (
    BowlScored,
    BowlsKept,
    BowlTied,
    BowlTipped,
    DieRolled,
    GameEvent,
    MatchEnded,
    MatchStarted,
    PebblesPlaced,
    PebblesRevealed,
    RoundStarted,
    SeatLeft,
)
from example_game.state import Stage, State

T = TypeVar("T")


def evolve(state: State | None, event: GameEvent) -> State:
    """Return the state after the event; the state is None only before the first event."""
    if state is None:
        if isinstance(event, MatchStarted):
            return _started(event)
        raise ValueError("a match begins with match_started")
    match event:
        case RoundStarted():
            return _round_started(state, event)
        case PebblesPlaced():
            if event.pebbles is None:
                raise ValueError("a redacted event is made for an audience and cannot be folded")
            return replace(state, placed=_with(state.placed, event.seat, event.pebbles))
        case PebblesRevealed():
            return _revealed(state, event)
        case DieRolled():
            return replace(state, pips=event.pips, chosen=event.bowl)
        case BowlScored():
            points = _with(state.points, event.seat, state.points[event.seat] + event.points)
            return replace(state, points=points, stage=Stage.TIPPING, tipper=event.seat)
        case BowlTied():
            return state
        case BowlTipped():
            return _tipped(state, event)
        case BowlsKept():
            return replace(state, tipper=None)
        case SeatLeft():
            return _left(state, event)
        case MatchEnded():
            return replace(state, stage=Stage.ENDED, tipper=None, reason=event.reason)
        case MatchStarted():
            raise ValueError("a match starts once")
        case _:
            assert_never(event)


def _started(event: MatchStarted) -> State:
    if len(event.favours) != event.seats:
        raise ValueError("a redacted event is made for an audience and cannot be folded")
    return State(
        rounds=event.rounds,
        round=0,
        stage=Stage.PLACING,
        favours=tuple(each.bowl for each in event.favours),
        hands=(PEBBLES,) * event.seats,
        placed=(None,) * event.seats,
        revealed=False,
        bowls=(Pebbles(),) * event.seats,
        gone=(0,) * event.seats,
        points=(0,) * event.seats,
        pips=0,
        chosen=None,
        tipper=None,
        left=(),
        reason=None,
        rules=kept(event.rules_version),
    )


def _round_started(state: State, event: RoundStarted) -> State:
    return replace(
        state,
        round=event.round,
        stage=Stage.PLACING,
        placed=(None,) * state.seats,
        revealed=False,
        chosen=None,
        tipper=None,
    )


def _revealed(state: State, event: PebblesRevealed) -> State:
    hands, bowls = list(state.hands), list(state.bowls)
    for each in event.placed:
        hands[each.seat] -= each.pebbles.total
        bowls[each.seat] += each.pebbles
    return replace(state, hands=tuple(hands), bowls=tuple(bowls), revealed=True)


def _tipped(state: State, event: BowlTipped) -> State:
    gone = tuple(before + bowls.of(event.bowl) for before, bowls in zip(state.gone, state.bowls, strict=True))
    bowls = tuple(each.without(event.bowl) for each in state.bowls)
    return replace(state, gone=gone, bowls=bowls, tipper=None)


def _left(state: State, event: SeatLeft) -> State:
    """[R1] Forget what was placed in secret; what was revealed stays."""
    placed = state.placed if state.revealed else _with(state.placed, event.seat, None)
    tipper = None if state.tipper == event.seat else state.tipper
    return replace(state, left=(*state.left, event.seat), placed=placed, tipper=tipper)


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the values with that of one seat replaced."""
    return (*values[:seat], value, *values[seat + 1 :])
