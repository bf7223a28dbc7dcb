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

LONGEST_POLL_SECONDS: Final = 20
STALE: Final = frozenset({"VERSION_CONFLICT", "NOT_YOUR_TURN", "MATCH_OVER"})
"""Refusals that mean that the match has moved on."""

Choose = Callable[[types.LegalActionsAnswer], types.Action]


def wait_for_turn(
    client: Client,
    match_id: str,
    *,
    seat: int | None,
    since: int | None,
    samples: int,
    poll_seconds: int,
) -> types.LegalActionsAnswer | None:
    """Return what the seat may do as soon as it must decide something; None once the match is over."""
    while True:
        if since is not None and client.poll(match_id, after=since, seconds=poll_seconds) == "ended":
            return None
        legal = client.legal_actions(match_id, seat=seat, samples=samples)
        if legal["pending"] is not None:
            return legal
        since = legal["version"]


def play(
    client: Client, match_id: str, choose: Choose, *, seat: int | None, samples: int, poll_seconds: int
) -> types.Match:
    """Make the moves that `choose` picks until the match is over; return the match."""
    since = None
    while True:
        turn = wait_for_turn(
            client, match_id, seat=seat, since=since, samples=samples, poll_seconds=poll_seconds
        )
        if turn is None:
            return client.match(match_id)
        action = choose(turn)
        since = None
        try:
            made = client.move(match_id, action, version=turn["version"], seat=seat)
        except ProblemError as refusal:
            if not _is_stale(refusal, turn["version"]):
                raise
        else:
            if turn["seat"] not in made["to_act"]:
                since = made["version"]


def _is_stale(refusal: ProblemError, decided_on: int) -> bool:
    """Return whether a move only came too late, so that deciding again helps, and is not wrong in itself."""
    if refusal.current_version is not None:
        return refusal.current_version > decided_on
    return refusal.reason in STALE
