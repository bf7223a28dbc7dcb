"""What every seat has before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.al_rashid.box.components import COLOURS, GOODS, bag_of, tiles_of
from engine.al_rashid.layout.ids import (
    COLOUR_OF,
    DISHONOR,
    HAND,
    HELD,
    INFLUENCE,
    MARKERS,
    MERCENARY,
    NOTE,
    OWN_GOODS,
    OWN_OFFICES,
    RESERVE,
    TILE_KINDS,
    family_piece,
    hand_piece,
    own_office_piece,
    own_piece,
)
from engine.al_rashid.view import AlRashidView
from engine.al_rashid.view_parts import SeatView
from engine.kernel.layout import Piece, on_mat


def family_pieces(view: AlRashidView) -> Iterator[Piece]:
    """Yield what lies on the mats of all seats."""
    for player in view.seats:
        yield from _pawns(player)
        yield from _hand(player)
        yield from _belongings(player)
        yield from _offices(player, len(view.seats))


def _pawns(player: SeatView) -> Iterator[Piece]:
    """Yield the pieces in the reserve and those that are held back."""
    family = player.family
    for where, there in ((RESERVE, player.reserve), (HELD, player.held)):
        for name, count, owned in (
            ("pasha", there.pashas, family.pashas),
            ("merchant", there.merchants, family.merchants),
            ("sage", there.sages, family.sages),
        ):
            if count:
                yield Piece(
                    id=family_piece(name, player.seat, owned, where),
                    component=name,
                    place=on_mat(where, player.seat),
                    seat=player.seat,
                    count=count,
                    kind=name,
                )


def _hand(player: SeatView) -> Iterator[Piece]:
    """Yield the tiles by value, or by colour for those who may not see the values (§13.2)."""
    hand = player.hand
    if hand.tiles is None:
        counts = zip(COLOURS, (hand.red, hand.blue), strict=True)
        there = [(MERCENARY[colour], MERCENARY[colour], count) for colour, count in counts]
    else:
        tiles = zip(TILE_KINDS, tiles_of(hand.tiles), strict=True)
        there = [(tile, MERCENARY[COLOUR_OF[tile]], count) for tile, count in tiles]
    for component, kind, count in there:
        if count:
            yield Piece(
                id=hand_piece(component, player.seat),
                component=component,
                place=on_mat(HAND, player.seat),
                count=count,
                kind=kind,
            )


def _belongings(player: SeatView) -> Iterator[Piece]:
    """Yield goods, credit notes, influence and dishonor."""
    goods = zip(map(str, GOODS), bag_of(player.goods), strict=True)
    for name, place, kind, count in (
        *((good, OWN_GOODS, "good", count) for good, count in goods),
        (NOTE, OWN_GOODS, NOTE, player.notes),
        (INFLUENCE, MARKERS, INFLUENCE, player.influence),
        (DISHONOR, MARKERS, DISHONOR, player.dishonor),
    ):
        if count:
            yield Piece(
                id=own_piece(name, player.seat),
                component=name,
                place=on_mat(place, player.seat),
                count=count,
                kind=kind,
            )


def _offices(player: SeatView, seats: int) -> Iterator[Piece]:
    """Yield the offices; one that was used lies face down until the upkeep, which its kind shows."""
    copies: Counter[str] = Counter()
    for held in player.offices:
        copies[held.office] += 1
        yield Piece(
            id=own_office_piece(held.office, seats, player.seat, copies[held.office]),
            component=held.office,
            place=on_mat(OWN_OFFICES, player.seat),
            kind="used_office_tile" if held.used else "office_tile",
        )
