"""§5.3 The own turn: one area to resolve, and one office that may be activated before or after.

§5.3 Own turn. The player must name one area with at least one piece, anybody's, and it is resolved. Before or after
that the player may activate one office that is face up; it is turned face down until the upkeep. One part is finished
before the other begins.
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.actions import (
    AlRashidAction,
    EndTurn,
    ResolveArea,
    UseImporter,
    UseNegotiator,
    UseRecruiter,
    UseSmuggler,
    UseTrader,
)
from engine.al_rashid.box.areas import AREA_INDEX, AREAS, TERRITORIES, TERRITORY_INDEX
from engine.al_rashid.box.components import COLOURS, COMMON, GOODS, AreaId, Good
from engine.al_rashid.box.offices import ACTIVATED, IMPORTED, NEGOTIATOR, RECRUITER, SMUGGLER, TRADER
from engine.al_rashid.errors import Code
from engine.al_rashid.events import OwnTurnEnded
from engine.al_rashid.rules.entry import check_area
from engine.al_rashid.rules.mercenaries import can_draw
from engine.al_rashid.rules.opening import open_area
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat


def resolve_area(turn: Turn, seat: Seat, action: ResolveArea) -> None:
    """§5.3 Resolve any area with at least one piece of any player; each area once per turn (§5.6)."""
    state, area = turn.state, action.area
    if state.area_named:
        raise RuleViolation(Code.AREA_ALREADY_NAMED, rule="5.3")
    check_area(area, "area", "5.3")
    if area in state.resolved:
        raise RuleViolation(Code.AREA_RESOLVED, rule="5.6", field="area", area=area)
    if not state.areas[AREA_INDEX[area]]:
        raise RuleViolation(Code.AREA_EMPTY, rule="5.3", field="area", area=area)
    open_area(turn, seat, area)


_RESOLVE: Final = {area: ResolveArea(area=area) for area in AREAS}


def end_turn(turn: Turn, seat: Seat) -> None:
    """§5.3 The mandatory part comes first."""
    if not turn.state.area_named:
        raise RuleViolation(Code.AREA_NOT_RESOLVED, rule="5.3")
    turn.record(OwnTurnEnded(seat=seat))


def own_turn_answers(state: State, seat: Seat) -> list[AlRashidAction]:
    """§5.3 List every area that can be resolved and every office that can be activated."""
    answers = activations(state, seat)
    if state.area_named:
        answers.append(EndTurn())
    else:
        answers += [_RESOLVE[area] for area in resolvable(state)]
    return answers


def resolvable(state: State) -> list[AreaId]:
    """§5.3 Return the areas with a piece that have not been resolved in this turn."""
    resolved = state.resolved
    return [area for area, stacks in zip(AREAS, state.areas, strict=True) if stacks and area not in resolved]


def activations(state: State, seat: Seat) -> list[AlRashidAction]:
    """§5.3 [R41] List every way to activate an office that can do something."""
    if state.activated:
        return []
    player = state.players[seat]
    found: list[AlRashidAction] = []
    ready = [held.office for held in player.offices if held.office in ACTIVATED and not held.used]
    for office in dict.fromkeys(ready):
        if office == SMUGGLER:
            found += [
                UseSmuggler(give=give, take=take)
                for give in owned_kinds(player.goods)
                for take in GOODS
                if take is not give
            ]
        elif office == TRADER:
            found += [UseTrader(give=give) for give in owned_kinds(player.goods) if give in COMMON]
        elif office in IMPORTED:
            found.append(UseImporter(office=office))
        elif office == RECRUITER:
            found += [UseRecruiter(colour=colour) for colour in COLOURS if can_draw(state, colour)]
        elif office == NEGOTIATOR:
            found += [
                UseNegotiator(territory=territory)
                for territory in TERRITORIES
                if state.tiles[TERRITORY_INDEX[territory]]
            ]
    return found


def owned_kinds(goods: tuple[int, ...]) -> list[Good]:
    """Return the kinds of which there is at least one good."""
    return [good for good, count in zip(GOODS, goods, strict=True) if count]
