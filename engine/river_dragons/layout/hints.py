"""How actions and templates are presented to the seat that chooses. Nothing in this game is paid for."""

from __future__ import annotations

from typing import Final, assert_never

from engine.kernel.hints import Choice, ChooseStep, Hint, Limit, PointStep, TemplateHint
from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    PlaceStoneAt,
    RemovePlank,
    RemoveStone,
    RiverDragonsAction,
    Step,
    SubmitProgram,
)
from engine.river_dragons.box.components import DRAGON_TARGET, Place, Plank, SupportId, Variant
from engine.river_dragons.layout.boards import VILLAGE_IDS, WATER_PLACE
from engine.river_dragons.layout.groups import Group
from engine.river_dragons.layout.names import SUPPLY_STONES, card_of, pawn_of, plank_of, stone_of
from engine.river_dragons.templates import ProgramTemplate, RiverDragonsTemplate, StoneTemplate
from engine.river_dragons.view import OpenCard, RiverDragonsView

_DRAGONS: Final = "dragons"


def hint(view: RiverDragonsView, action: RiverDragonsAction) -> Hint:
    """Return how a legal action is presented to the seat whose view it is."""
    match action:
        case Step():
            return _hint(Group.MOVE, pawn_of(_open_card(view).seat), _place(view, action.to))
        case Jump():
            jumping = pawn_of(_open_card(view).seat)
            return _hint(Group.JUMP, jumping, pawn_of(action.over), _place(view, action.to))
        case PlaceStone():
            return _hint(Group.STONES, SUPPLY_STONES, action.island)
        case PlaceStoneAt():
            return _hint(Group.STONES, SUPPLY_STONES, WATER_PLACE)
        case ChoosePlank():
            return _hint(Group.PLANKS, plank_of(_in_reserve(view, action.size)))
        case LayPlank():
            return _hint(Group.PLANKS, plank_of(_chosen(view)), _support(action.a), _support(action.b))
        case RemovePlank():
            return _hint(Group.TAKE_PLANK, _place(view, action.plank))
        case RemoveStone():
            return _hint(Group.TAKE_STONE, stone_of(action.support))
        case SubmitProgram():
            return _hint(Group.PROGRAM)  # never listed, and a view does not say whose program it is
        case _:
            assert_never(action)


def _hint(group: Group, *targets: str) -> Hint:
    return Hint(group=group, targets=targets)


def template_hint(view: RiverDragonsView, template: RiverDragonsTemplate) -> TemplateHint:
    """Return how a template is presented to the seat whose view it is, and how it is filled in."""
    match template:
        case ProgramTemplate():
            return _program(view, template)
        case StoneTemplate():
            step = PointStep(field_x="/x", field_y="/y", board=Variant.EXPERT)
            return TemplateHint(group=Group.STONES, steps=(step,))
        case _:
            assert_never(template)


def _program(view: RiverDragonsView, template: ProgramTemplate) -> TemplateHint:
    """§5 One card after the other, each from the hand."""
    seat = next(player.seat for player in view.seats if player.hand == template.cards)  # no two are equal
    choices = tuple(
        Choice(
            value=card.value,
            name=card.value,
            target=card_of(seat, card),
            limit=_DRAGONS if card in DRAGON_TARGET else "",
        )
        for card in template.cards
    )
    return TemplateHint(
        group=Group.PROGRAM,
        steps=tuple(
            ChooseStep(field=f"/cards/{slot}", choices=choices, different=True)
            for slot in range(template.slots)
        ),
        limits=(Limit(name=_DRAGONS, most=template.max_dragons),),
    )


def _place(view: RiverDragonsView, place: Place) -> str:
    """Return what to touch for a place where a pawn can be: the village, or the plank that lies there."""
    for laid in view.planks:
        if laid.id == place:
            return plank_of(laid.plank)
    return place


def _support(support: SupportId) -> str:
    """Return what to touch for a support: the village, or the stone."""
    return support if support in VILLAGE_IDS else stone_of(support)


def _in_reserve(view: RiverDragonsView, size: int) -> Plank:
    reserve = view.seats[_open_card(view).seat].reserve
    return next(plank for plank in reserve if plank.size == size)


def _chosen(view: RiverDragonsView) -> Plank:
    plank = _open_card(view).plank
    if plank is None:
        raise LookupError("no plank is to be laid")
    return plank


def _open_card(view: RiverDragonsView) -> OpenCard:
    """Return the card that is carried out. Raises LookupError without one: then none of its actions is legal."""
    if view.open_card is None:
        raise LookupError("no card is carried out")
    return view.open_card
