"""Apply events to the state: one function per event. Nothing is judged or drawn here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from engine.kernel.rules_versions import kept
from engine.kernel.seats import Seat
from engine.river_dragons.box.board import Stone
from engine.river_dragons.box.components import Place, Plank
from engine.river_dragons.events import (
    CardBegun,
    FirstPlayerPassed,
    MatchEnded,
    MatchStarted,
    PartLost,
    PawnFell,
    PawnJumped,
    PawnStepped,
    PlankChosen,
    PlankLaid,
    PlankLost,
    PlankRemoved,
    ProgramSubmitted,
    RiverDragonsEvent,
    RoundEnded,
    RoundStarted,
    SeatLeft,
    SlotRevealed,
    StonePlaced,
    StoneRemoved,
)
from engine.river_dragons.network import LaidPlank
from engine.river_dragons.phases import (
    PROGRAMMING,
    RESOLVING,
    Ended,
    Executing,
    after_part,
    laying,
    opening,
)
from engine.river_dragons.state import State
from engine.river_dragons.table import Table

T = TypeVar("T")


def evolve(state: State | None, event: RiverDragonsEvent) -> State:
    """Return the state after the event; the state is None only before the first event."""
    if state is not None:
        return APPLY[type(event)](state, event)
    if isinstance(event, MatchStarted):
        return _started(event)
    raise ValueError("a match begins with match_started")


def _started_again(_state: State, _event: MatchStarted) -> State:
    raise ValueError("a match starts once")


def _started(event: MatchStarted) -> State:
    return State(
        colours=tuple(seat.colour for seat in event.seats),
        order=event.order,
        first_player=event.first_player,
        round=0,
        slot=0,
        programs=(None,) * len(event.seats),
        queue=(),
        phase=RESOLVING,
        table=Table(variant=event.variant),
        pawns=tuple(Place(seat.start) for seat in event.seats),
        reserves=tuple(seat.reserve for seat in event.seats),
        lost_planks=(),
        left=(),
        rounds=UNSET if event.round_limit is None else event.round_limit,
        rules=kept(event.rules_version),
    )


def _card_begun(state: State, event: CardBegun) -> State:
    queue = tuple([seat for seat in state.queue if seat != event.seat])
    return replace(state, queue=queue, phase=opening(event.seat, event.card, 1))


def _revealed(state: State, event: SlotRevealed) -> State:
    return replace(state, slot=event.slot, queue=event.acting, phase=RESOLVING)


def _part_lost(state: State, _event: PartLost) -> State:
    return replace(state, phase=after_part(state.phase))


def _fallen(state: State, event: PawnFell) -> State:
    return replace(state, pawns=_with(state.pawns, event.seat, event.to_place), phase=RESOLVING)


def _chosen(state: State, event: PlankChosen) -> State:
    return replace(state, phase=laying(state.phase, event.plank))


def _stone_placed(state: State, event: StonePlaced) -> State:
    table = state.table.with_stone(Stone(event.stone, event.x, event.y))
    return replace(state, table=table, phase=after_part(state.phase))


def _stone_removed(state: State, event: StoneRemoved) -> State:
    table = state.table.without_stone(event.stone)
    return replace(state, table=table, phase=after_part(state.phase))


def _round_ended(state: State, _event: RoundEnded) -> State:
    return replace(state, phase=RESOLVING)


def _first_player_passed(state: State, event: FirstPlayerPassed) -> State:
    return replace(state, first_player=event.to_seat)


def _ended(state: State, event: MatchEnded) -> State:
    return replace(state, queue=(), phase=Ended(reason=event.reason, winners=event.winners))


def _round_started(state: State, event: RoundStarted) -> State:
    programs = tuple(() if seat in state.left else None for seat in range(state.seats))
    return replace(state, round=event.round, slot=0, programs=programs, queue=(), phase=PROGRAMMING)


def _submitted(state: State, event: ProgramSubmitted) -> State:
    if event.cards is None:
        raise ValueError("a redacted event is made for an audience and cannot be folded")
    return replace(state, programs=_with(state.programs, event.seat, event.cards))


def _laid(state: State, event: PlankLaid) -> State:
    plank = LaidPlank(id=event.id, plank=event.plank, a=event.a, b=event.b)
    return replace(
        state,
        table=state.table.with_plank(plank),
        reserves=_without_plank(state, event.seat, event.plank),
        phase=after_part(state.phase),
    )


def _lost(state: State, event: PlankLost) -> State:
    return replace(
        state,
        reserves=_without_plank(state, event.seat, event.plank),
        lost_planks=(*state.lost_planks, event.plank),
        phase=after_part(state.phase),
    )


def _taken(state: State, event: PlankRemoved) -> State:
    reserve = sorted((*state.reserves[event.seat], event.plank), key=_size)
    return replace(
        state,
        table=state.table.without_plank(event.id),
        reserves=_with(state.reserves, event.seat, tuple(reserve)),
        phase=after_part(state.phase),
    )


def _moved(state: State, event: PawnStepped | PawnJumped) -> State:
    pawns = _with(state.pawns, event.seat, event.to_place)
    return replace(state, pawns=pawns, phase=after_part(state.phase))


def _left(state: State, event: SeatLeft) -> State:
    """[R29] Keep what the seat has shown of its program; the rest was never played."""
    program = state.programs[event.seat] or ()
    acting = isinstance(state.phase, Executing) and state.phase.seat == event.seat
    return replace(
        state,
        programs=_with(state.programs, event.seat, program[: state.slot]),
        queue=tuple(seat for seat in state.queue if seat != event.seat),
        phase=RESOLVING if acting else state.phase,
        pawns=_with(state.pawns, event.seat, event.to_place),
        reserves=_with(state.reserves, event.seat, ()),
        lost_planks=(*state.lost_planks, *event.planks),
        left=(*state.left, event.seat),
    )


def _without_plank(state: State, seat: Seat, plank: Plank) -> tuple[tuple[Plank, ...], ...]:
    """Return all reserves, one of them without a plank."""
    kept = tuple(each for each in state.reserves[seat] if each != plank)
    return _with(state.reserves, seat, kept)


def _size(plank: Plank) -> int:
    return plank.size


def _with(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the tuple with one place changed."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


APPLY: Final[dict[type[RiverDragonsEvent], Callable[[State, Any], State]]] = {
    MatchStarted: _started_again,
    RoundStarted: _round_started,
    ProgramSubmitted: _submitted,
    SlotRevealed: _revealed,
    CardBegun: _card_begun,
    StonePlaced: _stone_placed,
    PartLost: _part_lost,
    PlankChosen: _chosen,
    PlankLaid: _laid,
    PlankLost: _lost,
    PlankRemoved: _taken,
    StoneRemoved: _stone_removed,
    PawnStepped: _moved,
    PawnJumped: _moved,
    PawnFell: _fallen,
    RoundEnded: _round_ended,
    FirstPlayerPassed: _first_player_passed,
    SeatLeft: _left,
    MatchEnded: _ended,
}
"""What each event does to the state."""
