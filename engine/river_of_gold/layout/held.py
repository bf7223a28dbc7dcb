"""What lies on the mats: what every seat holds, and its cards."""

from __future__ import annotations

from collections.abc import Iterator

from engine.kernel.layout import Piece, on_mat
from engine.river_of_gold.box.components import GOODS
from engine.river_of_gold.layout.places import (
    CLAN,
    DELIVERED,
    FAVOR,
    FAVOR_LIMIT,
    HAND,
    KOKU,
    PATRON,
    ROYAL_SHIP,
    VP,
    die_face,
)
from engine.river_of_gold.view import RiverOfGoldView
from engine.river_of_gold.view_parts import SeatView


def held(view: RiverOfGoldView) -> Iterator[Piece]:
    """Return what lies on the mats of all seats."""
    for seat in view.seats:
        yield from _clan(seat)
        yield from _tokens(seat)
        yield from _customers(seat)


def _clan(player: SeatView) -> Iterator[Piece]:
    """Return clan and patron if they are known yet, the die if it was rolled, and the royal ship until it sails."""
    seat = player.seat
    if player.clan is not None:
        place = on_mat(CLAN, seat)
        yield Piece(id=player.clan, component=player.clan, place=place, seat=seat, kind="clan")
    if player.patron is not None:
        place = on_mat(PATRON, seat)
        yield Piece(id=player.patron, component=player.patron, place=place, seat=seat, kind="patron")
    if player.die is not None:
        place = on_mat(die_face(player.die), seat)
        yield Piece(id=on_mat("own_die", seat), component="die", place=place, seat=seat, kind="die")
    if player.royal_ship is None:
        place = on_mat(ROYAL_SHIP, seat)
        yield Piece(
            id=on_mat("ship_royal", seat), component="royal_ship", place=place, seat=seat, kind="ship"
        )


def _tokens(player: SeatView) -> Iterator[Piece]:
    """§1.3 Return what is counted: one piece of each kind, as many times as the player has it."""
    seat = player.seat
    tokens = (
        (KOKU, "koku", player.koku),
        *((good.value, "good", getattr(player.goods, good)) for good in GOODS),
        (FAVOR, "favor", player.favor),
        (FAVOR_LIMIT, "favor_limit", player.favor_limit),
        (VP, "vp", player.vp),
    )
    for name, kind, count in tokens:
        if count:
            piece = on_mat(f"{name}_held", seat)
            yield Piece(id=piece, component=name, place=on_mat(name, seat), seat=seat, count=count, kind=kind)


def _customers(player: SeatView) -> Iterator[Piece]:
    """§6.3, §11 Return the cards of the hand, face down for everybody who may not know them, and the delivered ones."""
    seat = player.seat
    hand = on_mat(HAND, seat)
    for card in player.hand:
        yield Piece(id=card, component=card, place=hand, seat=seat, kind="customer")
    if player.hand_size > len(player.hand):
        cards = on_mat("cards", seat)
        yield Piece(id=cards, component="", place=hand, seat=seat, count=player.hand_size, kind="customer")
    for delivered in player.delivered:
        card, place = delivered.customer, on_mat(DELIVERED, seat)
        yield Piece(id=card, component=card, place=place, seat=seat, kind="customer")
