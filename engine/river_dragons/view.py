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
from engine.river_dragons.network import LaidPlank
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
from engine.river_dragons.table import Table


class Stage(StrEnum):
    """Where the match is."""

    PROGRAMMING = "programming"
    """The players program (§5)."""
    EXECUTING = "executing"
    """A player carries out a card: `open_card` (§7)."""
    ENDED = "ended"
    """The match is over (§8)."""


class StoneOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A stone on the board (§7.1)."""

    id: SupportId
    """The id of the stone: that of its island, or its own on the expert side."""
    x: int
    """Where its centre is, in board units to the right of the centre of the board."""
    y: int
    """Where its centre is, in board units below the centre of the board."""
    radius: int
    """Its radius in board units."""


class PlankOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A plank on the board. It is drawn along the straight line between the centres of its supports (§7.2)."""

    id: PlankId
    """The id of the plank while it lies on the board: its two supports, such as `I07~I16`."""
    plank: Plank
    """Which plank it is, with its colour and size."""
    length: int
    """How long the plank is, in board units. It may reach beyond its supports, which has no effect [R13]."""
    a: SupportId
    """The id of one support."""
    b: SupportId
    """The id of the other support."""
    ax: int
    """Where the centre of `a` is, in board units to the right of the centre of the board."""
    ay: int
    """Where the centre of `a` is, in board units below the centre of the board."""
    bx: int
    """Where the centre of `b` is, in board units to the right of the centre of the board."""
    by: int
    """Where the centre of `b` is, in board units below the centre of the board."""


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One player; everybody sees all of it (§10)."""

    seat: Seat
    colour: Colour
    """The colour of the player."""
    start: VillageId
    """The id of the player's own village."""
    destination: VillageId
    """The id of the village opposite, which the player's pawn must reach to win."""
    pawn: Place
    """The id of the plank or village where the player's pawn is."""
    reserve: tuple[Plank, ...]
    """The planks in the player's reserve."""
    hand: tuple[Card, ...]
    """The cards in the player's hand. Everybody knows them, since all hands are full at the beginning of every round."""
    submitted: bool
    """Whether the player has submitted a program in this round."""
    left: bool
    """Whether the player has left the match for good [R29]."""


class RevealedSlot(msgspec.Struct, frozen=True, kw_only=True):
    """A slot of this round that everybody has seen (§6)."""

    slot: int
    """The number of the slot, 1 to 5."""
    cards: tuple[RevealedCard, ...]
    """The cards, in order of seats; a seat that has left shows none."""


class SeatProgram(msgspec.Struct, frozen=True, kw_only=True):
    """A whole program, whether its slots were revealed or not (§5)."""

    seat: Seat
    cards: tuple[Card, ...]
    """The five cards, in the order of the slots."""

    def __repr__(self) -> str:
        return f"SeatProgram(seat={self.seat}, cards=<hidden>)"


class OpenCard(msgspec.Struct, frozen=True, kw_only=True):
    """The card that is being carried out, and what is to be decided for it now (§7)."""

    seat: Seat
    """The seat that carries it out, counted from 0."""
    card: Card
    """The card that is being carried out."""
    part: int
    """The part of the card that is being carried out, counted from 1."""
    parts: int
    """How many parts the card has."""
    decision: Decision
    """What is to be decided now."""
    plank: Plank | None = None
    """The plank that was chosen and must be laid; absent unless a plank is to be laid (§7.2)."""


class RiverDragonsView(View, frozen=True, kw_only=True):
    """The match as an audience sees it (§10)."""

    variant: Variant
    """Which side of the board is played."""
    view_box: Box
    """The rectangle that a front end draws."""
    water: tuple[Point, ...]
    """The corners of the water, which is a convex polygon, clockwise on the screen."""
    measures: Measures
    """Sizes to draw with."""
    villages: tuple[VillageSite, ...]
    """The six villages; those of unused colours are among them."""
    islands: tuple[IslandSite, ...]
    """The islands; none on the expert side."""
    stones: tuple[StoneOnBoard, ...]
    """The stones on the board, in the order in which they were placed."""
    planks: tuple[PlankOnBoard, ...]
    """The planks on the board, in the order in which they were laid."""
    supply: int
    """How many stones are in the supply."""
    lost_planks: tuple[Plank, ...]
    """The planks that are out of the game for good."""
    seats: tuple[SeatView, ...]
    """The players, in order of seats."""
    order: tuple[Seat, ...]
    """All seats in clockwise order [R3]."""
    first_player: Seat
    """The seat that begins this round, counted from 0."""
    round: int
    """The number of the round, counted from 1."""
    round_limit: int
    """The number of the round after which the match is a draw; 0 if it never is [R23]."""
    slot: int
    """The number of the slot that was revealed last in this round, 1 to 5; 0 while the players program."""
    stage: Stage
    """Where the match is."""
    revealed: tuple[RevealedSlot, ...]
    """The slots of this round that were revealed so far."""
    to_come: tuple[Seat, ...]
    """The seats whose cards of this slot are still to be carried out, in order; the seat of the open card is not among them."""
    open_card: OpenCard | None
    """The card that is being carried out; absent if none is."""
    programs: tuple[SeatProgram, ...]
    """The programs of this round that the audience may see: a seat sees its own, a referee all, the public none."""
    pending: tuple[Pending, ...]
    """The decisions that the match waits for, with the paragraphs that ask for them."""
    outcome: Outcome | None
    """How the match ended; absent while it is played."""


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
    ax, ay, bx, by = table.axis(laid)
    return PlankOnBoard(
        id=laid.id,
        plank=laid.plank,
        length=PLANK_LENGTHS[laid.plank.size],
        a=laid.a,
        b=laid.b,
        ax=ax,
        ay=ay,
        bx=bx,
        by=by,
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
