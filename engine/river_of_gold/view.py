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
    patrons: PatronMode
    turn: int
    """§3 Counted from 1, over all players; 0 before the first."""
    active: Seat | None
    """Whose turn it is."""
    order: tuple[Seat, ...]
    """§2.5 Clockwise from the first player."""
    to_come: tuple[Seat, ...]
    """Before the first turn: who still chooses a patron, or still rolls the first die, in order.

    After the last turn: who may still exchange before the final scoring [F11].
    """
    offers: tuple[PatronId, ...]
    """§9 The patrons the next to choose may take."""
    steps: tuple[Step, ...]
    """What is still to happen in this turn; none while the action is still to be chosen."""
    choices: tuple[Choice, ...]
    """§11.3 Open choices; the first one must be answered next."""
    voyage: VoyageView | None
    """§5 Present until the turn of the sail is over."""
    delivering: CustomerId | None
    """§6.3 Present until the turn of the delivery is over."""
    shores: tuple[ShoreView, ...]
    river: tuple[RiverView, ...]
    regions: tuple[RegionView, ...]
    merchants: tuple[Seat, ...]
    """§10.3 Whose marker lies on the merchant space at the river's end: their journeys bring more."""
    row: tuple[RowSlotView, ...]
    """§2.3 From the start slot to the end slot."""
    stacks: tuple[StackView, ...]
    """[A13] Era 1, era 2."""
    discarded_tiles: tuple[BuildingId, ...]
    """§5.4 Tiles discarded from the row by journeys."""
    deck_size: int
    discarded_customers: tuple[CustomerId, ...]
    """[A12] Face up, in the order they came."""
    masteries: tuple[MasteryView, ...]
    seats: tuple[SeatView, ...]
    emperor_due: bool
    """§8.2 Whether the Emperor visits at the end of this turn."""
    emperor_visited: bool
    """§8.2 Whether the Emperor has visited."""
    end_due: bool
    """§8.3 Whether the end is triggered at the end of this turn."""
    last_turns: tuple[Seat, ...]
    """§8.3 Who still has a last turn to begin, in order; empty before the end trigger, too."""
    end_triggered: bool
    """§8.3 The last turns are being played."""
    pending: tuple[Pending, ...]
    """Who has to decide, and which paragraph asks."""
    outcome: Outcome | None
    """§8.5 With every line of the scores."""


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
