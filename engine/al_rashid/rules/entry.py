"""§4.4 Who may enter where: the same test for placing and for every move of a piece.

§4.4 Which areas a piece may enter. At the palace of Al-Rashid a player's first piece must be a pasha, only one pasha
fits, sages may join it, and merchants never enter. In any other area a pasha or a merchant may enter if the player
has neither of them there; sages may always enter. The same test holds for placing and for every move [R3].

§4.5 One big piece. In an area a player has at most one pasha or merchant, and any number of sages. Outside the palace
of Al-Rashid a pasha or merchant may also join own sages that were there before.
"""

from __future__ import annotations

from functools import lru_cache

from engine.al_rashid.box.areas import AL_RASHID, AREA_INDEX, AREAS
from engine.al_rashid.box.components import MERCHANT, PASHA, PIECE_INDEX, AreaId, Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.state import Stack, State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat

Places = int
"""A set of areas: bit n stands for area n of `AREAS`."""


@lru_cache(maxsize=8_192)
def open_areas(piece: Piece, big: Places) -> tuple[AreaId, ...]:
    """§4.4 Return the areas that a piece may enter. `big` is where the player has a pasha or a merchant."""
    return tuple(
        [
            area
            for index, area in enumerate(AREAS)
            if entry_obstacle(piece, area, big=bool(big >> index & 1)) is None
        ]
    )


def big_pieces(state: State, seat: Seat) -> Places:
    """§4.5 Return where the player has a pasha or a merchant."""
    big, bit = 0, 1
    for stacks in state.areas:
        for stack in stacks:
            if stack.seat == seat and (stack.pieces[PASHA] or stack.pieces[MERCHANT]):
                big |= bit
        bit += bit
    return big


def entry_obstacle(piece: Piece, area: AreaId, *, big: bool) -> Code | None:
    """§4.4 Return why a piece cannot enter an area, or None if it can. `big`: the player has a pasha or a merchant there."""
    if area == AL_RASHID:  # [R3] a big piece there is a pasha
        if piece is Piece.MERCHANT:
            return Code.MERCHANT_AT_AL_RASHID
        if piece is Piece.PASHA:
            return Code.SECOND_BIG_PIECE if big else None
        return None if big else Code.PASHA_FIRST
    return Code.SECOND_BIG_PIECE if big and piece is not Piece.SAGE else None


def check_entry(state: State, seat: Seat, piece: Piece, area: AreaId, field: str) -> None:
    """§4.4 Refuse a piece that may not enter."""
    stack = state.stack(area, seat)
    obstacle = entry_obstacle(piece, area, big=stack is not None and stack.big > 0)
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
