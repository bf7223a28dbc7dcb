"""What an audience may see (§13.1, §13.2), built field by field from an allow-list."""

from __future__ import annotations

from msgspec.structs import replace

from engine.al_rashid.box.areas import AREA_NAMES, PALACES, STOCKS, TERRITORIES, TERRITORY_INDEX
from engine.al_rashid.box.components import (
    FIRST_KIND,
    TILE_VALUES,
    AreaId,
    Colour,
    Tiles,
    goods_of,
    squad_of,
)
from engine.al_rashid.box.offices import OFFICE, OFFICE_INDEX, OFFICES_OF
from engine.al_rashid.event_parts import DrawnTile, PlacedTile
from engine.al_rashid.events import AlRashidEvent, CrisisDrawn, TerritoryPeeked
from engine.al_rashid.knowledge import knows
from engine.al_rashid.legal import pending
from engine.al_rashid.owner_events import MercenariesDrawn
from engine.al_rashid.rules.opening import ranking
from engine.al_rashid.rules.scoring import outcome
from engine.al_rashid.state import Stage, State
from engine.al_rashid.view_parts import (
    FamilyView,
    HandView,
    MercenaryView,
    OfficeForSale,
    OwnedOffice,
    PalaceView,
    SceneView,
    SeatView,
    StacksView,
    StackView,
    TerritoryView,
    VisitView,
)
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.records import View
from engine.kernel.seats import Audience, Seat


class AlRashidView(View, frozen=True, kw_only=True):
    """The match as an audience sees it."""

    turn: int
    """The number of the turn, 1 to 5; 0 during the setup (§3.1)."""
    round: int
    """The number of the round within the turn, counted from 1; 0 before its first round (§5.2)."""
    stage: Stage
    """Where in the turn the match is."""
    order: tuple[Seat, ...]
    """All seats that still play, in turn order (§1.5)."""
    next_order: tuple[Seat, ...]
    """The turn order from the next round on; empty if it stays (§5.8)."""
    turn_of: Seat | None
    """The seat whose own turn it is; absent outside own turns (§5.3)."""
    to_come: tuple[Seat, ...]
    """The seats that are still to draw a first mercenary, to hold back, or to take an own turn in this round, in this order."""
    activated: bool
    """Whether the seat whose own turn it is has activated an office (§5.3)."""
    area_named: bool
    """Whether the seat whose own turn it is has resolved an area (§5.3)."""
    negotiating: AreaId | None
    """The id of the territory that the Negotiator looks at; absent if nobody negotiates now (§10.2)."""
    palaces: tuple[PalaceView, ...]
    """The six palaces, in the order of the board."""
    territories: tuple[TerritoryView, ...]
    """The seven territories, in the order of the board."""
    seats: tuple[SeatView, ...]
    """The players, in order of seats."""
    stacks: StacksView
    """The mercenary tiles that are in nobody's hand and on no territory (§13.1)."""
    crises: tuple[str, ...]
    """The ids of the crisis tiles drawn so far, beginning with that of the setup (§11.3)."""
    scene: SceneView | None
    """The area that is being resolved; absent if none is (§5.3)."""
    pending: tuple[Pending, ...]
    """The decisions that the match waits for, with the paragraphs that ask for them."""
    outcome: Outcome | None
    """How the match ended; absent while it is played (§12)."""


def view(state: State, audience: Audience) -> AlRashidView:
    """§13 Return the view of an audience. It hides the values of tiles in hands, face down, and in the stacks."""
    return AlRashidView(
        turn=state.turn,
        round=state.round,
        stage=state.stage,
        order=state.order,
        next_order=state.next_order or (),
        turn_of=state.turn_of,
        to_come=state.queue,
        activated=state.activated,
        area_named=state.area_named,
        negotiating=state.negotiating,
        palaces=tuple(_palace(state, area) for area in PALACES),
        territories=tuple(_territory(state, area, audience) for area in TERRITORIES),
        seats=tuple(_seat(state, Seat(seat), audience) for seat in range(state.seats)),
        stacks=StacksView(
            red=_colour_count(state.stacks, Colour.RED),
            blue=_colour_count(state.stacks, Colour.BLUE),
            tiles=squad_of(state.stacks) if audience.sees_all() else None,
            discards=squad_of(state.discards),
        ),
        crises=state.crises,
        scene=_scene(state),
        pending=pending(state),
        outcome=outcome(state),
    )


def redact(event: AlRashidEvent, audience: Audience) -> AlRashidEvent:
    """§13.4 Return the event as the audience may see it."""
    match event:
        case MercenariesDrawn() if not audience.sees_seat(event.seat):
            return MercenariesDrawn(
                seat=event.seat, tiles=tuple(DrawnTile(colour=tile.colour) for tile in event.tiles)
            )
        case TerritoryPeeked() if not audience.sees_seat(event.seat):
            return replace(event, tiles=_face_down(event.tiles))
        case CrisisDrawn() if not audience.sees_all():
            return CrisisDrawn(crisis=event.crisis, tiles=_face_down(event.tiles))
        case _:
            return event


def _face_down(tiles: tuple[PlacedTile, ...]) -> tuple[PlacedTile, ...]:
    return tuple(PlacedTile(id=tile.id, territory=tile.territory, colour=tile.colour) for tile in tiles)


def _palace(state: State, area: AreaId) -> PalaceView:
    return PalaceView(
        id=area,
        name=AREA_NAMES[area],
        resolved=area in state.resolved,
        stacks=_stacks(state, area),
        offices=tuple(
            OfficeForSale(
                office=office,
                copies=state.market[OFFICE_INDEX[office]],
                cost=OFFICE[office].cost,
                kind=OFFICE[office].kind,
            )
            for office in OFFICES_OF[area]
        ),
    )


def _territory(state: State, area: AreaId, audience: Audience) -> TerritoryView:
    index = TERRITORY_INDEX[area]
    *goods, notes = state.stocks[index]
    return TerritoryView(
        id=area,
        name=AREA_NAMES[area],
        resolved=area in state.resolved,
        stacks=_stacks(state, area),
        goods=goods_of(tuple(goods)),
        notes=notes,
        printed=goods_of(STOCKS[area]),
        mercenaries=tuple(
            MercenaryView(
                id=tile.id,
                colour=tile.colour,
                face_up=tile.face_up,
                value=tile.value if knows(tile, audience) else None,
            )
            for tile in state.tiles[index]
        ),
    )


def _stacks(state: State, area: AreaId) -> tuple[StackView, ...]:
    scene = state.scene
    resolved_now = scene is not None and scene.area == area
    places = scene.ranking if scene is not None and resolved_now else ranking(state, area)
    ranks = {place.seat: place.rank for place in places}
    return tuple(
        StackView(
            seat=stack.seat,
            slot=slot,
            pashas=stack.pieces[0],
            merchants=stack.pieces[1],
            sages=stack.pieces[2],
            dominance=stack.dominance,
            rank=ranks.get(stack.seat),
        )
        for slot, stack in enumerate(state.at(area), start=1)
    )


def _seat(state: State, seat: Seat, audience: Audience) -> SeatView:
    player = state.players[seat]
    return SeatView(
        seat=seat,
        goods=goods_of(player.goods),
        notes=player.notes,
        influence=player.influence,
        dishonor=player.dishonor,
        hand=HandView(
            red=_colour_count(player.hand, Colour.RED),
            blue=_colour_count(player.hand, Colour.BLUE),
            tiles=squad_of(player.hand) if audience.sees_seat(seat) else None,
        ),
        offices=tuple(
            OwnedOffice(office=held.office, kind=OFFICE[held.office].kind, used=held.used)
            for held in player.offices
        ),
        family=_family(state.family(seat)),
        reserve=_family(player.reserve),
        held=_family(player.held),
        left=seat in state.left,
    )


def _family(counts: tuple[int, ...]) -> FamilyView:
    pashas, merchants, sages = counts
    return FamilyView(pashas=pashas, merchants=merchants, sages=sages)


def _scene(state: State) -> SceneView | None:
    scene, visit = state.scene, state.visit
    if scene is None:
        return None
    return SceneView(
        area=scene.area,
        part=scene.part,
        ranking=scene.ranking,
        to_act=scene.queue,
        spy_moves=scene.spies,
        benevolence=scene.takers,
        winner=scene.winner,
        spoils=scene.spoils,
        visit=None
        if visit is None
        else VisitView(
            seat=visit.seat,
            rank=visit.rank,
            service=visit.service,
            office=visit.office,
            note=visit.note,
            favor=visit.favor,
            benevolence=visit.benevolence,
            total=visit.total,
            paid=visit.paid,
            steps=visit.steps,
            draws=visit.draws,
        ),
    )


def _colour_count(tiles: Tiles, colour: Colour) -> int:
    first = FIRST_KIND[colour]
    return sum(tiles[first : first + len(TILE_VALUES)])
