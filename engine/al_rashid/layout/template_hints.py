"""How templates are presented to the seat that chooses, and filled in."""

from __future__ import annotations

from typing import Final, assert_never

from engine.al_rashid.box.components import GOODS, bag_of, tiles_of
from engine.al_rashid.layout.groups import ActionGroup
from engine.al_rashid.layout.ids import TILE_KINDS
from engine.al_rashid.templates import AlRashidTemplate, FightTemplate, PayTemplate
from engine.al_rashid.view import AlRashidView
from engine.kernel.hints import Limit, NumberStep, TemplateHint

_GOODS: Final = "goods"
_TILES: Final = "tiles"


def template_hint(view: AlRashidView, template: AlRashidTemplate) -> TemplateHint:
    """Return how a template is presented to the seat whose view it is, and how it is filled in."""
    del view  # the templates themselves say what the seat has
    match template:
        case PayTemplate():
            return _payment(template)
        case FightTemplate():
            return _fight(template)
        case _:
            assert_never(template)


def _payment(template: PayTemplate) -> TemplateHint:
    """§6.4 Count the goods of each kind, beginning with the cheapest payment; what they must be worth the rules check."""
    owned, cheapest = bag_of(template.owned), bag_of(template.cheapest.goods)
    return TemplateHint(
        group=ActionGroup.PAY,
        steps=tuple(
            NumberStep(
                field=f"/goods/{good}", least=0, most=most, suggested=suggested, name=good, limit=_GOODS
            )
            for good, most, suggested in zip(GOODS, owned, cheapest, strict=True)
            if most
        ),
        limits=(Limit(name=_GOODS, least=1, most=sum(owned) - template.keep),),
    )


def _fight(template: FightTemplate) -> TemplateHint:
    """§9.2 Count the tiles of each kind, at least one in all, beginning with one of the first kind."""
    usable = [(tile, most) for tile, most in zip(TILE_KINDS, tiles_of(template.owned), strict=True) if most]
    return TemplateHint(
        group=ActionGroup.BATTLE,
        steps=tuple(
            NumberStep(
                field=f"/tiles/{tile}",
                least=0,
                most=most,
                suggested=1 if number == 0 else 0,
                name=tile,
                limit=_TILES,
            )
            for number, (tile, most) in enumerate(usable)
        ),
        limits=(Limit(name=_TILES, least=1),),
    )
