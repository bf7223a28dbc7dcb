"""Sets of legal actions that can be too large to list: payments and fights.

A set of at most `LISTED` members is listed as actions and has no template. A larger one is described by its template
alone, so no action stands in both.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.al_rashid.box.components import Colour, Goods, Squad
from engine.kernel.records import Template

LISTED: Final = 40
"""§6.4, §9.2 Up to this many payments or fights are listed one by one: as many as a person still reads."""


class PricedBag(msgspec.Struct, frozen=True, kw_only=True):
    """Goods, and what they are worth together (§6.3)."""

    goods: Goods
    """The goods, in any mix."""
    value: int
    """What they are worth. A set of 1, 2, 3, 4 or 5 different goods is worth 1, 3, 6, 10 or 15."""


class PayTemplate(Template, frozen=True, kw_only=True, tag="pay"):
    """The payments that are legal: all goods within `owned` that are worth at least `total` and contain no good that could be left out (§6.4) [R9].

    At least `keep` goods must be left after the payment (§7.7).
    """

    owned: Goods
    """The goods that the payer has."""
    total: int
    """What the payment must be worth at least (§6.1, §6.3)."""
    keep: int
    """How many goods must be left after the payment, for a favor that gives one away: 0 or 1."""
    cheapest: PricedBag
    """A legal payment of the least value; among equal ones one with the fewest goods, then with the fewest rare goods."""
    bags: tuple[PricedBag, ...]
    """Always empty: payments that are listed as actions have no template."""
    listed: bool
    """Always false: payments that are listed as actions have no template."""


class FightTemplate(Template, frozen=True, kw_only=True, tag="fight"):
    """The fights that are legal: at least one tile, all of them within `owned` (§9.2)."""

    owned: Squad
    """The fighter's tiles of the colours that lie on the territory."""
    colours: tuple[Colour, ...]
    """The colours that lie on the territory now."""
    bonus: int
    """What the fighter's Strategists add to each tile (§9.3)."""
    listed: bool
    """Always false: fights that are listed as actions have no template."""

    def __repr__(self) -> str:
        return f"FightTemplate(colours={self.colours}, owned=<hidden>)"


AlRashidTemplate = PayTemplate | FightTemplate
