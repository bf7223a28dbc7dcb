"""The values a match and its players may have, whether the match is created, joined, renamed or imported.

There is one set of rules. Exceptions for imports are explained where they are: exports of older releases stay importable.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final
from uuid import UUID

from services.process.bounds import MAX_NAME, MAX_PLAYER, MAX_REQUEST_ID
from services.rpc.free_text import must_be_id, read_text
from services.rpc.refusals import malformed

MAX_PLAYER_OF_OLD: Final = 100
"""Code points of a player's id in matches of the first release, whose exports can still be imported."""
CLOCKS_APART: Final = timedelta(minutes=1)
"""Tolerance for servers' clocks that differ: an earlier release recorded each move by its own server's clock."""


def named_player(player: str, name: str, *, at: str = "$") -> str:
    """Return the name of a player as it is stored. Raises Refused for an id or a name that cannot be taken."""
    must_be_id(player, f"{at}.player", MAX_PLAYER)
    return read_text(name, f"{at}.name", MAX_NAME)


def imported_name(player: str, name: str, *, at: str) -> str:
    """Return the name of an imported player as it is stored. Raises Refused for an id or a name that cannot be taken.

    The id stays as it is, though a new one would have to be in normalization form C: older releases took others.
    """
    read_text(player, f"{at}.player", MAX_PLAYER_OF_OLD)
    return read_text(name, f"{at}.name", MAX_NAME)


def check_request_id(text: str, at: str = "$.request_id") -> None:
    """Raises Refused for a request id that cannot be stored."""
    if len(text) > MAX_REQUEST_ID or not (text.isascii() and text.isprintable()):
        raise malformed(at, f"must be at most {MAX_REQUEST_ID} printable ASCII characters")


def check_match_id(match_id: UUID) -> None:
    """Raises Refused for the id that means "no match"."""
    if not match_id.int:
        raise malformed("$.match_id", "is the id of no match")


def check_seats_named(seats: Iterable[int], count: int) -> None:
    """Raises Refused if a seat is named that the match does not have, or one seat twice."""
    named: set[int] = set()
    for number, seat in enumerate(seats):
        if not 0 <= seat < count:
            raise malformed(f"$.players[{number}].seat", "is a seat that the match does not have")
        if seat in named:
            raise malformed(f"$.players[{number}].seat", "is named twice; everybody in a seat is named once")
        named.add(seat)


def check_moments(created_at: datetime, recorded: Iterable[datetime], *, now: datetime | None = None) -> None:
    """Raises Refused if times of a match run backwards or lie in the future."""
    latest = (now or datetime.now(UTC)) + CLOCKS_APART
    if created_at > latest:
        raise malformed("$.created_at", "is in the future")
    for number, (before, moment) in enumerate(pairwise((created_at, *recorded))):
        at = f"$.moves[{number}].recorded_at"
        if moment < before - CLOCKS_APART:
            raise malformed(at, f"is before {_what(number)}")
        if moment > latest:
            raise malformed(at, "is in the future")


def _what(number: int) -> str:
    return "the match was created" if number == 0 else "the time of the move before"
