"""What lies at the places of the layout, as far as a view shows it. It reads views only, so it can give nothing away."""

from __future__ import annotations

from collections.abc import Iterator

from engine.interface import Piece, on_mat

from example_game.box import Bowl, Pebbles
from example_game.layout import DIE, FAVOUR, GONE, HAND, POINTS, in_secret
from example_game.state import Stage
from example_game.view import NOT_ROLLED, GameView, SeatView

_PEBBLE = "pebble"


def pieces(view: GameView) -> tuple[Piece, ...]:
    """Return every piece. Its id stays the same as long as it is the same piece."""
    return (*_die(view), *(piece for player in view.seats for piece in _of_seat(view, player)))


def _die(view: GameView) -> Iterator[Piece]:
    if view.pips != NOT_ROLLED:
        yield Piece(id="the_die", component=f"pips_{view.pips}", place=DIE, kind="die")


def _of_seat(view: GameView, player: SeatView) -> Iterator[Piece]:
    seat = player.seat
    secret = player.pebbles if view.chosen is None and view.stage is not Stage.ENDED else None
    secret = secret or Pebbles()
    yield from _pebbles(player, on_mat(HAND, seat), player.hand - secret.total)
    for bowl in Bowl:
        yield from _pebbles(player, on_mat(in_secret(bowl), seat), secret.of(bowl))
        yield from _pebbles(player, bowl, player.bowls.of(bowl))
    yield from _pebbles(player, GONE, player.gone)
    yield Piece(
        id=f"favour:{seat}",
        component="" if player.favour is None else player.favour,
        place=on_mat(FAVOUR, seat),
        seat=seat,
        kind="card",
    )
    if player.points:
        yield Piece(
            id=f"points:{seat}",
            component="point",
            place=on_mat(POINTS, seat),
            seat=seat,
            count=player.points,
            kind="point",
        )


def _pebbles(player: SeatView, place: str, count: int) -> Iterator[Piece]:
    """Yield a seat's pebbles at a place as one piece with a count, if there are any."""
    if count:
        yield Piece(
            id=f"pebbles:{player.seat}:{place}",
            component=_PEBBLE,
            place=place,
            seat=player.seat,
            count=count,
            kind=_PEBBLE,
        )
