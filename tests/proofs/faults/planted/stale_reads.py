"""A rules server that shows legal actions of the table it has in memory, whatever other servers have written since."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from services.rules.__main__ import main
from services.rules.api.reads import Reads
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from tests.proofs.faults.planted.planting import plant

_only_looking: Final = ContextVar("only_looking", default=False)
_catch_up: Final = MatchCache.catch_up
_get_legal_actions: Final = Reads.legal_actions


async def catch_up(tables: MatchCache, table: LoadedMatch) -> None:
    """Read what is new, unless somebody only looks at a table that is there."""
    if table.version == 0 or not _only_looking.get():
        await _catch_up(tables, table)


async def get_legal_actions(reads: Reads, request: Any, authorization: str | None) -> Any:
    """Answer from memory."""
    _only_looking.set(True)
    try:
        return await _get_legal_actions(reads, request, authorization)
    finally:
        _only_looking.set(False)


plant(MatchCache, "catch_up", catch_up)
plant(Reads, "legal_actions", get_legal_actions)

if __name__ == "__main__":
    main()
