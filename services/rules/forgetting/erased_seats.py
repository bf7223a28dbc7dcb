"""What becomes of a seat when a player is erased who has it, or had it before.

Ruling. Before the start the seat is free again, as if the player had left. Once the match has begun it stays taken, by a player without an
id and without a name: the hand, the moves and the clock are the seat's, and the other players' match goes on. Its tokens are
revoked, so nobody plays it until the platform issues a new one, replaces the player, lets a bot play, resigns the seat or calls the match off; a clock that runs out
decides as for any player who is away. Of a player who had the seat before stays until which version that was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec

from services.movelog.identities import Identity, commitment

_HAS_NO_NAME: Final = {"player": "", "name": ""}


class StoredSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `seats`, as far as erasing needs it."""

    match_id: UUID
    known_as: UUID
    """The id that rows of the match are hashed with."""
    has_begun: bool
    seat: int
    player: str
    name: str
    present: Identity
    replaced: Sequence[dict[str, Any]]
    """As it is stored: who had the seat before, in order."""
    earlier: Sequence[Identity]


class ErasedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """The change of a row of `seats`."""

    match_id: UUID
    seat: int
    is_left: bool
    """The player has the seat at present, and loses it."""
    is_freed: bool
    """It is free again."""
    erased: bytes | None
    """The commitment that is left of the player who had it; None: another player has it, or it is free."""
    replaced: str
    """The new value of this column, as JSON."""
    count: int
    """How often the player stood in the row."""


def erased_seat(row: StoredSeat, player: str, salt: bytes) -> ErasedSeat:
    """Return what is left of a row without a player. `salt` is for those who came when there were no salts; nobody keeps it."""
    is_left = row.player == player
    replaced = [
        _without(row, one, identity, player, salt)
        for one, identity in zip(row.replaced, row.earlier, strict=True)
    ]
    named = sum(one["player"] == player for one in row.replaced)
    return ErasedSeat(
        match_id=row.match_id,
        seat=row.seat,
        is_left=is_left,
        is_freed=is_left and not row.has_begun,
        erased=_left_of(row, row.present, row.player, row.name, salt) if is_left and row.has_begun else None,
        replaced=msgspec.json.encode(replaced).decode(),
        count=named + is_left,
    )


def _without(
    row: StoredSeat, one: dict[str, Any], identity: Identity, player: str, salt: bytes
) -> dict[str, Any]:
    if one["player"] != player:
        return one
    kept = {name: value for name, value in one.items() if name != "salt"} | _HAS_NO_NAME
    return kept | {"erased": _left_of(row, identity, one["player"], one["name"], salt).hex()}


def _left_of(row: StoredSeat, identity: Identity, player: str, name: str, salt: bytes) -> bytes:
    return commitment(identity.salt or salt, row.known_as, row.seat, player, name)
