"""Where the cards lie: in hands and in the slots of programs, face up as far as the audience can tell which they are (§5, §10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kernel.layout import Piece, on_mat
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import PROGRAM_SLOTS, Card
from engine.river_dragons.layout.mat import HAND, slot_place
from engine.river_dragons.layout.names import card_in_slot, card_kept, card_of
from engine.river_dragons.view import RiverDragonsView, SeatView

_KIND: Final = "card"
_FACE_DOWN: Final = ""


def cards(view: RiverDragonsView) -> Iterator[Piece]:
    """Yield the cards of all seats."""
    known = {program.seat: program.cards for program in view.programs}
    for player in view.seats:
        if player.seat in known:
            yield from _seen(player, known[player.seat])
        else:
            yield from _as_shown(player, revealed(view, player.seat))


def revealed(view: RiverDragonsView, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that a seat has shown in this round, from slot 1 on."""
    return tuple(shown.card for slot in view.revealed for shown in slot.cards if shown.seat == seat)


def _seen(player: SeatView, program: tuple[Card, ...]) -> Iterator[Piece]:
    """Yield the cards of a seat whose program the audience knows."""
    for slot, card in enumerate(program, start=1):
        yield _card(card_of(player.seat, card), card, slot_place(slot), player.seat)
    if not player.left:
        yield from _hand(player, without=program)


def _as_shown(player: SeatView, shown: tuple[Card, ...]) -> Iterator[Piece]:
    """Yield the cards of a seat whose program, once it is submitted, the audience knows only as far as it is revealed.

    Before that everybody knows all cards of the hand; then nobody can tell which of them are in the slots that follow.
    """
    seat = player.seat
    for slot, card in enumerate(shown, start=1):
        yield _card(card_in_slot(seat, slot), card, slot_place(slot), seat)
    if player.left:
        return
    if not player.submitted:
        yield from _hand(player, without=())
        return
    for slot in range(len(shown) + 1, PROGRAM_SLOTS + 1):
        yield _card(card_in_slot(seat, slot), _FACE_DOWN, slot_place(slot), seat)
    if len(shown) == PROGRAM_SLOTS:
        yield from _hand(player, without=shown)
        return
    for number in range(1, len(player.hand) - PROGRAM_SLOTS + 1):
        yield _card(card_kept(seat, number), _FACE_DOWN, HAND, seat)


def _hand(player: SeatView, *, without: tuple[Card, ...]) -> Iterator[Piece]:
    for card in player.hand:
        if card not in without:
            yield _card(card_of(player.seat, card), card, HAND, player.seat)


def _card(name: str, component: str, place: str, seat: Seat) -> Piece:
    return Piece(id=name, component=component, place=on_mat(place, seat), seat=seat, kind=_KIND)
