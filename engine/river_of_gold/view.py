"""What an audience may see (§11), built field by field from an allow-list."""

from __future__ import annotations

from collections.abc import Callable

from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.records import View
from engine.kernel.seats import Audience, Seat
from engine.river_of_gold.box.board import COSTS, REGION_OF, RIVERS, SHORES
from engine.river_of_gold.box.components import (
    END_SLOT_FAVOR,
    REGIONS,
    ROW_SLOTS,
    SHIPS,
    BuildingSet,
    PatronMode,
    Region,
    goods_of,
)
from engine.river_of_gold.box.customers import CUSTOMER
from engine.river_of_gold.box.ids import BuildingId, CustomerId, PatronId
from engine.river_of_gold.box.masteries import MASTERY_SLOTS, tile_values
from engine.river_of_gold.event_parts import Choice, Step, VpSource
from engine.river_of_gold.events import CustomerDrawn, RiverOfGoldEvent
from engine.river_of_gold.legal import pending
from engine.river_of_gold.rules.building import cost_for
from engine.river_of_gold.rules.holdings import artisan_regions, elder_regions, has_merchant, owned_shores
from engine.river_of_gold.rules.scoring import outcome
from engine.river_of_gold.rules.setup import offers
from engine.river_of_gold.state import MasteryCard, Player, Stage, State
from engine.river_of_gold.view_parts import (
    DeliveredView,
    MasterySlotView,
    MasteryView,
    PointsView,
    RegionView,
    RiverView,
    RowSlotView,
    SeatView,
    ShipView,
    ShoreView,
    StackView,
    VoyageView,
)


class RiverOfGoldView(View, frozen=True, kw_only=True):
    """The match as an audience sees it."""

    stage: Stage
    """Where the match is."""
    patrons: PatronMode
    """How patrons are given out."""
    turn: int
    """The number of the turn, counted from 1 over all players; 0 before the first (§3)."""
    active: Seat | None
    """The seat whose turn it is; absent before the first turn and after the last."""
    order: tuple[Seat, ...]
    """All seats in turn order, clockwise from the first player (§2.5)."""
    to_come: tuple[Seat, ...]
    """Before the first turn the seats that still choose a patron or roll the first die, in this order. After the last turn the
    seats that may still exchange before the final scoring [F11]."""
    offers: tuple[PatronId, ...]
    """The patrons that the next seat to choose may take; empty if none is to be chosen (§9)."""
    steps: tuple[Step, ...]
    """What is still to happen in this turn, in this order; empty while the action is still to be chosen."""
    choices: tuple[Choice, ...]
    """The open choices; the first one is to be made now (§11.3)."""
    voyage: VoyageView | None
    """The sail of this turn; absent if no ship has sailed in it (§5)."""
    delivering: CustomerId | None
    """The customer delivered to in this turn; absent if none was (§6.3)."""
    shores: tuple[ShoreView, ...]
    """The thirty shore spaces, in order of their ids."""
    river: tuple[RiverView, ...]
    """The fourteen river spaces, in the order of a journey."""
    regions: tuple[RegionView, ...]
    """The six regions, from region 1 on."""
    merchants: tuple[Seat, ...]
    """The seats that have a marker on the merchant space: they have delivered to a merchant, so that journeys bring them more
    (§10.3)."""
    row: tuple[RowSlotView, ...]
    """The four slots of the building row, from the start slot to the end slot (§2.3)."""
    stacks: tuple[StackView, ...]
    """The stacks of era 1 and era 2, in this order [A13]."""
    discarded_tiles: tuple[BuildingId, ...]
    """The tiles that journeys have discarded from the row (§5.4)."""
    deck_size: int
    """How many cards are left in the customer deck."""
    discarded_customers: tuple[CustomerId, ...]
    """The discarded customer cards, in the order in which they came; they lie face up [A12]."""
    masteries: tuple[MasteryView, ...]
    """The masteries that are in play."""
    seats: tuple[SeatView, ...]
    """The players, in order of seats."""
    emperor_due: bool
    """Whether the Emperor visits at the end of this turn (§8.2)."""
    emperor_visited: bool
    """Whether the Emperor has visited (§8.2)."""
    end_due: bool
    """Whether the end is triggered at the end of this turn (§8.3)."""
    last_turns: tuple[Seat, ...]
    """The seats that still have a last turn to begin, in this order; also empty before the end is triggered (§8.3)."""
    end_triggered: bool
    """Whether the end was triggered, so that last turns are played (§8.3)."""
    pending: tuple[Pending, ...]
    """The decisions that the match waits for, with the paragraphs that ask for them."""
    outcome: Outcome | None
    """How the match ended, with every line of the scores; absent while it is played (§8.5)."""


def view(state: State, audience: Audience) -> RiverOfGoldView:
    """§11 Return the view of an audience; other hands, the deck and building tiles nobody has seen are hidden."""
    asked = state.queue[0] if state.queue and state.stage is Stage.PATRONS else None
    return RiverOfGoldView(
        stage=state.stage,
        patrons=state.patrons,
        turn=state.turn,
        active=state.active,
        order=state.order,
        to_come=state.queue,
        offers=() if asked is None else offers(state, asked),
        steps=state.steps,
        choices=state.choices,
        voyage=_voyage(state),
        delivering=state.delivering,
        shores=_shores(state, audience.seat),
        river=_river(state),
        regions=tuple(_region(state, region) for region in REGIONS),
        merchants=tuple(seat for seat in state.present if has_merchant(state.players[seat])),
        row=tuple(
            RowSlotView(slot=slot, building=tile, favor=END_SLOT_FAVOR if slot == ROW_SLOTS else 0)
            for slot, tile in enumerate(state.row, start=1)
        ),
        stacks=(
            StackView(era=BuildingSet.ERA_1, top=state.era_1.top, left=state.era_1.left),
            StackView(era=BuildingSet.ERA_2, top=state.era_2.top, left=state.era_2.left),
        ),
        discarded_tiles=state.discarded,
        deck_size=len(state.deck),
        discarded_customers=state.discards,
        masteries=tuple(_mastery(state, card) for card in state.masteries),
        seats=tuple(_seat(state, Seat(seat), audience) for seat in range(state.seats)),
        emperor_due=state.emperor_due,
        emperor_visited=not state.era_1.left and not state.emperor_due,
        end_due=state.end_due,
        last_turns=state.last_turns or (),
        end_triggered=state.last_turns is not None,
        pending=pending(state),
        outcome=outcome(state),
    )


def redact(event: RiverOfGoldEvent, audience: Audience) -> RiverOfGoldEvent:
    """§11 Return the event as an audience may see it: a drawn card is shown only to its owner and a referee."""
    if isinstance(event, CustomerDrawn) and not audience.sees_seat(event.seat):
        return CustomerDrawn(seat=event.seat)
    return event


def _voyage(state: State) -> VoyageView | None:
    voyage = state.voyage
    if voyage is None:
        return None
    return VoyageView(
        ship=SHIPS[voyage.ship],
        royal=voyage.royal,
        river=RIVERS[voyage.river],
        bonuses=voyage.bonuses,
    )


def _shores(state: State, seat: Seat | None) -> tuple[ShoreView, ...]:
    known = seat is not None and seat < state.seats and seat not in state.left
    player = state.players[seat] if known and seat is not None else None
    return tuple(
        ShoreView(
            id=shore,
            region=REGION_OF[at],
            building=None if site is None else site.building,
            markers=() if site is None else site.markers,
            cost=COSTS[at],
            your_cost=cost_for(player, at) if site is None and player is not None else None,
        )
        for at, (shore, site) in enumerate(zip(SHORES, state.sites, strict=True))
    )


def _river(state: State) -> tuple[RiverView, ...]:
    ships: list[list[ShipView]] = [[] for _ in RIVERS]
    for seat, player in enumerate(state.players):
        for index, river in enumerate(player.ships):
            royal = player.royal == index
            ships[river].append(ShipView(seat=Seat(seat), ship=SHIPS[index], royal=royal))
    return tuple(RiverView(id=river, ships=tuple(there)) for river, there in zip(RIVERS, ships, strict=True))


def _region(state: State, region: Region) -> RegionView:
    tile = state.region_tiles[region - 1]
    players = list(enumerate(state.players))
    return RegionView(
        region=region,
        tile=tile,
        values=tile_values(tile, state.seats),
        influence=tuple(player.tracks[region - 1] for _, player in players),
        artisans=_marked(players, region, artisan_regions, state.left),
        elders=_marked(players, region, elder_regions, state.left),
    )


def _marked(
    players: list[tuple[int, Player]],
    region: Region,
    regions_of: Callable[[Player], tuple[Region, ...]],
    left: tuple[Seat, ...],
) -> tuple[Seat, ...]:
    """Return who has a marker on the artisan's or the elder's space; the markers of players who have left are removed [F8]."""
    return tuple(Seat(seat) for seat, player in players if region in regions_of(player) and seat not in left)


def _mastery(state: State, card: MasteryCard) -> MasteryView:
    claims = card.claims
    return MasteryView(
        mastery=card.mastery,
        slots=tuple(
            MasterySlotView(vp=vp, seat=claims[slot] if slot < len(claims) else None)
            for slot, vp in enumerate(MASTERY_SLOTS[state.seats])
        ),
    )


def _seat(state: State, seat: Seat, audience: Audience) -> SeatView:
    player = state.players[seat]
    return SeatView(
        seat=seat,
        place=state.order.index(seat) + 1,
        clan=player.clan,
        patron=player.patron,
        koku=player.koku,
        goods=goods_of(player.goods),
        favor=player.favor,
        favor_limit=player.limit,
        vp=player.vp,
        points=tuple(
            PointsView(source=source, vp=vp) for source, vp in zip(VpSource, player.tally, strict=True) if vp
        ),
        die=player.die or None,
        influence=player.tracks,
        hand_size=len(player.hand),
        hand=player.hand if audience.sees_seat(seat) else (),
        delivered=tuple(
            DeliveredView(customer=card, ongoing=None if seat in state.left else CUSTOMER[card].ongoing)
            for card in player.delivered
        ),
        buildings=tuple(SHORES[at] for at in owned_shores(state, seat)),
        royal_ship=None if player.royal is None else SHIPS[player.royal],
        last_turn=state.last_turns is not None and seat in state.last_turns,
        left=seat in state.left,
    )
