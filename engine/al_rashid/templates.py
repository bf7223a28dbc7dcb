"""Sets of legal actions that can be too large to list: payments and fights.

A template alone tells the complete set. Where the set has at most `LISTED` members, the listing has them all
as ready actions beside the template.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.al_rashid.components import Colour, Goods, Squad
from engine.kernel.records import Template

LISTED: Final = 256
"""§6.4, §9.2 As many payments or fights are listed one by one."""


class PricedBag(msgspec.Struct, frozen=True, kw_only=True):
    """Goods with what they are worth together (§6.3)."""

    goods: Goods
    value: int


class PayTemplate(Template, frozen=True, kw_only=True, tag="pay"):
    """§6.4 Legal are all bags within `owned`, worth at least `total`, where no good can be left out [R9].

    Beside that at least `keep` goods must be left, for a favor that gives one away (§7.7).
    """

    owned: Goods
    total: int
    keep: int
    cheapest: PricedBag
    """A legal bag of the least value; among those the one with the fewest goods, then the fewest rare ones."""
    bags: tuple[PricedBag, ...]
    """The listed actions, each with what it pays; empty when not listed."""
    listed: bool
    """All legal bags are listed."""


class FightTemplate(Template, frozen=True, kw_only=True, tag="fight"):
    """§9.2 Legal are all squads of at least one tile within `owned`, which has only colours that lie there."""

    owned: Squad
    colours: tuple[Colour, ...]
    bonus: int
    """§9.3 Strategists add this to each tile."""
    listed: bool
    """All legal squads are listed."""

    def __repr__(self) -> str:
        return f"FightTemplate(colours={self.colours}, owned=<hidden>)"


AlRashidTemplate = PayTemplate | FightTemplate
