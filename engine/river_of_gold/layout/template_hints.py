"""How templates are presented to the seat that chooses, and how they are filled in."""

from __future__ import annotations

from typing import Final

from engine.kernel.hints import Limit, NumberStep, TemplateHint
from engine.river_of_gold.box.components import GOODS, bag_of
from engine.river_of_gold.layout.groups import ActionGroup
from engine.river_of_gold.templates import BuildTemplate, RiverOfGoldTemplate, SellGoodsTemplate
from engine.river_of_gold.view import RiverOfGoldView

_SOLD: Final = "sold"
"""The limit on all goods of a sale together [F5]."""


def template_hint(_view: RiverOfGoldView, template: RiverOfGoldTemplate) -> TemplateHint:
    """Return how a template is presented to the seat whose view it is, and how it is filled in."""
    match template:
        case SellGoodsTemplate():
            return _sale(template)
        case BuildTemplate():
            raise TypeError("builds are listed one by one")


def _sale(template: SellGoodsTemplate) -> TemplateHint:
    """§10.3 Return a number for each kind of good, beginning with a sale of nothing."""
    return TemplateHint(
        group=ActionGroup.JOURNEY,
        steps=tuple(
            NumberStep(
                field=f"/{good}",
                least=0,
                most=min(owned, template.most),
                suggested=0,
                name=good,
                limit=_SOLD,
            )
            for good, owned in zip(GOODS, bag_of(template.owned), strict=True)
        ),
        limits=(Limit(name=_SOLD, most=template.most),),
    )
