"""Wait for a seat's turn, and play a seat to the end of the match, so that no turn can be lost.

Nothing here depends on an event that arrives during a subscription. Each wait names the version of the last read
(`GET …/moves?after=version&wait=…`), and the server answers at once if the match has moved on since. So a move made
between any two requests, or while the connection was down, is noticed by the next request.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import TYPE_CHECKING, Final

from foldtable_client import types
from foldtable_client.problems import ProblemError
from foldtable_client.sending import Sender

if TYPE_CHECKING:
    from foldtable_client.async_client import AsyncClient

STALE: Final = frozenset({"VERSION_CONFLICT", "NOT_YOUR_TURN", "MATCH_OVER"})
"""Refusals that mean that the match has moved on."""

Choose = Callable[[types.Table], types.Action]
ChooseAsync = Callable[[types.Table], types.Action | Awaitable[types.Action]]


async def wait_for_turn(
    client: AsyncClient,
    match_id: str,
    *,
    seat: int | None,
    lang: str | None,
    since: int | None,
    poll_seconds: int,
) -> types.Table:
    """Return the table as soon as the seat must decide something, or the match is over."""
    while True:
        if since is not None:
            await client.poll(match_id, after=since, seconds=poll_seconds)
        table = await client.table(match_id, seat=seat, lang=lang)
        if _is_over(table) or table["legal"] is not None:
            return table
        if table["audience"]["kind"] != "seat":
            raise ValueError("this credential is no seat's own: name the seat")
        since = table["version"]


async def play(
    client: AsyncClient,
    sender: Sender,
    match_id: str,
    choose: ChooseAsync,
    *,
    seat: int | None,
    lang: str | None,
) -> types.Table:
    """Make the moves that `choose` picks until the match is over; return the last table."""
    table: types.Table | None = None
    while True:
        if table is None or (table["legal"] is None and not _is_over(table)):
            since = None if table is None else table["version"]
            table = await wait_for_turn(
                client, match_id, seat=seat, lang=lang, since=since, poll_seconds=sender.poll_seconds
            )
        if _is_over(table):
            return table
        decided_on = table["version"]
        async with sender.waiting():
            chosen = choose(table)
            action = await chosen if isawaitable(chosen) else chosen
        try:
            made = await client.move(
                match_id, action, version=decided_on, seat=seat, include_table=True, lang=lang
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
