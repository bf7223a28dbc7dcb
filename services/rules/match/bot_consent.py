"""Built-in bots agree to every proposed undo, abort, pause or replacement, and so does the server for seats that are away.

Bots have nothing to lose, and no player should have to wait a day for somebody who is not there. A tenant's own bots
answer for themselves. To a pause nobody agrees for others where a clock runs: the player could stop it at will.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import structlog

from engine.match.commands import AnswerAbort, AnswerPause, AnswerReplacement, AnswerUndo
from engine.match.timeline import ProposalKind
from services.movelog.failures import LogError
from services.rpc.bot_names import level_of
from services.rpc.refusals import Refused
from services.rules.match.appending import Request
from services.rules.match.commands import run_command
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.proposals import proposal_of
from services.rules.match.timekeeping import away

_AGREE: Final = {
    ProposalKind.UNDO: AnswerUndo(accept=True),
    ProposalKind.ABORT: AnswerAbort(accept=True),
    ProposalKind.PAUSE: AnswerPause(accept=True),
    ProposalKind.REPLACE: AnswerReplacement(accept=True),
}

_log: Final = structlog.get_logger("foldtable.rules")


async def agree(cache: MatchCache, loaded: LoadedMatch) -> None:
    """Agree to the open proposal for every built-in bot, and every seat that is away, that it waits for.

    The caller holds the match's lock.
    """
    while (opened := proposal_of(loaded, datetime.now(UTC))) is not None:
        if opened.proposal.kind is ProposalKind.PAUSE and loaded.match.clock is not None:
            return
        absent = await _away(cache, loaded)
        seat = next(
            (one for one in opened.waiting if level_of(loaded.seating.seats[one].bot) or one in absent), None
        )
        if seat is None:
            return
        answer = Request(
            seat=seat,
            body=_AGREE[opened.proposal.kind],
            request_id=f"·agree {seat} {opened.proposal.version}",
            expected_version=loaded.version,
        )
        try:
            await run_command(cache, loaded, answer)
        except Refused:
            return  # another request came first: an objection, a move, or an answer through another replica
        except LogError as failure:
            _log.warning(
                "a bot's answer was lost", match_id=str(loaded.match.id), kind=type(failure).__name__
            )
            return  # the proposal is stored already, and the proposer gets that response


async def _away(cache: MatchCache, loaded: LoadedMatch) -> frozenset[int]:
    """Return the seats that are away."""
    if loaded.match.clock is None:
        return frozenset()
    try:
        clocks = await cache.log.clocks.of(loaded.match.id)
    except LogError as failure:
        _log.warning("clocks were not read", match_id=str(loaded.match.id), kind=type(failure).__name__)
        return frozenset()
    return frozenset() if clocks is None else away(loaded.match.clock, clocks)
