"""What a person touches to choose an action, in the natural order: first what is given or moved, then where it goes."""

from __future__ import annotations

from engine.al_rashid.actions import (
    DeclareAudience,
    DeclareVisit,
    MovePiece,
    NameColours,
    PlacePiece,
    RemoveMercenary,
    TakeItems,
    UseImporter,
    UseNegotiator,
    UseRecruiter,
    UseSmuggler,
    UseTrader,
)
from engine.al_rashid.box.areas import GUILDS, SPIES
from engine.al_rashid.box.components import (
    COLOURS,
    GOODS,
    AreaId,
    Favor,
    Good,
    Goods,
    OfficeId,
    Piece,
    Squad,
    bag_of,
    tiles_of,
)
from engine.al_rashid.box.offices import NEGOTIATOR, RECRUITER, SMUGGLER, TRADER
from engine.al_rashid.layout.ids import (
    BENEVOLENCE,
    HELD,
    ITEM_AT,
    NOTE,
    RESERVE,
    STACK,
    TILE_KINDS,
    family_piece,
    hand_piece,
    own_office_piece,
    own_piece,
    tile_piece,
)
from engine.al_rashid.view import AlRashidView
from engine.al_rashid.view_parts import FamilyView, SceneView
from engine.kernel.seats import Seat

Targets = tuple[str, ...]


def chooser(view: AlRashidView) -> Seat:
    """Return the seat that chooses: one at a time does. Raises LookupError if no decision is open."""
    if not view.pending:
        raise LookupError("no decision is open")
    return view.pending[0].seat


def scene_of(view: AlRashidView) -> SceneView:
    """Return the area that is being resolved. Raises LookupError if none is."""
    if view.scene is None:
        raise LookupError("no area is being resolved")
    return view.scene


def placing(view: AlRashidView, action: PlacePiece) -> Targets:
    """§4.2 Return the piece and its area. Pieces that are held back come when the reserve is empty (§4.3)."""
    reserve = view.seats[chooser(view)].reserve
    where = RESERVE if _number(reserve, action.piece) else HELD
    return _pawn(view, action.piece, where), action.area


def moving(view: AlRashidView, action: MovePiece) -> Targets:
    """§5.1, §7.6 Return the piece and where it goes."""
    return _pawn(view, action.piece, action.from_area), action.to_area


def in_reserve(view: AlRashidView, piece: Piece) -> str:
    """§4.1 Return a piece in the reserve."""
    return _pawn(view, piece, RESERVE)


def sage(view: AlRashidView, area: AreaId | None) -> str:
    """[R29] Return the sage that becomes a merchant."""
    return _pawn(view, Piece.SAGE, area or RESERVE)


def visiting(view: AlRashidView, action: DeclareVisit) -> Targets:
    """§7.2 Return the parts of a visit, or the palace if the visit has none; the Favorite before the favor it copies."""
    area = scene_of(view).area
    guild = GUILDS[area]
    found: list[str] = [guild.service] if action.service else []
    found += _office_for_sale(view, action.office, note=action.note)
    if action.favor is not None:
        found += [Favor.FAVORITE, action.favor] if area == SPIES else [action.favor]
    return tuple(found) or (area,)


def audience(view: AlRashidView, action: DeclareAudience) -> Targets:
    """§8.2 Return the benevolence with its good, and the office."""
    gift = [] if action.benevolence is None else [BENEVOLENCE, action.benevolence]
    return (*gift, *_office_for_sale(view, action.office, note=action.note))


def activating(
    view: AlRashidView, action: UseSmuggler | UseTrader | UseImporter | UseRecruiter | UseNegotiator
) -> Targets:
    """§10.2 Return the own office, then what it is used on."""
    match action:
        case UseSmuggler():
            return _unused(view, SMUGGLER), own(view, action.give), action.take
        case UseTrader():
            return _unused(view, TRADER), own(view, action.give)
        case UseImporter():
            return (_unused(view, action.office),)
        case UseRecruiter():
            return _unused(view, RECRUITER), STACK[action.colour]
        case UseNegotiator():
            return _unused(view, NEGOTIATOR), action.territory


def removing(view: AlRashidView, action: RemoveMercenary) -> Targets:
    """§10.2 Return the tile on the territory and the own one."""
    return tile_piece(action.tile), hand_piece(matching_tile(view, action), chooser(view))


def matching_tile(view: AlRashidView, action: RemoveMercenary) -> str:
    """§10.2 Return the kind of the own tile, such as `red_3`. Raises LookupError if no tile on a territory has that number."""
    for territory in view.territories:
        for tile in territory.mercenaries:
            if tile.id == action.tile:
                return f"{tile.colour}_{action.own_value}"
    raise LookupError(f"no tile {action.tile} lies on a territory")


def stacks(action: NameColours) -> Targets:
    """[R14] Return the stacks that are drawn from."""
    return tuple(
        STACK[colour] for colour, number in zip(COLOURS, (action.red, action.blue), strict=True) if number
    )


def own(view: AlRashidView, good: Good) -> str:
    """Return the own goods of a kind."""
    return own_piece(good, chooser(view))


def own_goods(view: AlRashidView, goods: Goods) -> Targets:
    """Return the own goods, once for each kind."""
    seat = chooser(view)
    return tuple([own_piece(good, seat) for good in kinds(goods)])


def own_tiles(view: AlRashidView, squad: Squad) -> Targets:
    """Return the own tiles, once for each kind."""
    seat = chooser(view)
    return tuple(
        [hand_piece(tile, seat) for tile, number in zip(TILE_KINDS, tiles_of(squad), strict=True) if number]
    )


def supply(goods: Goods) -> Targets:
    """Return the kinds of goods in the supply."""
    return tuple(kinds(goods))


def lying(view: AlRashidView, good: Good) -> str:
    """§9.7 Return the goods of a kind on the territory."""
    return ITEM_AT[scene_of(view).area][good]


def items(view: AlRashidView, action: TakeItems) -> Targets:
    """§9.7 Return what is taken from the territory, once for each kind."""
    there = ITEM_AT[scene_of(view).area]
    note = (there[NOTE],) if action.note else ()
    return (*(there[good] for good in kinds(action.goods)), *note)


def kinds(goods: Goods) -> list[Good]:
    """Return the kinds of which there is a good."""
    return [good for good, number in zip(GOODS, bag_of(goods), strict=True) if number]


def _pawn(view: AlRashidView, piece: Piece, where: str) -> str:
    seat = chooser(view)
    return family_piece(piece, seat, _number(view.seats[seat].family, piece), where)


def _number(pieces: FamilyView, piece: Piece) -> int:
    match piece:
        case Piece.PASHA:
            return pieces.pashas
        case Piece.MERCHANT:
            return pieces.merchants
        case Piece.SAGE:
            return pieces.sages


def _office_for_sale(view: AlRashidView, office: OfficeId | None, *, note: bool) -> list[str]:
    """§7.4 Return the office and the credit note that is spent on it."""
    found: list[str] = [] if office is None else [office]
    return [*found, own_piece(NOTE, chooser(view))] if note else found


def _unused(view: AlRashidView, office: OfficeId) -> str:
    """§5.3 Return the own tile that can be activated. Raises LookupError if there is none."""
    seat = chooser(view)
    copies = [held for held in view.seats[seat].offices if held.office == office]
    for copy, held in enumerate(copies, start=1):
        if not held.used:
            return own_office_piece(office, len(view.seats), seat, copy)
    raise LookupError(f"seat {seat} has no {office} to activate")
