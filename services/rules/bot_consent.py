"""What the house's bots say when the others want to take moves back, or to call the match off: yes.

They have nothing to lose, and nobody should have to wait a day for them. Bots of somebody's own answer for themselves.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import structlog

from engine.kernel.house import AnswerAbort, AnswerUndo
from services.movelog.failures import LogError
from services.rpc.bot_names import level_of
from services.rpc.refusals import Refused
from services.rules.acting import Request, act
from services.rules.tables import Table, Tables
from services.rules.taking_back import proposal_of

_log: Final = structlog.get_logger("foldtable.rules")


async def agree(tables: Tables, table: Table) -> None:
    """Answer the open proposal for every bot of the house that it waits for. The caller holds the table."""
    while (opened := proposal_of(table, datetime.now(UTC))) is not None:
        seat = next((one for one in opened.waiting if level_of(table.seating.seats[one].bot)), None)
        if seat is None:
            return
        aborts = opened.proposal.to is None
        answer = Request(
            seat=seat,
            body=AnswerAbort(accept=True) if aborts else AnswerUndo(accept=True),
            request_id=f"·agree {seat} {opened.proposal.version}",
            expected_version=table.version,
        )
        try:
            await act(tables, table, answer)
        except Refused:
            return  # somebody was first: a refusal, a move or an answer through another replica
        except LogError as failure:
            _log.warning("a bot's answer was lost", match_id=str(table.match.id), kind=type(failure).__name__)
            return  # what it answers stands already, and whoever proposed it is told so
