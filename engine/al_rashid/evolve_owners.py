"""Applies the events about what players own to the state: goods, notes, markers, tiles, offices, and steps of a visit."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.al_rashid.box.areas import AL_RASHID
from engine.al_rashid.box.components import (
    NO_TILES,
    ONE_GOOD,
    Colour,
    Piece,
    Service,
    bag_of,
    minus,
    plus,
    tile_kind,
)
from engine.al_rashid.box.offices import OFFICE_INDEX
from engine.al_rashid.changes import (
    ONE_PIECE,
    ONE_PIECE_LESS,
    added,
    after_step,
    with_item,
    with_pieces,
    with_player,
)
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.evolve_areas import scene_of
from engine.al_rashid.owner_events import (
    ColoursNamed,
    ConversionDeclined,
    DishonorTaken,
    FavorsChosen,
    GoodGiven,
    GoodsGained,
    GoodsPaid,
    GoodsSwapped,
    InfluenceGained,
    MercenariesDrawn,
    NotesGained,
    OfficeAcquired,
    OfficeUsed,
    PieceGained,
    SageConverted,
    VisitDeclared,
)
from engine.al_rashid.state import HeldOffice, Player, Stage, State, Visit
from engine.kernel.seats import Seat

_STEPS: Final[dict[str, VisitStep]] = {step.value: step for step in VisitStep}


def _with(state: State, seat: Seat, player: Player, source: str = "") -> State:
    """Change a player. If the source of a gain is a step of a visit, that step is done."""
    step = _STEPS.get(source)
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, seat, player),
        visit=state.visit if step is None else after_step(state, step),
    )


def _open_visit(state: State) -> Visit:
    if state.visit is None:
        raise ValueError("nobody is visiting a palace")
    return state.visit


def mercenaries_drawn(state: State, event: MercenariesDrawn) -> State:
    drawn = list(NO_TILES)
    for tile in event.tiles:
        if tile.value is None:
            raise ValueError("a redacted event is made for an audience and cannot be folded")
        drawn[tile_kind(tile.colour, tile.value)] += 1
    player = state.players[event.seat]
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, event.seat, replace(player, hand=plus(player.hand, tuple(drawn)))),
        stacks=minus(state.stacks, tuple(drawn)),
        queue=state.queue[1:] if state.stage is Stage.SETUP else state.queue,
        visit=None if state.visit is None else replace(state.visit, draws=()),
    )


def office_used(state: State, event: OfficeUsed) -> State:
    player = state.players[event.seat]
    place = player.offices.index(HeldOffice(office=event.office))
    offices = with_item(player.offices, place, HeldOffice(office=event.office, used=True))
    players = with_player(state, event.seat, replace(player, offices=offices))
    return replace(state, clock=state.clock + 1, players=players, activated=True)


def goods_swapped(state: State, event: GoodsSwapped) -> State:
    player = state.players[event.seat]
    goods = plus(minus(player.goods, bag_of(event.given)), bag_of(event.taken))
    return _with(state, event.seat, replace(player, goods=goods), event.source)


def goods_gained(state: State, event: GoodsGained) -> State:
    player = state.players[event.seat]
    gained = _with(
        state, event.seat, replace(player, goods=plus(player.goods, bag_of(event.goods))), event.source
    )
    if gained.scene is not None and gained.scene.spoils:
        return replace(gained, scene=replace(gained.scene, spoils=gained.scene.spoils - 1))
    return gained


def notes_gained(state: State, event: NotesGained) -> State:
    player = state.players[event.seat]
    return _with(state, event.seat, replace(player, notes=player.notes + event.notes), event.source)


def influence_gained(state: State, event: InfluenceGained) -> State:
    player = state.players[event.seat]
    return _with(state, event.seat, replace(player, influence=player.influence + event.markers), event.source)


def dishonor_taken(state: State, event: DishonorTaken) -> State:
    player = state.players[event.seat]
    return _with(state, event.seat, replace(player, dishonor=player.dishonor + event.markers))


def visit_declared(state: State, event: VisitDeclared) -> State:
    scene = scene_of(state)
    if event.service is Service.SPY_MOVES:
        scene = replace(scene, spies=(*scene.spies, event.seat))
    if event.benevolence is not None:
        scene = replace(scene, takers=(*scene.takers, event.seat))
    visit = Visit(
        seat=event.seat,
        area=event.area,
        rank=event.rank,
        service=event.service,
        office=event.office,
        note=event.note,
        favor=event.favor,
        benevolence=event.benevolence,
        total=event.total,
        paid=event.total == 0,
        steps=event.steps,
    )
    return replace(state, clock=state.clock + 1, scene=scene, visit=visit)


def goods_paid(state: State, event: GoodsPaid) -> State:
    player = state.players[event.seat]
    player = replace(player, goods=minus(player.goods, bag_of(event.goods)))
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, event.seat, player),
        visit=replace(_open_visit(state), paid=True),
    )


def office_acquired(state: State, event: OfficeAcquired) -> State:
    player = state.players[event.seat]
    player = replace(
        player,
        offices=(*player.offices, HeldOffice(office=event.office)),
        notes=player.notes - event.note,
    )
    index = OFFICE_INDEX[event.office]
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, event.seat, player),
        market=with_item(state.market, index, state.market[index] - 1),
        visit=after_step(state, VisitStep.OFFICE),
    )


def piece_gained(state: State, event: PieceGained) -> State:
    player = state.players[event.seat]
    player = replace(player, reserve=added(player.reserve, ONE_PIECE[event.piece]))
    return _with(state, event.seat, player, event.source)


def favors_chosen(state: State, event: FavorsChosen) -> State:
    visit = after_step(state, VisitStep.IMPOSTOR)
    steps = (VisitStep(event.first), VisitStep(event.second), *visit.steps)
    return replace(state, clock=state.clock + 1, visit=replace(visit, steps=steps))


def good_given(state: State, event: GoodGiven) -> State:
    visit = after_step(state, VisitStep.GENERAL)
    player = state.players[event.seat]
    player = replace(player, goods=minus(player.goods, ONE_GOOD[event.good]))
    players = with_player(state, event.seat, player)
    visit = replace(visit, draws=(*visit.draws, event.colour))
    return replace(state, clock=state.clock + 1, players=players, visit=visit)


def colours_named(state: State, event: ColoursNamed) -> State:
    visit = after_step(state, event.source)
    named = (*(Colour.RED,) * event.red, *(Colour.BLUE,) * event.blue)
    return replace(state, clock=state.clock + 1, visit=replace(visit, draws=(*visit.draws, *named)))


def sage_converted(state: State, event: SageConverted) -> State:
    """[R29] Elsewhere the merchant takes the sage's place; in the palace being resolved it joins the reserve."""
    visit = after_step(state, VisitStep.ALCHEMIST)
    sage, merchant = ONE_PIECE_LESS[Piece.SAGE], ONE_PIECE[Piece.MERCHANT]
    player = state.players[event.seat]
    areas = state.areas
    if event.area is None:
        player = replace(player, reserve=added(player.reserve, added(sage, merchant)))
    elif event.area == AL_RASHID:
        player = replace(player, reserve=added(player.reserve, merchant))
        areas = with_pieces(areas, event.area, event.seat, sage)
    else:
        areas = with_pieces(areas, event.area, event.seat, added(sage, merchant))
    players = with_player(state, event.seat, player)
    return replace(state, clock=state.clock + 1, players=players, areas=areas, visit=visit)


def conversion_declined(state: State, event: ConversionDeclined) -> State:
    if _open_visit(state).seat != event.seat:
        raise ValueError("another seat is visiting")
    return replace(state, clock=state.clock + 1, visit=after_step(state, VisitStep.ALCHEMIST))
