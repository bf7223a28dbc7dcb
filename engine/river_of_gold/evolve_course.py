"""Apply the events of the course of a match to states: setup, steps, choices, the row, the end of turns, leaving, the end."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.kernel.rules_versions import kept
from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import RIVERS, SHORE_INDEX, SHORES
from engine.river_of_gold.box.buildings import tiles_of
from engine.river_of_gold.box.components import BuildingSet, PatronMode, bag_of
from engine.river_of_gold.box.ids import BuildingId, CustomerId
from engine.river_of_gold.changes import after_step, with_item, with_vp, without
from engine.river_of_gold.event_parts import Stack, Step, VpSource
from engine.river_of_gold.events import (
    ChoiceLapsed,
    ChoiceOpened,
    CustomerDiscarded,
    CustomerDrawn,
    DeckReshuffled,
    DieRolled,
    DieSet,
    EmperorVisited,
    EndTriggered,
    LastExchangesClosed,
    LastExchangesOpened,
    MatchEnded,
    MatchStarted,
    PatronChosen,
    RowRefilled,
    SeatLeft,
    SeatSetUp,
    StepStarted,
    TileDiscarded,
    TurnClosed,
    TurnStarted,
)
from engine.river_of_gold.state import MasteryCard, Player, Site, Stage, State

_SURVIVING: Final = frozenset(
    {
        Step.OWNER_REWARDS,
        Step.END_TILE,
        Step.REFILL,
        Step.CLOSING,
        Step.EMPEROR,
        Step.TRIGGER,
        Step.NEXT_TURN,
    }
)
"""[F8] The steps that still happen when the player whose turn it is leaves: what the move does on the board and for others."""

_TURNS: Final = Stage.TURNS
_FIRST_DICE: Final = Stage.FIRST_DICE
_REFILL: Final = Step.REFILL
_CLOSING: Final = Step.CLOSING
_ROLL: Final = Step.ROLL
_NEXT_AFTER_ROLL: Final = (Step.ROLL, Step.NEXT_TURN)
_ERA_1: Final = BuildingSet.ERA_1
"""Python 3.11 looks up the member of an enum slowly, so those of every turn have names of their own."""


def match_started(event: MatchStarted) -> State:
    sites: list[Site | None] = [None] * len(SHORES)
    for placed in event.buildings:
        sites[SHORE_INDEX[placed.shore]] = Site(placed.building)
    with_patrons = event.patrons is not PatronMode.NONE
    chooses = event.order[::-1] if event.patrons is PatronMode.DRAFT else event.order
    clans = event.clans or (None,) * len(event.order)
    return State(
        clock=1,
        stage=Stage.PATRONS,
        patrons=event.patrons,
        order=event.order,
        queue=chooses if with_patrons else (),
        offers=event.offers,
        turn=0,
        active=None,
        steps=(),
        choices=(),
        voyage=None,
        delivering=None,
        players=tuple(Player(clan=clan) for clan in clans),
        sites=tuple(sites),
        row=event.row,
        era_1=event.era_1,
        era_2=event.era_2,
        unseen_1=_unseen(BuildingSet.ERA_1, {*event.row, event.era_1.top}),
        unseen_2=_unseen(BuildingSet.ERA_2, {event.era_2.top}),
        discarded=(),
        deck=tuple(CustomerId),
        discards=(),
        region_tiles=event.region_tiles,
        masteries=tuple(MasteryCard(mastery) for mastery in event.masteries),
        emperor_due=False,
        end_due=False,
        last_turns=None,
        left=(),
        rules=kept(event.rules_version),
    )


def _unseen(era: BuildingSet, seen: set[BuildingId | None]) -> tuple[BuildingId, ...]:
    return tuple(tile for tile in tiles_of(era) if tile not in seen)


def patron_chosen(state: State, event: PatronChosen) -> State:
    if state.queue[0] != event.seat:
        raise ValueError("another seat is asked for its patron")
    player = replace(state.players[event.seat], patron=event.patron, clan=event.clan)
    return replace(
        state,
        clock=state.clock + 1,
        queue=state.queue[1:],
        offers=tuple(patron for patron in state.offers if patron is not event.patron),
        players=with_item(state.players, event.seat, player),
    )


def seat_set_up(state: State, event: SeatSetUp) -> State:
    player = replace(
        state.players[event.seat],
        clan=event.clan,
        patron=event.patron,
        koku=event.koku,
        goods=bag_of(event.goods),
        favor=event.favor,
        limit=event.favor_limit,
        ships=(RIVERS.index(event.upstream), RIVERS.index(event.midstream)),
    )
    return replace(
        state,
        clock=state.clock + 1,
        stage=Stage.FIRST_DICE,
        queue=(*state.queue, event.seat),
        players=with_item(state.players, event.seat, player),
    )


def customer_drawn(state: State, event: CustomerDrawn) -> State:
    if event.customer is None:
        raise ValueError("a redacted card cannot be folded")
    player = state.players[event.seat]
    return replace(
        state,
        clock=state.clock + 1,
        deck=without(state.deck, event.customer),
        players=with_item(state.players, event.seat, replace(player, hand=(*player.hand, event.customer))),
    )


def deck_reshuffled(state: State, event: DeckReshuffled) -> State:
    deck = tuple(sorted((*state.deck, *event.customers)))
    return replace(state, clock=state.clock + 1, deck=deck, discards=())


def customer_discarded(state: State, event: CustomerDiscarded) -> State:
    player = state.players[event.seat]
    player = replace(player, hand=without(player.hand, event.customer))
    return replace(
        state,
        clock=state.clock + 1,
        players=with_item(state.players, event.seat, player),
        discards=(*state.discards, event.customer),
        choices=state.choices[1:],
    )


def die_rolled(state: State, event: DieRolled) -> State:
    return _with_die(state, event.seat, event.face, 0)


def die_set(state: State, event: DieSet) -> State:
    return _with_die(state, event.seat, event.face, event.favor)


def _with_die(state: State, seat: Seat, face: int, favor: int) -> State:
    player = state.players[seat]
    players = with_item(state.players, seat, replace(player, die=face, favor=player.favor - favor))
    if state.stage is _FIRST_DICE:
        return replace(state, clock=state.clock + 1, players=players, queue=state.queue[1:])
    return replace(state, clock=state.clock + 1, players=players, steps=after_step(state, _ROLL))


def turn_started(state: State, event: TurnStarted) -> State:
    last = state.last_turns
    return replace(
        state,
        clock=state.clock + 1,
        stage=_TURNS,
        turn=event.turn,
        active=event.seat,
        steps=(),
        voyage=None,
        delivering=None,
        last_turns=None if last is None else without(last, event.seat),
    )


def step_started(state: State, event: StepStarted) -> State:
    return replace(state, clock=state.clock + 1, steps=after_step(state, event.step))


def choice_opened(state: State, event: ChoiceOpened) -> State:
    return replace(state, clock=state.clock + 1, choices=(*state.choices, event.choice))


def choice_lapsed(state: State, event: ChoiceLapsed) -> State:
    if not state.choices or state.choices[0].seat != event.seat:
        raise ValueError("another choice is open")
    return replace(state, clock=state.clock + 1, choices=state.choices[1:])


def tile_discarded(state: State, event: TileDiscarded) -> State:
    return replace(
        state,
        clock=state.clock + 1,
        steps=after_step(state, Step.END_TILE),
        row=with_item(state.row, event.slot - 1, None),
        discarded=(*state.discarded, event.building),
    )


def row_refilled(state: State, event: RowRefilled) -> State:
    """§4.5 Tiles slide towards the end slot; the tile below the top of the stack becomes visible."""
    entered = [] if event.building is None else [event.building]
    tiles = tuple(entered + [tile for tile in state.row if tile is not None])
    state = replace(
        state,
        clock=state.clock + 1,
        steps=after_step(state, _REFILL),
        row=(None,) * (len(state.row) - len(tiles)) + tiles,
    )
    if event.stack is None:
        return state
    if event.era is _ERA_1:
        unseen = _without_top(state.unseen_1, event.stack)
        return replace(state, era_1=event.stack, unseen_1=unseen, emperor_due=event.emptied)
    unseen = _without_top(state.unseen_2, event.stack)
    return replace(state, era_2=event.stack, unseen_2=unseen, end_due=event.emptied)


def _without_top(unseen: tuple[BuildingId, ...], stack: Stack) -> tuple[BuildingId, ...]:
    return unseen if stack.top is None else without(unseen, stack.top)


def turn_closed(state: State, event: TurnClosed) -> State:
    """§3.4 [A8] Emperor's visit, end trigger, roll; a player who has no further turn does not roll."""
    steps = after_step(state, _CLOSING)
    if state.emperor_due:
        steps += (Step.EMPEROR,)
    if state.end_due:
        steps += (Step.TRIGGER, Step.NEXT_TURN)
    elif state.last_turns is None and event.seat not in state.left:
        steps += _NEXT_AFTER_ROLL
    else:
        steps += (Step.NEXT_TURN,)
    return replace(state, clock=state.clock + 1, steps=steps)


def emperor_visited(state: State, event: EmperorVisited) -> State:  # noqa: ARG001 - it says nothing more
    return replace(state, clock=state.clock + 1, steps=after_step(state, Step.EMPEROR), emperor_due=False)


def end_triggered(state: State, event: EndTriggered) -> State:
    player = state.players[event.seat]
    player = replace(player, tally=with_vp(player.tally, event.vp, VpSource.END_TRIGGER))
    return replace(
        state,
        clock=state.clock + 1,
        steps=after_step(state, Step.TRIGGER),
        end_due=False,
        last_turns=event.last_turns,
        players=with_item(state.players, event.seat, player),
    )


def last_exchanges_opened(state: State, event: LastExchangesOpened) -> State:
    """[F11] From now on it is nobody's turn."""
    return replace(
        state,
        clock=state.clock + 1,
        stage=Stage.LAST_EXCHANGES,
        queue=event.seats,
        active=None,
        steps=(),
        voyage=None,
        delivering=None,
    )


def last_exchanges_closed(state: State, event: LastExchangesClosed) -> State:
    if not state.queue or state.queue[0] != event.seat:
        raise ValueError("another seat is asked for its last exchanges")
    return replace(state, clock=state.clock + 1, queue=state.queue[1:])


def seat_left(state: State, event: SeatLeft) -> State:
    """[F8] The clock does not advance, so the open decisions of other seats keep their ids."""
    seat = event.seat
    player = state.players[seat]
    gone = Player(clan=player.clan, patron=player.patron, tally=player.tally, delivered=player.delivered)
    ours = state.active == seat
    voyage = state.voyage
    return replace(
        state,
        queue=tuple(each for each in state.queue if each != seat),
        steps=_steps_without_player(state) if ours else state.steps,
        choices=tuple(choice for choice in state.choices if choice.seat != seat),
        voyage=replace(voyage, bonuses=()) if ours and voyage is not None else voyage,
        players=with_item(state.players, seat, gone),
        sites=tuple(None if site is None else _without_markers(site, seat) for site in state.sites),
        discards=(*state.discards, *event.customers),
        last_turns=None
        if state.last_turns is None
        else tuple(each for each in state.last_turns if each != seat),
        left=(*state.left, seat),
    )


def _steps_without_player(state: State) -> tuple[Step, ...]:
    """[F8] Return the steps that still happen; a player who leaves before choosing an action takes none."""
    return tuple(step for step in state.steps if step in _SURVIVING) or (Step.CLOSING,)


def _without_markers(site: Site, seat: Seat) -> Site:
    if seat not in site.markers:
        return site
    return Site(site.building, tuple(each for each in site.markers if each != seat))


def match_ended(state: State, event: MatchEnded) -> State:
    return replace(
        state,
        clock=state.clock + 1,
        stage=Stage.ENDED,
        queue=(),
        active=None,
        steps=(),
        choices=(),
        voyage=None,
        delivering=None,
        reason=event.reason,
        scores=event.scores,
    )
