"""Sets of legal actions that can be too large to list: payments and fights.

A template alone describes the complete set. If the set has at most `LISTED` members, they are also listed
as actions beside the template.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.al_rashid.box.components import Colour, Goods, Squad
from engine.kernel.records import Template

LISTED: Final = 256
"""§6.4, §9.2 Up to this many payments or fights are listed one by one."""


class PricedBag(msgspec.Struct, frozen=True, kw_only=True):
    """Goods, and what they are worth together (§6.3)."""

    goods: Goods
    value: int


class PayTemplate(Template, frozen=True, kw_only=True, tag="pay"):
    """§6.4 A bag is legal if it lies within `owned`, is worth at least `total`, and contains no good that could be left out [R9].

    In addition, at least `keep` goods must be left after the payment, for a favor that gives one away (§7.7).
    """

    owned: Goods
    total: int
    keep: int
    cheapest: PricedBag
    """The legal bag of the least value; of equal ones the one with the fewest goods, then with the fewest rare goods."""
    bags: tuple[PricedBag, ...]
    """The payments that are listed as actions, each with its value; empty if `listed` is false."""
    listed: bool
    """Whether all legal bags are listed."""


class FightTemplate(Template, frozen=True, kw_only=True, tag="fight"):
    """§9.2 A squad is legal if it has at least one tile and lies within `owned`. `owned` has only colours that lie there."""

    owned: Squad
    colours: tuple[Colour, ...]
    bonus: int
    """§9.3 Strategists add this to each tile."""
    listed: bool
    """Whether all legal squads are listed."""

    def __repr__(self) -> str:
        return f"FightTemplate(colours={self.colours}, owned=<hidden>)"


AlRashidTemplate = PayTemplate | FightTemplate
