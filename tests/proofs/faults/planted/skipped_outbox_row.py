"""A rules server that now and then forgets the event of a move."""

from __future__ import annotations

from itertools import count
from typing import Final

from services.movelog.events import kinds_of as all_kinds_of
from services.movelog.postgres import binary
from services.movelog.records import Append
from services.rules.__main__ import main
from tests.proofs.faults.planted.planting import plant

EVERY: Final = 50
"""Moves."""
_number: Final = count(1)


def kinds_of(append: Append) -> str:
    """Return the kinds of a move's events; of one in fifty none."""
    return "{}" if next(_number) % EVERY == 0 else all_kinds_of(append)


plant(binary, "kinds_of", kinds_of)

if __name__ == "__main__":
    main()
