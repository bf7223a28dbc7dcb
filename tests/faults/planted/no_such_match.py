"""A rules server that now and then knows nothing of a match that is there."""

from __future__ import annotations

from itertools import count
from typing import Final

from services.rpc.refusals import match_not_found
from services.rules.__main__ import main
from services.rules.tables import Table, Tables
from tests.faults.planted.planting import plant

EVERY: Final = 100
"""Looks at the log."""
_number: Final = count(1)
_catch_up: Final = Tables.catch_up


async def catch_up(tables: Tables, table: Table) -> None:
    """Read what is new; one time in a hundred find nothing at all."""
    if next(_number) % EVERY == 0:
        raise match_not_found()
    await _catch_up(tables, table)


plant(Tables, "catch_up", catch_up)

if __name__ == "__main__":
    main()
