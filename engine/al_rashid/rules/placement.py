"""§4 The placement phase: Diplomats hold back, everybody places, held pieces last.

§4 Placement phase. The players put their pieces on the areas, one piece at a time, until all of them are placed.

§4.1 Holding back. At the beginning of the phase every owner of a Diplomat is asked, in turn order, whether to hold
back a pasha or a merchant of the reserve: one piece for each Diplomat. Sages cannot be held back. Everybody sees
which piece is held back [R2].

§4.2 Placing. In turn order, again and again, each player puts exactly one piece of the reserve on an area that it may
enter (§4.4). Nobody may pass or keep a piece. A player who has nothing left, except for held pieces, is skipped [R1].

§4.3 Placing held pieces. When all other pieces are on the board, the held ones are placed, one at a time in turn
order. This is mandatory as well.
"""

from __future__ import annotations

from functools import lru_cache

from engine.al_rashid.actions import Decline, HoldBack, PlacePiece
from engine.al_rashid.box.components import PIECE_INDEX, PIECES, Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.events import HoldingDeclined, PieceHeld, PiecePlaced
from engine.al_rashid.rules.entry import Places, big_pieces, check_area, check_entry, open_areas
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat


def hold_back(turn: Turn, seat: Seat, action: HoldBack) -> None:
    """§4.1 Hold back one pasha or merchant per Diplomat; everybody sees which [R2]."""
    if action.piece is Piece.SAGE:
        raise RuleViolation(Code.SAGE_NOT_HELD_BACK, rule="4.1", field="piece")
    if not turn.state.players[seat].reserve[PIECE_INDEX[action.piece]]:
        raise RuleViolation(Code.PIECE_NOT_IN_RESERVE, rule="4.1", field="piece", piece=action.piece)
    turn.record(PieceHeld(seat=seat, piece=action.piece))


def decline_holding(turn: Turn, seat: Seat) -> None:
    """§4.1 [R2] Leave one Diplomat unused."""
    turn.record(HoldingDeclined(seat=seat))


def place_piece(turn: Turn, seat: Seat, action: PlacePiece, *, held: bool) -> None:
    """§4.2, §4.3 Place one piece; placing is mandatory [R1]."""
    player = turn.state.players[seat]
    rule = "4.3" if held else "4.2"
    if not (player.held if held else player.reserve)[PIECE_INDEX[action.piece]]:
        code = Code.PIECE_NOT_HELD if held else Code.PIECE_NOT_IN_RESERVE
        raise RuleViolation(code, rule=rule, field="piece", piece=action.piece)
    check_area(action.area, "area", rule)
    check_entry(turn.state, seat, action.piece, action.area, "area")
    turn.record(PiecePlaced(seat=seat, piece=action.piece, area=action.area, held=held))


def holdings(state: State, seat: Seat) -> list[HoldBack | Decline]:
    """§4.1 List what can be held back."""
    held = [HoldBack(piece=piece) for piece in pieces_of(state.players[seat].reserve)]
    return [*(each for each in held if each.piece is not Piece.SAGE), Decline()]


def places(state: State, seat: Seat, *, held: bool) -> list[PlacePiece]:
    """§4.2, §4.3 List every piece with every area it may enter."""
    player = state.players[seat]
    big = big_pieces(state, seat)
    found: list[PlacePiece] = []
    for piece in pieces_of(player.held if held else player.reserve):
        found += _placings(piece, big)
    return found


@lru_cache(maxsize=8_192)
def _placings(piece: Piece, big: Places) -> tuple[PlacePiece, ...]:
    """§4.4 List the areas that a piece may enter, as actions. `big` is where the player has a pasha or a merchant."""
    return tuple([PlacePiece(piece=piece, area=area) for area in open_areas(piece, big)])


def pieces_of(counts: tuple[int, ...]) -> list[Piece]:
    """Return the kinds of which there is at least one piece."""
    return [piece for piece, count in zip(PIECES, counts, strict=True) if count]
