"""What an audience may see (§13.1, §13.2), built field by field from an allow-list."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from engine.al_rashid.box.areas import AREA_NAMES, PALACES, STOCKS, TERRITORIES, TERRITORY_INDEX
from engine.al_rashid.box.components import (
    FIRST_KIND,
    TILE_VALUES,
    AreaId,
    Colour,
    Favor,
    Good,
    Goods,
    OfficeId,
    Service,
    Squad,
    Tiles,
    goods_of,
    squad_of,
)
from engine.al_rashid.box.offices import OFFICE, OFFICE_INDEX, OFFICES_OF, OfficeKind
from engine.al_rashid.event_parts import DrawnTile, PlacedTile, RankedStack, VisitStep
from engine.al_rashid.events import AlRashidEvent, CrisisDrawn, TerritoryPeeked
from engine.al_rashid.knowledge import knows
from engine.al_rashid.legal import pending
from engine.al_rashid.owner_events import MercenariesDrawn
from engine.al_rashid.rules.opening import ranking
from engine.al_rashid.rules.scoring import outcome
from engine.al_rashid.state import Part, Stage, State
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.records import View
from engine.kernel.seats import Audience, Seat


class StackView(msgspec.Struct, frozen=True, kw_only=True):
    """§4.7 A player's pieces in an area."""

    seat: Seat
    slot: int
    """§1.7 Counted from 1, left to right."""
    pashas: int
    merchants: int
    sages: int
    dominance: int
    rank: int | None
    """§1.8 The rank if the area were resolved now; absent at Al-Rashid without a pasha [R20]."""


class OfficeForSale(msgspec.Struct, frozen=True, kw_only=True):
    """§2.4"""

    office: OfficeId
    copies: int
    cost: int
    kind: OfficeKind


class PalaceView(msgspec.Struct, frozen=True, kw_only=True):
    id: AreaId
    name: str
    resolved: bool
    """§5.6 In this turn."""
    stacks: tuple[StackView, ...]
    """By slot."""
    offices: tuple[OfficeForSale, ...]


class MercenaryView(msgspec.Struct, frozen=True, kw_only=True):
    """A mercenary tile on a territory."""

    id: int
    colour: Colour
    face_up: bool
    value: int | None = None
    """Present if this audience knows it: the tile is face up, or this seat has looked at it (§13.2)."""

    def __repr__(self) -> str:
        return f"MercenaryView(id={self.id}, colour={self.colour}, value=<hidden>)"


class TerritoryView(msgspec.Struct, frozen=True, kw_only=True):
    id: AreaId
    name: str
    resolved: bool
    stacks: tuple[StackView, ...]
    goods: Goods
    notes: int
    printed: Goods
    mercenaries: tuple[MercenaryView, ...]


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """§13.1 How many tiles of each colour a hand has."""

    red: int
    blue: int
    tiles: Squad | None = None
    """§13.2 The tiles with their values, for the owner and a referee."""

    def __repr__(self) -> str:
        return f"HandView(red={self.red}, blue={self.blue}, tiles=<hidden>)"


class OwnedOffice(msgspec.Struct, frozen=True, kw_only=True):
    office: OfficeId
    kind: OfficeKind
    used: bool


class FamilyView(msgspec.Struct, frozen=True, kw_only=True):
    """§1.2 Numbers of pashas, merchants and sages."""

    pashas: int
    merchants: int
    sages: int


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One player."""

    seat: Seat
    goods: Goods
    notes: int
    influence: int
    dishonor: int
    hand: HandView
    offices: tuple[OwnedOffice, ...]
    family: FamilyView
    """Wherever they are."""
    reserve: FamilyView
    held: FamilyView
    """§4.1"""
    left: bool


class StacksView(msgspec.Struct, frozen=True, kw_only=True):
    """§13.1 Mercenary tiles not in play."""

    red: int
    blue: int
    tiles: Squad | None = None
    """For a referee."""
    discards: Squad

    def __repr__(self) -> str:
        return f"StacksView(red={self.red}, blue={self.blue}, tiles=<hidden>)"


class VisitView(msgspec.Struct, frozen=True, kw_only=True):
    """§7.2, §8.2 A declared visit."""

    seat: Seat
    rank: int
    service: Service | None
    office: OfficeId | None
    note: bool
    favor: Favor | None
    benevolence: Good | None
    total: int
    paid: bool
    steps: tuple[VisitStep, ...]
    """Still to do."""
    draws: tuple[Colour, ...]
    """[R14] Colours named for mercenaries that are drawn when the visit is declared in full."""


class SceneView(msgspec.Struct, frozen=True, kw_only=True):
    """§5.3 The area that is being resolved."""

    area: AreaId
    part: Part
    ranking: tuple[RankedStack, ...]
    """As it was when the area was named."""
    to_act: tuple[Seat, ...]
    """Still to visit, to fight or to trade, in order."""
    spy_moves: tuple[Seat, ...]
    """§7.6 Before the moves: who has taken the service. During them: whose moves are still to come."""
    benevolence: tuple[Seat, ...]
    """§8.3 Who has taken it."""
    winner: Seat | None
    """§9.3 Of the battle."""
    spoils: int
    visit: VisitView | None


class AlRashidView(View, frozen=True, kw_only=True):
    """The state as an audience sees it."""

    turn: int
    """§3.1 1 to 5; 0 during the setup."""
    round: int
    stage: Stage
    order: tuple[Seat, ...]
    next_order: tuple[Seat, ...]
    """§5.8 The order from the next round on; empty if it stays."""
    turn_of: Seat | None
    """§5.3 Whose own turn it is."""
    to_come: tuple[Seat, ...]
    """Still to draw, to hold back, or to take an own turn in this round, in order."""
    activated: bool
    area_named: bool
    negotiating: AreaId | None
    palaces: tuple[PalaceView, ...]
    territories: tuple[TerritoryView, ...]
    seats: tuple[SeatView, ...]
    stacks: StacksView
    crises: tuple[str, ...]
    """§11.3 Crisis tiles drawn so far."""
    scene: SceneView | None
    pending: tuple[Pending, ...]
    """The open decisions, with their paragraphs."""
    outcome: Outcome | None


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
