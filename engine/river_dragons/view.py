"""What an audience may see (§10), built field by field from an allow-list.

§10 Information. Everything on the table is open: pawns, stones, planks, reserves, the supply, and who has submitted a
program. Hands are known too, since everybody has all own cards at the beginning of each round. Only the five
programmed cards are secret, each until its slot is revealed; slots that are never revealed stay hidden [F13].
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.records import View
from engine.kernel.seats import Audience, Seat
from engine.river_dragons.box.catalogue import MEASURES, Measures
from engine.river_dragons.box.components import (
    CARD_PARTS,
    PLANK_LENGTHS,
    STONE_RADIUS,
    Card,
    Colour,
    Place,
    Plank,
    PlankId,
    SupportId,
    Variant,
    VillageId,
    destination_of,
    village_of,
)
from engine.river_dragons.box.sites import (
    ISLANDS,
    VIEW_BOX,
    VILLAGES,
    WATER,
    Box,
    IslandSite,
    Point,
    VillageSite,
)
from engine.river_dragons.events import ProgramSubmitted, RevealedCard, RiverDragonsEvent
from engine.river_dragons.legal import pending
from engine.river_dragons.phases import (
    Decision,
    Ended,
    Executing,
    LayingPlank,
    Phase,
    Programming,
    decision_of,
)
from engine.river_dragons.rules.dragons import revealed_cards
from engine.river_dragons.rules.ending import outcome
from engine.river_dragons.rules.programming import hand
from engine.river_dragons.state import State
from engine.river_dragons.table import LaidPlank, Table


class Stage(StrEnum):
    """Where the match is."""

    PROGRAMMING = "programming"
    """§5"""
    EXECUTING = "executing"
    """§7 Somebody carries out a card: `open_card`."""
    ENDED = "ended"
    """§8"""


class StoneOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """§7.1"""

    id: SupportId
    """The island's id, or on the expert side the stone's own id."""
    x: int
    y: int
    radius: int


class PlankOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """§7.2 Drawn along its axis, the straight line between the centres of its supports."""

    id: PlankId
    plank: Plank
    length: int
    """Of the plank itself: it may reach beyond its supports, which has no effect [R13]."""
    a: SupportId
    b: SupportId
    ax: int
    ay: int
    bx: int
    by: int


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One player: all of it is public (§10)."""

    seat: Seat
    colour: Colour
    start: VillageId
    destination: VillageId
    pawn: Place
    reserve: tuple[Plank, ...]
    hand: tuple[Card, ...]
    """The hand is public by deduction: all hands are full at the start of every round."""
    submitted: bool
    """Whether the player has a program in this round."""
    left: bool
    """[R29]"""


class RevealedSlot(msgspec.Struct, frozen=True, kw_only=True):
    """§6 A slot of this round that everybody has seen."""

    slot: int
    cards: tuple[RevealedCard, ...]


class SeatProgram(msgspec.Struct, frozen=True, kw_only=True):
    """§5 A whole program, revealed or not."""

    seat: Seat
    cards: tuple[Card, ...]

    def __repr__(self) -> str:
        return f"SeatProgram(seat={self.seat}, cards=<hidden>)"


class OpenCard(msgspec.Struct, frozen=True, kw_only=True):
    """§7 The card being carried out, and what is to be decided for it now."""

    seat: Seat
    card: Card
    part: int
    """The part under way, counted from 1."""
    parts: int
    """All parts of the card; those after `part` remain."""
    decision: Decision
    plank: Plank | None = None
    """§7.2 The chosen plank: binding."""


class RiverDragonsView(View, frozen=True, kw_only=True):
    """The match as an audience sees it."""

    variant: Variant
    view_box: Box
    water: tuple[Point, ...]
    measures: Measures
    villages: tuple[VillageSite, ...]
    islands: tuple[IslandSite, ...]
    """None on the expert side."""
    stones: tuple[StoneOnBoard, ...]
    planks: tuple[PlankOnBoard, ...]
    supply: int
    """Stones in the supply."""
    lost_planks: tuple[Plank, ...]
    """Out of the game for good."""
    seats: tuple[SeatView, ...]
    order: tuple[Seat, ...]
    """Clockwise [R3]."""
    first_player: Seat
    round: int
    """Counted from 1."""
    round_limit: int
    """[R23] After this round the match is a draw; 0: there is no limit."""
    slot: int
    """The last slot revealed in this round; 0 while programming."""
    stage: Stage
    revealed: tuple[RevealedSlot, ...]
    """The slots of this round, so far."""
    to_come: tuple[Seat, ...]
    """Seats whose cards of this slot are still to be carried out, in order; without the open card's."""
    open_card: OpenCard | None
    programs: tuple[SeatProgram, ...]
    """This round's programs that the audience may see whole: its own for a seat, all for a referee, none for the public."""
    pending: tuple[Pending, ...]
    """The seats that must act, and by which paragraph."""
    outcome: Outcome | None


def view(state: State, audience: Audience) -> RiverDragonsView:
    """§10 Return what an audience may see: everything is public except this round's programs, which depend on the audience."""
    return RiverDragonsView(
        variant=state.variant,
        view_box=VIEW_BOX,
        water=WATER,
        measures=MEASURES,
        villages=VILLAGES,
        islands=ISLANDS if state.variant is Variant.ISLANDS else (),
        stones=tuple(
            StoneOnBoard(id=stone.id, x=stone.x, y=stone.y, radius=STONE_RADIUS)
            for stone in state.table.stones
        ),
        planks=tuple(_plank(state.table, laid) for laid in state.table.planks),
        supply=state.supply,
        lost_planks=state.lost_planks,
        seats=tuple(_seat(state, Seat(seat)) for seat in range(state.seats)),
        order=state.order,
        first_player=state.first_player,
        round=state.round,
        round_limit=state.round_limit,
        slot=state.slot,
        stage=_stage(state),
        revealed=tuple(
            RevealedSlot(slot=slot, cards=revealed_cards(state, slot)) for slot in range(1, state.slot + 1)
        ),
        to_come=state.queue,
        open_card=_open_card(state.phase),
        programs=tuple(
            SeatProgram(seat=Seat(seat), cards=program)
            for seat, program in enumerate(state.programs)
            if program and audience.sees_seat(Seat(seat))
        ),
        pending=pending(state),
        outcome=outcome(state),
    )


def redact(event: RiverDragonsEvent, audience: Audience) -> RiverDragonsEvent:
    """§10 Return the event as an audience may see it: only a submitted program has a hidden part."""
    if isinstance(event, ProgramSubmitted) and not audience.sees_seat(event.seat):
        return ProgramSubmitted(seat=event.seat)
    return event


def _plank(table: Table, laid: LaidPlank) -> PlankOnBoard:
    pair = table.pairs.by_id[laid.id]
    return PlankOnBoard(
        id=laid.id,
        plank=laid.plank,
        length=PLANK_LENGTHS[laid.plank.size],
        a=laid.a,
        b=laid.b,
        ax=pair.a.x,
        ay=pair.a.y,
        bx=pair.b.x,
        by=pair.b.y,
    )


def _seat(state: State, seat: Seat) -> SeatView:
    colour = state.colours[seat]
    return SeatView(
        seat=seat,
        colour=colour,
        start=village_of(colour),
        destination=destination_of(colour),
        pawn=state.pawns[seat],
        reserve=state.reserves[seat],
        hand=hand(state, seat),
        submitted=bool(state.programs[seat]) and seat not in state.left,
        left=seat in state.left,
    )


def _stage(state: State) -> Stage:
    match state.phase:
        case Programming():
            return Stage.PROGRAMMING
        case Ended():
            return Stage.ENDED
        case _:
            return Stage.EXECUTING


def _open_card(phase: Phase) -> OpenCard | None:
    if not isinstance(phase, Executing):
        return None
    return OpenCard(
        seat=phase.seat,
        card=phase.card,
        part=phase.part,
        parts=CARD_PARTS[phase.card],
        decision=decision_of(phase),
        plank=phase.plank if isinstance(phase, LayingPlank) else None,
    )
