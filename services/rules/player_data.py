"""What a player says at a seat: a name, and data beside it, for the others to see. The house shows both and reads neither."""

from __future__ import annotations

from typing import Final

import msgspec

from services.movelog.lobby import SeatChange, SeatFree
from services.movelog.records import SeatRecord
from services.rpc.callers import Caller, SeatCaller
from services.rpc.refusals import malformed
from services.rules.permissions import acting_seat
from services.rules.seating import MAX_NAME, check_text
from services.rules.tables import Table, Tables

MAX_DATA: Final = 1_024
"""Bytes of JSON without blanks; a listing of a thousand matches carries the data of all their players."""


def read_data(data: bytes, at: str = "$.data") -> bytes:
    """Give JSON as it is kept, without blanks; empty for `null` and for nothing. Refused MALFORMED_REQUEST."""
    if len(data) > 4 * MAX_DATA:  # so much blank nobody needs
        raise malformed(at, f"has {len(data)} bytes; at most {MAX_DATA} are kept")
    if not data:
        return b""
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise malformed(at, "is not JSON that everybody reads alike") from None
    if value is None:
        return b""
    kept = msgspec.json.encode(value)
    if len(kept) > MAX_DATA:
        raise malformed(at, f"has {len(kept)} bytes; at most {MAX_DATA} are kept")
    return kept


async def update_seat(
    tables: Tables, table: Table, caller: Caller, seat: int | None, name: str | None, data: bytes | None
) -> SeatRecord:
    """Change what is said at a seat, by its player or the tenant, before the start as after the end.

    None leaves a thing as it is. It is no move: nothing of it is in the log, and a repeat changes nothing. The caller
    holds the table. Refused MALFORMED_REQUEST, SEAT_FORBIDDEN.
    """
    changed = acting_seat(caller, table.match, seat)
    if name is None and data is None:
        raise malformed("$", "must say `name` or `data`, or both")
    if name is not None:
        check_text(name, "$.name", MAX_NAME)
    change = SeatChange(name=name, data=None if data is None else read_data(data))
    generation = caller.generation if isinstance(caller, SeatCaller) else None
    try:
        row = await tables.log.lobby.update_seat(table.match.id, changed, generation, change)
    except SeatFree:
        raise malformed("$.seat", "nobody has taken this seat") from None
    await tables.read_seating(table)
    return row
