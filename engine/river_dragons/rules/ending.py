"""§8 End of the game: the first pawn on its destination wins at once; rounds are limited [R23].

§8 End of the game. As soon as a pawn stands on its destination, its owner wins, and nothing more is played, even in
the middle of a card [R22]. If nobody has won after the round limit, which is 40 rounds unless the options say
otherwise, the match is a draw [R23].
"""

from __future__ import annotations

from typing import Final

from engine.kernel.outcome import Outcome, SeatResult
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import Place, destination_of
from engine.river_dragons.events import EndReason, MatchEnded
from engine.river_dragons.phases import Ended
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State

PARAGRAPH: Final = {
    EndReason.DESTINATION_REACHED: "8",
    EndReason.ROUND_LIMIT: "R23",
    EndReason.LAST_PLAYER_LEFT: "R29",
}


def arrive(turn: Turn, seat: Seat) -> None:
    """§8 End the match if the pawn that has just moved is on its destination, even in the middle of a card [R22]."""
    state = turn.state
    if state.pawns[seat] == Place(destination_of(state.colours[seat])):
        turn.record(MatchEnded(reason=EndReason.DESTINATION_REACHED, winners=(seat,)))


def outcome(state: State) -> Outcome | None:
    """§8 Return how the match ended; None while it goes on. There are no points."""
    phase = state.phase
    if not isinstance(phase, Ended):
        return None
    return Outcome(
        reason=phase.reason,
        rule=PARAGRAPH[phase.reason],
        winners=phase.winners,
        results=tuple(
            SeatResult(seat=Seat(seat), rank=_rank(state, phase, Seat(seat))) for seat in range(state.seats)
        ),
    )


def _rank(state: State, ended: Ended, seat: Seat) -> int:
    """Return a seat's rank: the winner, or in a draw all who stayed, are first; others who stayed are next; who left is last [F7].

    Under the first rules, after a win, seats that had left shared the rank of the other losers.
    """
    best = ended.winners or state.present
    if seat in best:
        return 1
    if seat in state.left and state.rulings.leavers_rank_last_after_a_win:
        return len(state.present) + 1
    return len(best) + 1
