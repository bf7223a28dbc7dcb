"""§3.4, §8.2, §8.3 The end of a turn: Emperor, end trigger, the die, the next player [A8].

§8 Eras and the end. The row is filled from era 1, then from era 2. The last tile of era 1 brings the Emperor, the
last tile of era 2 the end of the match.

§8.1 Eras. The stack of era 1 is used up when 8, 10 or 12 tiles have left the row with 2, 3 or 4 players, that of era
2 after 9, 11 or 13 more.

§8.2 Emperor's visit. At the end of the turn in which the last tile of era 1 came into the row, everybody gets the
owner rewards of all own buildings, once for each marker. Nothing else happens: no visitor rewards, and no abilities
for sailing [A42].

§8.3 End trigger. At the end of the turn in which the last tile of era 2 came into the row, the player whose turn it
is scores 5 VP and has no further turn. Every other player has exactly one more turn, clockwise. Then comes the final
scoring [A9] [A45].

§8.4 Row in the last turns. The row still slides but is not refilled any more. Its end slot keeps its favor, and
journeys still discard a tile [A40].
"""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import RiverOfGoldAction, RollDie, SetDie
from engine.river_of_gold.box.components import FACES, TRIGGER_VP
from engine.river_of_gold.box.patrons import RYOKU_FAVOR
from engine.river_of_gold.errors import Code
from engine.river_of_gold.events import (
    DieRolled,
    DieSet,
    EndTriggered,
    LastExchangesClosed,
    LastExchangesOpened,
    TurnClosed,
    TurnStarted,
)
from engine.river_of_gold.rules.exchanging import can_exchange
from engine.river_of_gold.rules.scoring import end_match
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import Player, State


def close_turn(turn: Turn, seat: Seat) -> None:
    """§3.4 [A8] Nothing is exchanged any more in this turn; what its end consists of follows."""
    turn.record(TurnClosed(seat=seat))


def trigger_end(turn: Turn, seat: Seat) -> None:
    """§8.3 [A9] Trigger the end: everybody else has one more turn. A player who has left scores no VP for it [F8]."""
    state = turn.state
    vp = 0 if seat in state.left else TRIGGER_VP
    turn.record(EndTriggered(seat=seat, vp=vp, last_turns=after(state, seat)))


def roll_die(turn: Turn, seat: Seat, chance: Chance) -> None:
    """§3.4"""
    turn.record(DieRolled(seat=seat, face=FACES[chance.below(len(FACES))]))


def set_die(turn: Turn, seat: Seat, action: SetDie) -> None:
    """[A23] Set the die to any face, also the one it shows."""
    favor = turn.state.players[seat].favor
    if favor < RYOKU_FAVOR:
        raise RuleViolation(Code.FAVOR_NOT_OWNED, rule="9", favor=favor)
    turn.record(DieSet(seat=seat, face=action.face, favor=RYOKU_FAVOR))


def die_answers(player: Player) -> list[RiverOfGoldAction]:
    """[A23] Return what Kakita Ryoku may do with her die."""
    if player.favor < RYOKU_FAVOR:
        return [RollDie()]
    return [RollDie(), *(SetDie(face=face) for face in FACES)]


def next_turn(turn: Turn) -> None:
    """§3, §8.3 Start the turn of the next player in turn order; after the last turn, close the match."""
    state = turn.state
    if state.last_turns is None:
        start_turn(turn, after(state, state.active)[0])
    elif state.last_turns:
        start_turn(turn, state.last_turns[0])
    else:
        close_match(turn)


def close_match(turn: Turn) -> None:
    """[F11] After the last turn, ask every seat that can still exchange once more; then comes the final scoring."""
    state = turn.state
    seats = _asked_once_more(state) if state.rulings.last_exchanges else ()
    if seats:
        turn.record(LastExchangesOpened(seats=seats))
    else:
        end_match(turn)


def _asked_once_more(state: State) -> tuple[Seat, ...]:
    """[F11] Return the seats to ask, in turn order after the seat of the last turn. That seat comes last, and only if another is asked."""
    others = tuple([seat for seat in after(state, state.active) if can_exchange(state.players[seat])])
    last = state.active
    if not others or last is None or last in state.left or not can_exchange(state.players[last]):
        return others
    return (*others, last)


def go_on_exchanging(turn: Turn) -> None:
    """[F11] Go on to the next seat; after the last one comes the final scoring (§8.5)."""
    if turn.state.queue:
        close_exchanges(turn, turn.state.queue[0])
    else:
        end_match(turn)


def close_exchanges(turn: Turn, seat: Seat) -> None:
    """[F11] End the last exchanges of this seat; this is final."""
    turn.record(LastExchangesClosed(seat=seat))


def start_turn(turn: Turn, seat: Seat) -> None:
    turn.record(TurnStarted(seat=seat, turn=turn.state.turn + 1))


def after(state: State, seat: Seat | None) -> tuple[Seat, ...]:
    """§3 Return the seats that have not left, in turn order, beginning after this seat; the seat itself is left out."""
    order = state.order
    place = -1 if seat is None else order.index(seat)
    left = state.left
    return tuple(
        [each for each in (*order[place + 1 :], *order[: place + 1]) if each not in left and each != seat]
    )
