"""A rules server that now and then knows nothing of a match that is there."""

from __future__ import annotations

from itertools import count
from typing import Final

from services.rpc.refusals import match_not_found
from services.rules.__main__ import main
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from tests.proofs.faults.planted.planting import plant

EVERY: Final = 100
"""Looks at the log."""
_number: Final = count(1)
_catch_up: Final = MatchCache.catch_up


async def catch_up(tables: MatchCache, table: LoadedMatch) -> None:
    """Read what is new; one time in a hundred find nothing at all."""
    if next(_number) % EVERY == 0:
        raise match_not_found()
    await _catch_up(tables, table)


plant(MatchCache, "catch_up", catch_up)

if __name__ == "__main__":
    main()
