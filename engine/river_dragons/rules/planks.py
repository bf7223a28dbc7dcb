"""§7.2 Planks: choose a size, which is binding, then lay it between two supports.

§7.2 Planks. First the player chooses a plank of the own reserve; this choice is binding, even if the plank fits
nowhere [R11]. Then it is laid between two supports: two stones, or a stone and a village. It must be long enough,
each support carries at most three planks, two supports are joined by one plank at most, and the plank may neither
touch a plank with which it shares no support nor pass over another stone or village [R14] [R15] [R16]. A pair that is
refused costs nothing, and another is named for the same plank [R17]. A plank for which there is no pair leaves the
game.
"""

from __future__ import annotations

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_dragons.actions import ChoosePlank, LayPlank
from engine.river_dragons.box.board import Pair, Support, cross, reach
from engine.river_dragons.box.components import (
    PLANKS_PER_SUPPORT,
    Plank,
    PlankId,
    SupportId,
    plank_id,
)
from engine.river_dragons.box.geometry import distance_rounded_up
from engine.river_dragons.errors import Code
from engine.river_dragons.events import LossReason, PartLost, PlankChosen, PlankLaid, PlankLost
from engine.river_dragons.phases import ChoosingPlank, LayingPlank
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State
from engine.river_dragons.table import Table


def choose_plank(turn: Turn, seat: Seat, action: ChoosePlank) -> None:
    """§7.2 (1) Choose any plank of the own reserve, even one that will fit nowhere [R11]."""
    reserve = turn.state.reserves[seat]
    for plank in reserve:
        if plank.size == action.size:
            turn.record(PlankChosen(seat=seat, plank=plank))
            return
    sizes = tuple(plank.size for plank in reserve)
    raise RuleViolation(Code.PLANK_NOT_IN_RESERVE, rule="7.2", field="size", size=action.size, sizes=sizes)


def lay_plank(turn: Turn, seat: Seat, action: LayPlank) -> None:
    """§7.2 (2)–(3) Lay the chosen plank. A refused pair costs nothing: another must be chosen for the same plank [R17]."""
    phase, table = turn.state.phase, turn.state.table
    if not isinstance(phase, LayingPlank):
        raise TypeError(f"no plank has been chosen while {type(phase).__name__}")
    pair = table.pairs.by_id.get(plank_id(action.a, action.b))
    if pair is None or not pair.bit & table.fitting_pairs(phase.plank.size):
        raise _refusal(table, phase.plank, action)
    turn.record(PlankLaid(seat=seat, id=pair.id, plank=phase.plank, a=pair.a.id, b=pair.b.id))


def lose_choice(turn: Turn, phase: ChoosingPlank) -> bool:
    """§7 Record that a plank is not laid if the reserve is empty."""
    if turn.state.reserves[phase.seat]:
        return False
    turn.record(PartLost(seat=phase.seat, card=phase.card, part=phase.part, reason=LossReason.RESERVE_EMPTY))
    return True


def lose_plank(turn: Turn, phase: LayingPlank) -> bool:
    """§7.2 (4) Record that the chosen plank leaves the game if it fits nowhere."""
    if turn.state.table.fitting_pairs(phase.plank.size):
        return False
    turn.record(PlankLost(seat=phase.seat, plank=phase.plank))
    return True


def sizes(state: State, seat: Seat) -> tuple[int, ...]:
    """§7.2 (1) Return the sizes that may be chosen."""
    return tuple(plank.size for plank in state.reserves[seat])


def _refusal(table: Table, plank: Plank, action: LayPlank) -> RuleViolation:
    """§7.2 (2) Return the first reason why the plank may not lie there. The refusal names the field `b` for errors of the pair."""
    try:
        a, b = _support(table, action.a, "a"), _support(table, action.b, "b")
    except RuleViolation as refusal:
        return refusal
    if a.id == b.id:
        return RuleViolation(Code.SAME_SUPPORT_TWICE, rule="7.2", field="b", support=a.id)
    if a.is_village and b.is_village:
        return RuleViolation(Code.TWO_VILLAGES, rule="7.2", field="b")
    if plank_id(a.id, b.id) in table.plank_by_id:
        return RuleViolation(Code.ALREADY_JOINED, rule="7.2", field="b", plank=plank_id(a.id, b.id))
    for field, support in (("a", a), ("b", b)):
        if len(table.planks_at.get(support.id, ())) >= PLANKS_PER_SUPPORT:
            return RuleViolation(
                Code.SUPPORT_FULL, rule="7.2", field=field, support=support.id, limit=PLANKS_PER_SUPPORT
            )
    distance = distance_rounded_up(a.x, a.y, b.x, b.y)
    if distance > reach(plank.size, a, b):
        return RuleViolation(
            Code.PLANK_TOO_SHORT,
            rule="7.2",
            field="b",
            size=plank.size,
            distance=distance,
            reach=reach(plank.size, a, b),
        )
    return _blocked(table, table.pairs.by_id[plank_id(a.id, b.id)])


def _blocked(table: Table, pair: Pair) -> RuleViolation:
    """§7.2 (2) Return what lies in the way: planks [R15], or stones and villages [R16]."""
    planks, supports = _planks_crossed(table, pair), _supports_passed_over(table, pair)
    if planks:
        return RuleViolation(Code.CROSSES_PLANK, rule="7.2", field="b", planks=planks, supports=supports)
    return RuleViolation(Code.PASSES_OVER_SUPPORT, rule="7.2", field="b", supports=supports)


def _support(table: Table, name: SupportId, field: str) -> Support:
    """§2 Return a support by its name: a village, or a stone."""
    support = table.pairs.supports.get(name)
    if support is None:
        raise RuleViolation(Code.SUPPORT_UNKNOWN, rule="7.2", field=field, support=name)
    if not support.is_village and name not in table.stone_ids:
        raise RuleViolation(Code.SUPPORT_HAS_NO_STONE, rule="7.2", field=field, support=name)
    return support


def _planks_crossed(table: Table, pair: Pair) -> tuple[PlankId, ...]:
    by_id = table.pairs.by_id
    return tuple(plank.id for plank in table.planks if cross(pair, by_id[plank.id]))


def _supports_passed_over(table: Table, pair: Pair) -> tuple[SupportId, ...]:
    over = table.pairs.passing_over
    return tuple(
        support.id
        for support in table.pairs.supports.values()
        if over[support.id] & pair.bit and (support.is_village or support.id in table.stone_ids)
    )
