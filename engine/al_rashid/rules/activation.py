"""§10.2 Activated offices: Smuggler, Trader, Importers, Recruiter, Negotiator.

§6.8 No trade between players. Players give nothing to each other. Every swap of goods is with the supply, and whoever
gives a good must have it.

§10.1 Three kinds of offices. Seven offices are activated: each once in a turn, and one in each own turn. Fifteen work
continuously while they are owned. Ten work once, when they are acquired; their tiles stay with the owner and still
count at the end.
"""

from __future__ import annotations

from engine.al_rashid.actions import (
    Decline,
    RemoveMercenary,
    UseImporter,
    UseNegotiator,
    UseRecruiter,
    UseSmuggler,
    UseTrader,
)
from engine.al_rashid.box.areas import TERRITORY_INDEX
from engine.al_rashid.box.components import (
    COMMON,
    GOOD_INDEX,
    NO_GOODS,
    ONE_GOOD,
    TILE_VALUES,
    AreaId,
    Good,
    OfficeId,
    goods_of,
    plus,
    tile_kind,
)
from engine.al_rashid.box.offices import IMPORTED, NEGOTIATOR, OFFICE, RECRUITER, SMUGGLER, TRADER
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import PlacedTile
from engine.al_rashid.events import MercenaryRemoved, NegotiationEnded, TerritoryPeeked
from engine.al_rashid.owner_events import GoodsGained, GoodsSwapped, OfficeUsed
from engine.al_rashid.rules.mercenaries import can_draw, draw
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State
from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat


def use_smuggler(turn: Turn, seat: Seat, action: UseSmuggler) -> None:
    """§10.2 One good of any kind for one of another kind."""
    _check_ready(turn.state, seat, SMUGGLER)
    swap_goods(turn, seat, action.give, action.take, SMUGGLER, used=SMUGGLER)


def use_trader(turn: Turn, seat: Seat, action: UseTrader) -> None:
    """§10.2 One common good for one of each other common kind."""
    _check_ready(turn.state, seat, TRADER)
    if action.give not in COMMON:
        raise RuleViolation(Code.NOT_A_COMMON_GOOD, rule="10.2", field="give", good=action.give)
    check_owned(turn.state, seat, action.give)
    taken = NO_GOODS
    for good in COMMON:
        if good is not action.give:
            taken = plus(taken, ONE_GOOD[good])
    turn.record(OfficeUsed(seat=seat, office=TRADER))
    turn.record(
        GoodsSwapped(seat=seat, given=goods_of(ONE_GOOD[action.give]), taken=goods_of(taken), source=TRADER)
    )


def use_importer(turn: Turn, seat: Seat, action: UseImporter) -> None:
    """§10.2 One good of the office's kind."""
    if action.office not in OFFICE:
        raise RuleViolation(Code.OFFICE_UNKNOWN, rule="10", field="office", office=action.office)
    good = IMPORTED.get(action.office)
    if good is None:
        raise RuleViolation(Code.OFFICE_NOT_ACTIVATED, rule="10.2", field="office", office=action.office)
    _check_ready(turn.state, seat, action.office)
    turn.record(OfficeUsed(seat=seat, office=action.office))
    turn.record(GoodsGained(seat=seat, goods=goods_of(ONE_GOOD[good]), source=action.office))


def use_recruiter(turn: Turn, seat: Seat, action: UseRecruiter, chance: Chance) -> None:
    """§10.2 One tile, if there is one to draw [R41]."""
    _check_ready(turn.state, seat, RECRUITER)
    if not can_draw(turn.state, action.colour):
        raise RuleViolation(Code.NOTHING_TO_DRAW, rule="R41", field="colour", colour=action.colour)
    turn.record(OfficeUsed(seat=seat, office=RECRUITER))
    draw(turn, seat, (action.colour,), chance)


def use_negotiator(turn: Turn, seat: Seat, action: UseNegotiator) -> None:
    """§10.2 [R28] Look at any territory with tiles, occupied or not; the tiles are seen before anything is removed."""
    state = turn.state
    _check_ready(state, seat, NEGOTIATOR)
    check_territory(action.territory, "10.2")
    if not state.tiles[TERRITORY_INDEX[action.territory]]:
        raise RuleViolation(Code.NO_TILES_THERE, rule="R41", field="territory", territory=action.territory)
    turn.record(OfficeUsed(seat=seat, office=NEGOTIATOR))
    peek(turn, seat, action.territory, NEGOTIATOR)


def remove_mercenary(turn: Turn, seat: Seat, action: RemoveMercenary) -> None:
    """§10.2 One own tile for one tile of the same colour; values do not matter."""
    state = turn.state
    territory = _negotiated(state)
    found = [tile for tile in state.tiles[TERRITORY_INDEX[territory]] if tile.id == action.tile]
    if not found:
        raise RuleViolation(
            Code.TILE_UNKNOWN, rule="10.2", field="tile", tile=action.tile, territory=territory
        )
    tile = found[0]
    if not state.players[seat].hand[tile_kind(tile.colour, action.own_value)]:
        raise RuleViolation(
            Code.TILE_NOT_IN_HAND,
            rule="10.2",
            field="own_value",
            colour=tile.colour,
            value=action.own_value,
        )
    turn.record(
        MercenaryRemoved(
            seat=seat,
            territory=territory,
            tile=tile.id,
            colour=tile.colour,
            value=tile.value,
            own_value=action.own_value,
        )
    )


def end_negotiation(turn: Turn, seat: Seat) -> None:
    """§10.2 Removing is optional."""
    turn.record(NegotiationEnded(seat=seat, territory=_negotiated(turn.state)))


def removals(state: State, seat: Seat) -> list[RemoveMercenary | Decline]:
    """§10.2 List every tile there with every value of an own tile of its colour."""
    hand = state.players[seat].hand
    tiles = state.tiles[TERRITORY_INDEX[_negotiated(state)]]
    return [
        *(
            RemoveMercenary(tile=tile.id, own_value=value)
            for tile in tiles
            for value in TILE_VALUES
            if hand[tile_kind(tile.colour, value)]
        ),
        Decline(),
    ]


def peek(turn: Turn, seat: Seat, territory: AreaId, source: str) -> None:
    """§7.6, §10.2 Show a player the face-down tiles of a territory."""
    tiles = tuple(
        PlacedTile(id=tile.id, territory=territory, colour=tile.colour, value=tile.value)
        for tile in turn.state.tiles[TERRITORY_INDEX[territory]]
        if not tile.face_up
    )
    turn.record(TerritoryPeeked(seat=seat, territory=territory, source=source, tiles=tiles))


def check_territory(area: AreaId, rule: str) -> None:
    """Refuse a name that is no territory."""
    if area not in TERRITORY_INDEX:
        raise RuleViolation(Code.AREA_UNKNOWN, rule=rule, field="territory", area=area)


def check_owned(state: State, seat: Seat, good: Good) -> None:
    """Refuse to give a good that the player does not have."""
    if not state.players[seat].goods[GOOD_INDEX[good]]:
        raise RuleViolation(Code.GOOD_NOT_OWNED, rule="6.8", field="give", good=good)


def swap_goods(
    turn: Turn, seat: Seat, give: Good, take: Good, source: str, *, used: OfficeId | None = None
) -> None:
    """§7.7, §10.2 Swap a good for one of another kind; `used` is the office that is turned face down for it."""
    check_owned(turn.state, seat, give)
    if give is take:
        raise RuleViolation(Code.SAME_GOOD, rule="10.2", field="take", good=take)
    if used is not None:
        turn.record(OfficeUsed(seat=seat, office=used))
    turn.record(
        GoodsSwapped(seat=seat, given=goods_of(ONE_GOOD[give]), taken=goods_of(ONE_GOOD[take]), source=source)
    )


def _check_ready(state: State, seat: Seat, office: OfficeId) -> None:
    """§5.3 One activation per own turn, of a face-up office."""
    if state.activated:
        raise RuleViolation(Code.ALREADY_ACTIVATED, rule="5.3")
    own = [held for held in state.players[seat].offices if held.office == office]
    if not own:
        raise RuleViolation(Code.OFFICE_NOT_OWNED, rule="5.3", office=office)
    if all(held.used for held in own):
        raise RuleViolation(Code.OFFICE_USED, rule="5.3", office=office)


def _negotiated(state: State) -> AreaId:
    if state.negotiating is None:
        raise TypeError("nothing is being negotiated")
    return state.negotiating
