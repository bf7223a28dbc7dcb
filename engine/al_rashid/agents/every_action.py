"""Every action of Al-Rashid that has a single index in the numbering. The order is never changed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Final

from engine.al_rashid.actions import (
    AlRashidAction,
    ChooseFavors,
    ChooseStack,
    ConvertSage,
    DeclareAudience,
    DeclareVisit,
    Decline,
    EndTurn,
    Flee,
    GiveGood,
    HoldBack,
    MovePiece,
    NameColours,
    Peek,
    PlacePiece,
    RemoveMercenary,
    ResolveArea,
    SwapGood,
    TakeAll,
    TakeGoods,
    TakeItems,
    TakeSpoil,
    UseImporter,
    UseNegotiator,
    UseRecruiter,
    UseSmuggler,
    UseTrader,
)
from engine.al_rashid.box.areas import (
    AL_RASHID,
    AREAS,
    GUILDS,
    PALACES,
    SETUP_CRISES,
    SPIES,
    TERRITORIES,
    TURN_CRISES,
)
from engine.al_rashid.box.components import (
    COLOURS,
    COMMON,
    COPIED_FAVORS,
    GOODS,
    NO_GOODS,
    ONE_GOOD,
    PIECES,
    TILE_VALUES,
    TRADE_LIMITS,
    TURNS,
    AreaId,
    Bag,
    Piece,
    goods_of,
    plus,
)
from engine.al_rashid.box.offices import IMPORTED, OFFICES_OF

_MAX_AT_ONCE: Final = max(len(tile.placements) for tile in (*SETUP_CRISES, *TURN_CRISES))
MAX_TILES: Final = _MAX_AT_ONCE * TURNS
"""§2.8, §11.3 The most mercenaries that can be laid on territories: at the setup, and after every turn except the last."""
_MAX_DRAWN: Final = 4
"""[R14] The most mercenaries a seat names colours for at once: those of the Agha."""


def every_action() -> Iterator[AlRashidAction]:
    """§13.5"""
    yield from _placing()
    yield from _own_turn()
    yield from _visits()
    yield from _favors()
    yield from _fights()


def _placing() -> Iterator[AlRashidAction]:
    """§2.9, §4, §5.1, §7.6"""
    yield Decline()
    yield from (ChooseStack(colour=colour) for colour in COLOURS)
    yield from (HoldBack(piece=piece) for piece in PIECES if piece is not Piece.SAGE)
    yield from (PlacePiece(piece=piece, area=area) for piece, area in product(PIECES, AREAS))
    for piece in PIECES:
        for way in (*permutations(PALACES, 2), *permutations(TERRITORIES, 2)):
            yield MovePiece(piece=piece, from_area=way[0], to_area=way[1])
    yield from (Peek(territory=territory) for territory in TERRITORIES)


def _own_turn() -> Iterator[AlRashidAction]:
    """§5.3, §10.2"""
    yield from (UseSmuggler(give=give, take=take) for give, take in permutations(GOODS, 2))
    yield from (UseTrader(give=give) for give in COMMON)
    yield from (UseImporter(office=office) for office in IMPORTED)
    yield from (UseRecruiter(colour=colour) for colour in COLOURS)
    yield from (UseNegotiator(territory=territory) for territory in TERRITORIES)
    for tile, value in product(range(MAX_TILES), TILE_VALUES):
        yield RemoveMercenary(tile=tile, own_value=value)
    yield from (ResolveArea(area=area) for area in AREAS)
    yield EndTurn()


def _visits() -> Iterator[AlRashidAction]:
    """§7.2, §8.2 A visit is the same action in every palace that allows it."""
    for favor in (None, *(guild.head for guild in GUILDS.values() if guild is not GUILDS[SPIES])):
        yield from (DeclareVisit(service=service, favor=favor) for service in (False, True))
    for palace in GUILDS:
        favors = COPIED_FAVORS if palace == SPIES else (GUILDS[palace].head,)
        for office, note in product(OFFICES_OF[palace], (False, True)):
            yield from (DeclareVisit(service=service, office=office, note=note) for service in (False, True))
            yield from (DeclareVisit(office=office, note=note, favor=favor) for favor in favors)
    yield from (DeclareAudience(benevolence=good) for good in GOODS)
    for office, note, good in product(OFFICES_OF[AreaId(AL_RASHID)], (False, True), (None, *GOODS)):
        yield DeclareAudience(office=office, note=note, benevolence=good)


def _favors() -> Iterator[AlRashidAction]:
    """§7.7, §10.2"""
    yield from (ChooseFavors(first=first, second=second) for first, second in permutations(COPIED_FAVORS, 2))
    yield from (GiveGood(give=good, colour=colour) for good, colour in product(GOODS, COLOURS))
    yield from (SwapGood(give=give, take=take) for give, take in permutations(GOODS, 2))
    for red, blue in product(range(_MAX_DRAWN + 1), repeat=len(COLOURS)):
        if 0 < red + blue <= _MAX_DRAWN:
            yield NameColours(red=red, blue=blue)
    for number, one in enumerate(GOODS):
        yield from (TakeGoods(goods=goods_of(plus(ONE_GOOD[one], ONE_GOOD[two]))) for two in GOODS[number:])
    yield from (ConvertSage(area=area) for area in (None, *AREAS))


def _fights() -> Iterator[AlRashidAction]:
    """§9"""
    yield Flee()
    yield from (TakeSpoil(good=good) for good in GOODS)
    yield from (TakeAll(good=good) for good in GOODS)
    most = TRADE_LIMITS[0]
    bags: list[Bag] = [NO_GOODS[:0]]
    for _ in GOODS:
        bags = [(*bag, count) for bag in bags for count in range(most - sum(bag) + 1)]
    for bag, note in product(bags, (False, True)):
        if sum(bag) + note <= most:
            yield TakeItems(goods=goods_of(bag), note=note)
