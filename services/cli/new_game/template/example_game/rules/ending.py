"""§5 The next round, or the end of the match and who has won.

§5 End. After the last round all favour cards are shown. Every player scores one more point for each own pebble in the
bowl that the own favour card names. Who has the most points wins; players with equal points share the victory [R2].
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.interface import Outcome, ScoreLine, Seat, SeatResult

from example_game.events import EndReason, MatchEnded, RoundStarted, SeatFavour
from example_game.rules.turn import Turn
from example_game.state import State

PARAGRAPH: Final = {EndReason.ROUNDS_OVER: "5", EndReason.LAST_PLAYER_LEFT: "6"}


class ScoreReason(StrEnum):
    """What points are for."""

    DIE = "die"
    """Points for bowls that the die has chosen (§3)."""
    FAVOUR = "favour"
    """Points for pebbles in the bowl of the favour card (§5)."""


def next_round(turn: Turn) -> None:
    """§5 Begin the next round, or end the match after the last one."""
    state = turn.state
    if state.round == state.rounds:
        end(turn, EndReason.ROUNDS_OVER)
    else:
        turn.record(RoundStarted(round=state.round + 1))


def end(turn: Turn, reason: EndReason) -> None:
    """§5, §6 End the match."""
    state = turn.state
    favours = tuple(SeatFavour(seat=Seat(seat), bowl=bowl) for seat, bowl in enumerate(state.favours))
    turn.record(MatchEnded(reason=reason, favours=favours, winners=_winners(state)))


def outcome(state: State) -> Outcome | None:
    """§5 Return how the match ended; None while it is played."""
    if state.reason is None:
        return None
    return Outcome(
        reason=state.reason,
        rule=PARAGRAPH[state.reason],
        winners=_winners(state),
        results=tuple(_result(state, Seat(seat)) for seat in range(state.seats)),
    )


def favour_points(state: State, seat: Seat) -> int:
    """§5 Return the points for the pebbles in the bowl of a seat's favour card."""
    return state.bowls[seat].of(state.favours[seat])


def _winners(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.present if _rank(state, seat) == 1)


def _rank(state: State, seat: Seat) -> int:
    """§5, §6 Return a seat's rank. Who has left is last."""
    if seat in state.left:
        return len(state.present) + 1
    return 1 + sum(_score(state, other) > _score(state, seat) for other in state.present)


def _score(state: State, seat: Seat) -> int:
    return state.points[seat] + favour_points(state, seat)


def _result(state: State, seat: Seat) -> SeatResult:
    return SeatResult(
        seat=seat,
        rank=_rank(state, seat),
        score=_score(state, seat),
        breakdown=(
            ScoreLine(reason=ScoreReason.DIE, rule="3", points=state.points[seat]),
            ScoreLine(reason=ScoreReason.FAVOUR, rule="5", points=favour_points(state, seat)),
        ),
    )
