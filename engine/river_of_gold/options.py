"""What is chosen before the start."""

from __future__ import annotations

from typing import Annotated

import msgspec

from engine.kernel.records import Options
from engine.river_of_gold.box.components import MAX_SEATS, Clan, PatronMode


class RiverOfGoldOptions(Options, frozen=True, kw_only=True):
    """What is chosen before a match begins. The number of players is not an option: it is the number of seats."""

    patrons: PatronMode = PatronMode.NONE
    """Whether the match is played with clan patrons, and how they are given out (§9)."""
    clans: Annotated[tuple[Clan, ...], msgspec.Meta(max_length=MAX_SEATS)] = ()
    """The clan of each seat, in order of seats; empty if they are dealt at random. Always empty with a draft, where the patron
    brings the clan (§2.5) [F13]."""
