"""The boards and mats.

The river is drawn in `river.py`, the influence tracks in `influence.py`, the rows and piles in `supply.py`, what lies before a
seat in `mats.py`. All places are derived from the tables of the box.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.layout import SEAT_MARKS, Layout
from engine.river_of_gold.box.components import MAX_SEATS
from engine.river_of_gold.layout.influence import INFLUENCE_BOARD
from engine.river_of_gold.layout.mats import MATS
from engine.river_of_gold.layout.river import RIVER_BOARD
from engine.river_of_gold.layout.supply import PATRON_BOARDS, SUPPLY_BOARDS

LAYOUT: Final = Layout(
    boards=(*PATRON_BOARDS, RIVER_BOARD, INFLUENCE_BOARD, *SUPPLY_BOARDS),
    mats=MATS,
    seats=SEAT_MARKS[:MAX_SEATS],
)
