"""Wait for a seat's turn, and play a seat to the end of the match, so that no turn can be lost.

Nothing here depends on an event that arrives during a subscription. Each wait names the version of the last read
(`GET …/moves?after=version&wait=…`), and the server answers at once if the match has moved on since. So a move made
between any two requests, or while the connection was down, is noticed by the next request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from foldtable_client import types
from foldtable_client.problems import ProblemError

if TYPE_CHECKING:
    from foldtable_client.client import Client

STALE: Final = frozenset({"VERSION_CONFLICT", "NOT_YOUR_TURN", "MATCH_OVER"})
"""Refusals that mean that the match has moved on."""

Choose = Callable[[types.Table], types.Action]


def wait_for_turn(
    client: Client, match_id: str, *, seat: int | None, lang: str | None, since: int | None, poll_seconds: int
) -> types.Table:
    """Return the table as soon as the seat must decide something, or the match is over."""
    while True:
        if since is not None:
            client.poll(match_id, after=since, seconds=poll_seconds)
        table = client.table(match_id, seat=seat, lang=lang)
        if _is_over(table) or table["legal"] is not None:
            return table
        if table["audience"]["kind"] != "seat":
            raise ValueError("this credential is no seat's own: name the seat")
        since = table["version"]


def play(
    client: Client, match_id: str, choose: Choose, *, seat: int | None, lang: str | None, poll_seconds: int
) -> types.Table:
    """Make the moves that `choose` picks until the match is over; return the last table."""
    table: types.Table | None = None
    while True:
        if table is None or (table["legal"] is None and not _is_over(table)):
            since = None if table is None else table["version"]
            table = wait_for_turn(
                client, match_id, seat=seat, lang=lang, since=since, poll_seconds=poll_seconds
            )
        if _is_over(table):
            return table
        decided_on = table["version"]
        try:
            made = client.move(
                match_id, choose(table), version=decided_on, seat=seat, include_table=True, lang=lang
            )
            table = made.get("table")
        except ProblemError as refusal:
            if not _is_stale(refusal, decided_on):
                raise
            table = None


def _is_over(table: types.Table) -> bool:
    return table["match"]["status"] == "ended"


def _is_stale(refusal: ProblemError, decided_on: int) -> bool:
    """Return whether a move only came too late, so that deciding again helps, and is not wrong in itself."""
    if refusal.current_version is not None:
        return refusal.current_version > decided_on
    return refusal.reason in STALE
