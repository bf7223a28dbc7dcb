"""§9.2 to §9.5 The battle: flee or fight, from the foremost player on, and the Raider's spoils.

§9 Territories. On a territory the players first deal with the mercenaries that lie there, and then trade.

§9.2 Flee or fight. If mercenaries lie there, the player of the highest rank who is still present decides. Whoever
flees takes 2 dishonor and the pieces back. Whoever fights discards one or more own tiles, all of colours that lie
there now; a player without such a tile must flee [R23].

§9.3 Result of a fight. Each colour is compared on its own. If the discarded tiles of a colour add up to more than the
territory's tiles of that colour, all of those are discarded; if not, none of them. A Strategist adds 1 to each own
tile. If no tile is left, the battle is won and everybody still present goes on to the trade; otherwise the fighter
takes the pieces back without dishonor, and the next player decides [R24].

§9.4 Nobody left. If everybody has fled or lost, the territory is done. Its tiles stay there, face up, for the next
turns.

§9.5 Raider. Whoever removes the last tile in a fight wins the battle. A winner with a Raider takes one good from the
supply, of a kind that is printed on the territory: one for each Raider [R25].
"""

from __future__ import annotations

from itertools import product

from engine.al_rashid.actions import AlRashidAction, Fight, Flee, TakeSpoil
from engine.al_rashid.box.areas import STOCKS, TERRITORY_INDEX
from engine.al_rashid.box.components import (
    COLOURS,
    DISHONOR_FLED,
    FIRST_KIND,
    GOOD_INDEX,
    GOODS,
    ONE_GOOD,
    TILE_VALUES,
    Colour,
    Tiles,
    goods_of,
    squad_of,
    tiles_of,
)
from engine.al_rashid.box.offices import RAIDER, STRATEGIST
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import BackReason, PlacedTile
from engine.al_rashid.events import BattleWon, Fought
from engine.al_rashid.owner_events import DishonorTaken, GoodsGained
from engine.al_rashid.rules.opening import take_back
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import Scene, State, TerritoryTile
from engine.al_rashid.templates import LISTED, AlRashidTemplate, FightTemplate
from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.legal import LegalActions
from engine.kernel.seats import Seat


def flee(turn: Turn, seat: Seat) -> None:
    """§9.2 Take two dishonor, and take the pieces back from this territory."""
    area = scene_of(turn.state).area
    turn.record(DishonorTaken(seat=seat, markers=DISHONOR_FLED, source="flee"))
    take_back(turn, seat, area, BackReason.FLED)


def fight(turn: Turn, seat: Seat, action: Fight) -> None:
    """§9.3 Each colour fights separately; the tiles are discarded in every case [R24]."""
    state = turn.state
    spent = tiles_of(action.tiles)
    _check_tiles(state, seat, spent)
    area = scene_of(state).area
    lying = state.tiles[TERRITORY_INDEX[area]]
    bonus = state.offices(seat, STRATEGIST)
    ours = {colour: strength(spent, colour, bonus) for colour in COLOURS}
    beaten = [tile for tile in lying if ours[tile.colour] > _opposing(lying, tile.colour)]
    turn.record(
        Fought(
            seat=seat,
            territory=area,
            spent=action.tiles,
            red_strength=ours[Colour.RED],
            blue_strength=ours[Colour.BLUE],
            beaten=tuple(
                PlacedTile(id=tile.id, territory=area, colour=tile.colour, value=tile.value)
                for tile in beaten
            ),
            remaining=len(lying) - len(beaten),
        )
    )
    if len(beaten) == len(lying):
        turn.record(BattleWon(seat=seat, territory=area, spoils=state.offices(seat, RAIDER)))
    else:
        take_back(turn, seat, area, BackReason.FOUGHT)


def take_spoil(turn: Turn, seat: Seat, action: TakeSpoil) -> None:
    """§9.5 [R25] Take a good of any kind printed on the territory, even if none lies there."""
    area = scene_of(turn.state).area
    if not STOCKS[area][GOOD_INDEX[action.good]]:
        raise RuleViolation(Code.GOOD_NOT_PRINTED, rule="9.5", field="good", good=action.good)
    turn.record(GoodsGained(seat=seat, goods=goods_of(ONE_GOOD[action.good]), source=RAIDER))


def spoils(state: State) -> list[TakeSpoil]:
    """§9.5 List the kinds printed on the territory."""
    printed = STOCKS[scene_of(state).area]
    return [TakeSpoil(good=good) for good, count in zip(GOODS, printed, strict=True) if count]


def strength(tiles: Tiles, colour: Colour, bonus: int) -> int:
    """§9.3 Add the values of one colour; each Strategist adds 1 to every tile [R13]."""
    first = FIRST_KIND[colour]
    counts = tiles[first : first + len(TILE_VALUES)]
    return sum([count * (value + bonus) for value, count in zip(TILE_VALUES, counts, strict=True)])


def usable(state: State, seat: Seat) -> Tiles:
    """§9.2 Return the own tiles of the colours that lie on the territory now."""
    present = colours_there(state)
    hand = state.players[seat].hand
    if len(present) == len(COLOURS):
        return hand
    kinds = len(TILE_VALUES)
    return tuple([count if COLOURS[kind // kinds] in present else 0 for kind, count in enumerate(hand)])


def colours_there(state: State) -> tuple[Colour, ...]:
    """§9.2 Return the colours of the territory's tiles."""
    lying = [tile.colour for tile in state.tiles[TERRITORY_INDEX[scene_of(state).area]]]
    return tuple([colour for colour in COLOURS if colour in lying])


def battle_answers(state: State, seat: Seat) -> LegalActions[AlRashidAction, AlRashidTemplate]:
    """§9.2 List the flight and every squad that can fight; if there are too many squads, describe them by a template instead.

    Without a tile that can be used the player must flee [R23].
    """
    owned = usable(state, seat)
    if _squads(owned) <= LISTED:
        ranges = [range(count + 1) for count in owned]
        squads = [Fight(tiles=squad_of(tiles)) for tiles in product(*ranges) if any(tiles)]
        return LegalActions(actions=(Flee(), *squads))
    template = FightTemplate(
        owned=squad_of(owned),
        colours=colours_there(state),
        bonus=state.offices(seat, STRATEGIST),
        listed=False,
    )
    return LegalActions(actions=(Flee(),), templates=(template,))


def sample_fight(state: State, seat: Seat, chance: Chance) -> Fight | None:
    """Return a random fight, or None to flee, by chance or because the player must."""
    owned = usable(state, seat)
    squads = _squads(owned)
    number = chance.below(squads + 1) if squads else 0
    if not number:
        return None
    tiles = []
    for count in owned:
        number, chosen = divmod(number, count + 1)
        tiles.append(chosen)
    return Fight(tiles=squad_of(tuple(tiles)))


def scene_of(state: State) -> Scene:
    """Return the territory that is being resolved."""
    if state.scene is None:
        raise TypeError("no territory is being resolved")
    return state.scene


def _squads(owned: Tiles) -> int:
    """Count the squads of at least one tile."""
    number = 1
    for count in owned:
        number *= count + 1
    return number - 1


def _opposing(lying: tuple[TerritoryTile, ...], colour: Colour) -> int:
    return sum([tile.value for tile in lying if tile.colour is colour])


def _check_tiles(state: State, seat: Seat, spent: Tiles) -> None:
    """§9.2 Refuse a squad unless it has at least one tile, all of them owned and of colours that lie there."""
    if not any(spent):
        raise RuleViolation(Code.CANNOT_FIGHT, rule="9.2", field="tiles")
    present, hand = colours_there(state), state.players[seat].hand
    kinds = len(TILE_VALUES)
    for kind, count in enumerate(spent):
        colour = COLOURS[kind // kinds]
        if count and colour not in present:
            raise RuleViolation(Code.WRONG_COLOUR, rule="R23", field="tiles", colour=colour)
        if count > hand[kind]:
            value = TILE_VALUES[kind % kinds]
            raise RuleViolation(Code.TILE_NOT_IN_HAND, rule="9.2", field="tiles", colour=colour, value=value)
