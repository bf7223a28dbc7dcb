"""What is chosen before the start."""

from __future__ import annotations

from typing import Annotated

import msgspec

from engine.kernel.records import Options
from engine.river_of_gold.box.components import MOST_SEATS, Clan, PatronMode


class RiverOfGoldOptions(Options, frozen=True, kw_only=True):
    """The number of players is not an option: it is the number of seats."""

    patrons: PatronMode = PatronMode.NONE
    """§9 With clan patrons, and how they are given out."""
    clans: Annotated[tuple[Clan, ...], msgspec.Meta(max_length=MOST_SEATS)] = ()
    """§2.5 The clan of each seat; empty: dealt at random. Stays empty with a draft, where the patron brings the clan."""
