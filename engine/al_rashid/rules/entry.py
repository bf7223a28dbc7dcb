"""§4.4 Who may enter where: the same test for placing and for every move of a piece.

§4.4 Which areas a piece may enter. At the palace of Al-Rashid a player's first piece must be a pasha, only one pasha
fits, sages may join it, and merchants never enter. In any other area a pasha or a merchant may enter if the player
has neither of them there; sages may always enter. The same test holds for placing and for every move [R3].

§4.5 One big piece. In an area a player has at most one pasha or merchant, and any number of sages. Outside the palace
of Al-Rashid a pasha or merchant may also join own sages that were there before.
"""

from __future__ import annotations

from engine.al_rashid.box.areas import AL_RASHID, AREA_INDEX
from engine.al_rashid.box.components import PASHA, PIECE_INDEX, AreaId, Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.state import Stack, State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat


def entry_obstacle(stack: Stack | None, piece: Piece, area: AreaId) -> Code | None:
    """§4.4 Return why a piece cannot join the player's stack in an area, or None if it can. `stack` is None without pieces there."""
    if area == AL_RASHID:  # [R3]
        if piece is Piece.MERCHANT:
            return Code.MERCHANT_AT_AL_RASHID
        has_pasha = stack is not None and stack.pieces[PASHA] > 0
        if piece is Piece.PASHA:
            return Code.SECOND_BIG_PIECE if has_pasha else None
        return None if has_pasha else Code.PASHA_FIRST
    if piece is Piece.SAGE or stack is None or not stack.big:
        return None
    return Code.SECOND_BIG_PIECE


def can_enter(state: State, seat: Seat, piece: Piece, area: AreaId) -> bool:
    """§4.4 Return whether a piece may enter an area."""
    return entry_obstacle(state.stack(area, seat), piece, area) is None


def check_entry(state: State, seat: Seat, piece: Piece, area: AreaId, field: str) -> None:
    """§4.4 Refuse a piece that may not enter."""
    obstacle = entry_obstacle(state.stack(area, seat), piece, area)
    if obstacle is not None:
        raise RuleViolation(obstacle, rule="4.4", field=field, piece=piece, area=area)


def check_area(area: AreaId, field: str, rule: str) -> None:
    """§1.1 Refuse a name that is no area."""
    if area not in AREA_INDEX:
        raise RuleViolation(Code.AREA_UNKNOWN, rule=rule, field=field, area=area)


def has_piece(stack: Stack | None, piece: Piece) -> bool:
    return stack is not None and stack.pieces[PIECE_INDEX[piece]] > 0


def check_move(state: State, seat: Seat, piece: Piece, from_area: AreaId, to_area: AreaId, rule: str) -> None:
    """§5.1, §7.6 Refuse a move unless the piece is in the own stack there and may enter another area."""
    if not has_piece(state.stack(from_area, seat), piece):
        raise RuleViolation(Code.PIECE_NOT_IN_AREA, rule=rule, field="from_area", piece=piece, area=from_area)
    if from_area == to_area:
        raise RuleViolation(Code.SAME_AREA, rule=rule, field="to_area", area=to_area)
    check_entry(state, seat, piece, to_area, "to_area")
