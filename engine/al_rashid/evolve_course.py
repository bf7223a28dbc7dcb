"""Applies the events of the course of a match to the state: setup, placement, rounds, upkeep, the end."""

from __future__ import annotations

from msgspec.structs import replace

from engine.al_rashid.box.areas import AREAS, TERRITORIES, TERRITORY_INDEX
from engine.al_rashid.box.components import NO_GOODS, NO_TILES, bag_of, plus, tiles_of
from engine.al_rashid.box.offices import OFFICE_INDEX, OFFICES
from engine.al_rashid.changes import (
    ONE_PIECE,
    ONE_PIECE_LESS,
    added,
    with_item,
    with_pieces,
    with_player,
    without,
    without_seat,
)
from engine.al_rashid.event_parts import MoveMeans
from engine.al_rashid.events import (
    HoldingDeclined,
    ManoeuvresEnded,
    MatchEnded,
    MatchStarted,
    OfficesRefreshed,
    OwnTurnEnded,
    OwnTurnStarted,
    PieceHeld,
    PieceMoved,
    PiecePlaced,
    ResolutionStarted,
    RoundStarted,
    SeatLeft,
    TerritoriesRefilled,
    TurnStarted,
)
from engine.al_rashid.evolve_areas import scene_of
from engine.al_rashid.state import HeldOffice, Player, Scene, Stage, State
from engine.kernel.rules_versions import kept
from engine.kernel.seats import Seat


def match_started(event: MatchStarted) -> State:
    market = [0] * len(OFFICES)
    for stock in event.offices:
        market[OFFICE_INDEX[stock.office]] = stock.copies
    stocks: list[tuple[int, ...]] = [(0,) * (len(NO_GOODS) + 1)] * len(TERRITORIES)
    for lying in event.territories:
        stocks[TERRITORY_INDEX[lying.territory]] = (*bag_of(lying.goods), lying.notes)
    return State(
        clock=1,
        turn=0,
        round=0,
        stage=Stage.SETUP,
        order=event.order,
        next_order=None,
        queue=event.order,
        placing_held=False,
        cursor=-1,
        manoeuvres=(),
        turn_of=None,
        activated=False,
        area_named=False,
        negotiating=None,
        scene=None,
        visit=None,
        players=tuple(
            Player(
                goods=bag_of(seat.goods),
                notes=0,
                influence=0,
                dishonor=0,
                hand=NO_TILES,
                offices=(),
                reserve=(seat.pashas, seat.merchants, seat.sages),
                held=(0, 0, 0),
            )
            for seat in event.seats
        ),
        areas=((),) * len(AREAS),
        stocks=tuple(stocks),
        tiles=((),) * len(TERRITORIES),
        next_tile=0,
        market=tuple(market),
        stacks=tiles_of(event.stacks),
        discards=NO_TILES,
        crises=(),
        resolved=(),
        left=(),
        rules=kept(event.rules_version),
    )


def turn_started(state: State, event: TurnStarted) -> State:
    return replace(
        state,
        clock=state.clock + 1,
        turn=event.turn,
        round=0,
        stage=Stage.PLACEMENT,
        order=event.order,
        next_order=None,
        queue=event.diplomats,
        placing_held=False,
        cursor=-1,
        resolved=(),
    )


def piece_held(state: State, event: PieceHeld) -> State:
    player = state.players[event.seat]
    held = replace(
        player,
        reserve=added(player.reserve, ONE_PIECE_LESS[event.piece]),
        held=added(player.held, ONE_PIECE[event.piece]),
    )
    players = with_player(state, event.seat, held)
    return replace(state, clock=state.clock + 1, players=players, queue=state.queue[1:])


def holding_declined(state: State, event: HoldingDeclined) -> State:
    if state.queue[0] != event.seat:
        raise ValueError("another seat is asked to hold a piece back")
    return replace(state, clock=state.clock + 1, queue=state.queue[1:])


def piece_placed(state: State, event: PiecePlaced) -> State:
    player = state.players[event.seat]
    if event.held:
        player = replace(player, held=added(player.held, ONE_PIECE_LESS[event.piece]))
    else:
        player = replace(player, reserve=added(player.reserve, ONE_PIECE_LESS[event.piece]))
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, event.seat, player),
        areas=with_pieces(state.areas, event.area, event.seat, ONE_PIECE[event.piece]),
        placing_held=event.held,
        cursor=state.order.index(event.seat),
    )


def resolution_started(state: State, event: ResolutionStarted) -> State:
    return replace(state, clock=state.clock + 1, stage=Stage.MANOEUVRES, manoeuvres=event.manoeuvres)


def piece_moved(state: State, event: PieceMoved) -> State:
    areas = with_pieces(state.areas, event.from_area, event.seat, ONE_PIECE_LESS[event.piece])
    areas = with_pieces(areas, event.to_area, event.seat, ONE_PIECE[event.piece])
    if event.by is MoveMeans.SPY_MOVES:
        scene = scene_of(state)
        return replace(state, clock=state.clock + 1, areas=areas, scene=replace(scene, spies=scene.spies[1:]))
    now = state.manoeuvres[0]
    if event.by is MoveMeans.PLOTTER:
        now = replace(now, plotters=now.plotters - 1)
    else:
        now = replace(now, informers=now.informers - 1)
    rest = (now,) if now.plotters or now.informers else ()
    return replace(state, clock=state.clock + 1, areas=areas, manoeuvres=(*rest, *state.manoeuvres[1:]))


def manoeuvres_ended(state: State, event: ManoeuvresEnded) -> State:
    rest = tuple(each for each in state.manoeuvres if each.seat != event.seat)
    return replace(state, clock=state.clock + 1, manoeuvres=rest)


def round_started(state: State, event: RoundStarted) -> State:
    return replace(
        state,
        clock=state.clock + 1,
        stage=Stage.ROUNDS,
        round=event.round,
        order=event.order,
        next_order=None,
        queue=event.order,
    )


def own_turn_started(state: State, event: OwnTurnStarted) -> State:
    queue = state.queue[state.queue.index(event.seat) + 1 :]
    return replace(
        state,
        clock=state.clock + 1,
        queue=queue,
        turn_of=event.seat,
        activated=False,
        area_named=False,
    )


def own_turn_ended(state: State, event: OwnTurnEnded) -> State:
    if state.turn_of != event.seat:
        raise ValueError("it is another seat's own turn")
    return replace(state, clock=state.clock + 1, turn_of=None)


def territories_refilled(state: State, event: TerritoriesRefilled) -> State:
    stocks = list(state.stocks)
    for lying in event.territories:
        stocks[TERRITORY_INDEX[lying.territory]] = (*bag_of(lying.goods), lying.notes)
    return replace(state, clock=state.clock + 1, stocks=tuple(stocks))


def offices_refreshed(state: State, event: OfficesRefreshed) -> State:  # noqa: ARG001 - it says nothing more
    players = tuple(
        replace(player, offices=tuple([HeldOffice(office=held.office) for held in player.offices]))
        for player in state.players
    )
    return replace(state, clock=state.clock + 1, players=players)


def seat_left(state: State, event: SeatLeft) -> State:
    """The clock does not advance, so open decisions of other seats keep their ids."""
    seat = event.seat
    player = replace(
        state.players[seat], goods=NO_GOODS, notes=0, hand=NO_TILES, reserve=(0, 0, 0), held=(0, 0, 0)
    )
    ours = state.turn_of == seat
    visiting = state.visit is not None and state.visit.seat == seat
    return replace(
        state,
        queue=without(state.queue, seat),
        manoeuvres=tuple(each for each in state.manoeuvres if each.seat != seat),
        negotiating=None if ours else state.negotiating,
        scene=None if state.scene is None else _scene_without(state.scene, seat),
        visit=None if visiting else state.visit,
        players=with_item(state.players, seat, player),
        areas=without_seat(state.areas, seat),
        discards=plus(state.discards, tiles_of(event.tiles)),
        left=(*state.left, seat),
    )


def _scene_without(scene: Scene, seat: Seat) -> Scene:
    return replace(
        scene,
        queue=without(scene.queue, seat),
        spies=without(scene.spies, seat),
        takers=without(scene.takers, seat),
        spoils=0 if scene.winner == seat else scene.spoils,
    )


def match_ended(state: State, event: MatchEnded) -> State:
    return replace(
        state,
        clock=state.clock + 1,
        stage=Stage.ENDED,
        queue=(),
        turn_of=None,
        negotiating=None,
        scene=None,
        visit=None,
        reason=event.reason,
        scores=event.scores,
    )
