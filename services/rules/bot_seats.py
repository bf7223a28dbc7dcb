"""Bots at the table: one is handed a seat, and gives it back.

Who plays a seat is no move: nothing of it is in the log, and both may be repeated. The seat keeps its player and its
tokens, so a player who comes back needs nothing new.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.errors import TableCode
from engine.kernel.seats import Seat
from services.movelog.lobby import MatchEnded, SeatFree
from services.movelog.records import SeatRecord
from services.rpc.refusals import Refused, malformed
from services.rules.tables import Table, Tables

STAND_IN: Final = "greedy"
"""Who plays for a player whose time is up, where the match says that a bot does."""


async def stand_in(tables: Tables, table: Table, seat: Seat) -> None:
    """Let a bot of the house play for a late player from now on; a seat that a bot plays already keeps its own.

    The caller holds the table.
    """
    await tables.check_seating(table)
    if not table.seating.seats[seat].bot:
        await hand_to_bot(tables, table, seat, STAND_IN)


async def hand_to_bot(tables: Tables, table: Table, seat: Seat, bot: str) -> SeatRecord:
    """Let a bot play a seat from now on; `bot` as `bot_names.read_bot` gives it. Refused MATCH_OVER.

    The caller holds the table, and has judged who may ask.
    """
    return await _hand(tables, table, seat, bot)


async def hand_back(tables: Tables, table: Table, seat: Seat) -> SeatRecord:
    """Let the player of a seat play again; nothing happens if no bot did. Refused MATCH_OVER.

    The caller holds the table, and has judged who may ask.
    """
    return await _hand(tables, table, seat, "")


async def _hand(tables: Tables, table: Table, seat: Seat, bot: str) -> SeatRecord:
    try:
        row = await tables.log.lobby.seat_bot(table.match.id, seat, bot)
    except MatchEnded:
        raise Refused(TableCode.MATCH_OVER, "the match is over: nobody plays any more") from None
    except SeatFree:
        raise malformed("$.seat", "nobody has taken this seat") from None
    await tables.read_seating(table)
    return row
