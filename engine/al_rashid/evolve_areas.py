"""Applies the events of areas to the state: opening and closing them, mercenaries, spy moves, battle and trade."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from engine.al_rashid.box.areas import TERRITORY_INDEX
from engine.al_rashid.box.components import NO_TILES, bag_of, minus, plus, tile_kind, tiles_of
from engine.al_rashid.changes import added, with_item, with_pieces, with_player, with_tiles, without
from engine.al_rashid.event_parts import BackReason
from engine.al_rashid.events import (
    AreaClosed,
    AreaOpened,
    BattleWon,
    CrisisDrawn,
    Fought,
    MercenaryRemoved,
    NegotiationEnded,
    OrderChanged,
    PiecesTakenBack,
    SpyMovesStarted,
    SpyMoveWaived,
    StackRebuilt,
    TerritoryPeeked,
    TilesRevealed,
    Traded,
    TradeStarted,
)
from engine.al_rashid.state import Part, Scene, State, TerritoryTile

_BATTLE: Final = Part.BATTLE
_VISITS: Final = Part.VISITS
_VISITED: Final = BackReason.VISITED


def scene_of(state: State) -> Scene:
    """Return the area that is being resolved."""
    if state.scene is None:
        raise ValueError("no area is being resolved")
    return state.scene


def crisis_drawn(state: State, event: CrisisDrawn) -> State:
    tiles, stacks, next_tile = list(state.tiles), list(state.stacks), state.next_tile
    for placed in event.tiles:
        if placed.value is None:
            raise ValueError("a redacted event is made for an audience and cannot be folded")
        tile = TerritoryTile(id=placed.id, colour=placed.colour, value=placed.value)
        index = TERRITORY_INDEX[placed.territory]
        tiles[index] = (*tiles[index], tile)
        stacks[tile_kind(placed.colour, placed.value)] -= 1
        next_tile = max(next_tile, placed.id + 1)
    return replace(
        state,
        clock=state.clock + 1,
        tiles=tuple(tiles),
        stacks=tuple(stacks),
        next_tile=next_tile,
        crises=(*state.crises, event.crisis),
    )


def stack_rebuilt(state: State, event: StackRebuilt) -> State:
    rebuilt = tiles_of(event.tiles)
    return replace(
        state,
        clock=state.clock + 1,
        stacks=plus(state.stacks, rebuilt),
        discards=minus(state.discards, rebuilt),
    )


def territory_peeked(state: State, event: TerritoryPeeked) -> State:
    lying = state.tiles[TERRITORY_INDEX[event.territory]]
    seen = tuple(
        [
            tile
            if tile.face_up or event.seat in tile.seen_by
            else replace(tile, seen_by=tuple(sorted((*tile.seen_by, event.seat))))
            for tile in lying
        ]
    )
    tiles, scene = with_tiles(state, event.territory, seen), state.scene
    if scene is None:
        return replace(state, clock=state.clock + 1, tiles=tiles, negotiating=event.territory)
    return replace(state, clock=state.clock + 1, tiles=tiles, scene=replace(scene, spies=scene.spies[1:]))


def mercenary_removed(state: State, event: MercenaryRemoved) -> State:
    lying = state.tiles[TERRITORY_INDEX[event.territory]]
    spent = with_item(NO_TILES, tile_kind(event.colour, event.own_value), 1)
    gone = with_item(NO_TILES, tile_kind(event.colour, event.value), 1)
    player = state.players[event.seat]
    return replace(
        state,
        clock=state.clock + 1,
        negotiating=None,
        tiles=with_tiles(state, event.territory, tuple(tile for tile in lying if tile.id != event.tile)),
        players=with_player(state, event.seat, replace(player, hand=minus(player.hand, spent))),
        discards=plus(plus(state.discards, spent), gone),
    )


def negotiation_ended(state: State, event: NegotiationEnded) -> State:
    if state.negotiating != event.territory:
        raise ValueError("nothing is being negotiated there")
    return replace(state, clock=state.clock + 1, negotiating=None)


def area_opened(state: State, event: AreaOpened) -> State:
    part = _BATTLE if event.area in TERRITORY_INDEX else _VISITS
    scene = Scene(area=event.area, ranking=event.ranking, part=part, queue=event.acting)
    return replace(state, clock=state.clock + 1, scene=scene, area_named=True)


def pieces_taken_back(state: State, event: PiecesTakenBack) -> State:
    pieces = (event.pashas, event.merchants, event.sages)
    player = state.players[event.seat]
    player = replace(player, reserve=added(player.reserve, pieces))
    gone = (-event.pashas, -event.merchants, -event.sages)
    scene = scene_of(state)
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, event.seat, player),
        areas=with_pieces(state.areas, event.area, event.seat, gone),
        scene=replace(scene, queue=without(scene.queue, event.seat)),
        visit=None if event.reason is _VISITED else state.visit,
    )


def spy_moves_started(state: State, event: SpyMovesStarted) -> State:
    scene = replace(scene_of(state), part=Part.SPY_MOVES, spies=event.moves)
    return replace(state, clock=state.clock + 1, scene=scene)


def spy_move_waived(state: State, event: SpyMoveWaived) -> State:
    scene = scene_of(state)
    if scene.spies[0] != event.seat:
        raise ValueError("it is another seat's spy move")
    return replace(state, clock=state.clock + 1, scene=replace(scene, spies=scene.spies[1:]))


def order_changed(state: State, event: OrderChanged) -> State:
    return replace(state, clock=state.clock + 1, next_order=event.order)


def tiles_revealed(state: State, event: TilesRevealed) -> State:
    lying = state.tiles[TERRITORY_INDEX[event.territory]]
    shown = tuple([replace(tile, face_up=True, seen_by=()) for tile in lying])
    return replace(state, clock=state.clock + 1, tiles=with_tiles(state, event.territory, shown))


def fought(state: State, event: Fought) -> State:
    spent = tiles_of(event.spent)
    player = state.players[event.seat]
    beaten = {tile.id for tile in event.beaten}
    lying = state.tiles[TERRITORY_INDEX[event.territory]]
    gone = list(NO_TILES)
    for tile in lying:
        if tile.id in beaten:
            gone[tile_kind(tile.colour, tile.value)] += 1
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, event.seat, replace(player, hand=minus(player.hand, spent))),
        tiles=with_tiles(state, event.territory, tuple(tile for tile in lying if tile.id not in beaten)),
        discards=plus(plus(state.discards, spent), tuple(gone)),
    )


def battle_won(state: State, event: BattleWon) -> State:
    scene = replace(scene_of(state), winner=event.seat, spoils=event.spoils)
    return replace(state, clock=state.clock + 1, scene=scene)


def trade_started(state: State, event: TradeStarted) -> State:
    scene = replace(scene_of(state), part=Part.TRADE, queue=event.traders, traders=event.traders)
    return replace(state, clock=state.clock + 1, scene=scene)


def traded(state: State, event: Traded) -> State:
    index = TERRITORY_INDEX[event.territory]
    goods = bag_of(event.goods)
    player = state.players[event.seat]
    player = replace(player, goods=plus(player.goods, goods), notes=player.notes + event.notes)
    return replace(
        state,
        clock=state.clock + 1,
        players=with_player(state, event.seat, player),
        stocks=with_item(state.stocks, index, minus(state.stocks[index], (*goods, event.notes))),
    )


def area_closed(state: State, event: AreaClosed) -> State:
    return replace(state, clock=state.clock + 1, scene=None, resolved=(*state.resolved, event.area))
