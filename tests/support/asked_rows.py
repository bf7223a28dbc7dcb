"""Asking the rules server's own functions for a row, whatever kind it is of, as its API does for who calls."""

from __future__ import annotations

from typing import Any

from engine.match.commands import MatchCommand
from services.rules.match.appending import AcceptedRow, Request
from services.rules.match.commands import run_command
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import make_move


async def carry_out(tables: MatchCache, table: LoadedMatch, request: Request, **more: Any) -> AcceptedRow:
    """Make a move or run a command, on a table the caller holds."""
    act = run_command if isinstance(request.body, MatchCommand) else make_move
    return await act(tables, table, request, **more)
