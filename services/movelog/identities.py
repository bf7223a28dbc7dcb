"""How an export commits to who a player was, so that the player can be erased without a hash that changes.

Decision. No row of the log names a player: rows are of seats, and a row's only text is its request id, which clients make up. So
the hash chain needs no change when somebody is erased, and rows of every release stay as they are. Who had a seat stands
beside the log (`seats`) and in the export's `players`, under `players_hash`. That hash once covered ids and names themselves:
without them it could not be computed again, and whoever knows the secret, which is public in the end, could have
tried names until one fits. So it covers a commitment to each player in their place: SHA-256 over a salt of 16 bytes, the match, the seat, the
id and the name. The export has the salt, and everybody can check the commitment. Erasing takes id, name and salt away
and keeps the commitment: `players_hash` of players with salts and every hash of a row stay what they were, the export says `erased`, and nothing is left by
which a guess could be tested. Whoever has an export of before can still show who it was; nobody else can.

Only the signature of an export changes, because the document does. What is erased is never a part of a row, so nobody can hide a changed move behind it.
A match of before has no salts. Its export has none, as ever, until somebody is erased: then this player's commitment is made
with a salt that is thrown away at once, and the others are committed to with an empty salt. So `players_hash` of such a match changes whenever
one of them is erased.

The hashes do not show who erased a player: whoever has an export can put the right commitment in a player's place, and nothing but the signature tells.
"""

from __future__ import annotations

import hashlib
from typing import Final
from uuid import UUID

import msgspec

from services.movelog.chain import sized

DOMAIN: Final = b"foldtable.player.v1"
SALT_BYTES: Final = 16
NO_SALT: Final = b""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """How an export commits to one player of a seat."""

    salt: bytes = NO_SALT
    """Empty: the player came under a release without salts, or is erased."""
    erased: bytes = b""
    """The commitment that is left of an erased player; empty: the player is not erased."""


class SeatIdentities(msgspec.Struct, frozen=True, kw_only=True):
    """The same for all players that a seat had."""

    seat: int
    present: Identity = Identity()
    earlier: tuple[Identity, ...] = ()
    """In the order of `SeatRecord.replaced`, and as many."""


def commitment(salt: bytes, match_id: UUID, seat: int, player: str, name: str) -> bytes:
    """Return the 32 bytes by which an export commits to a player of a seat. `match_id` is the one that rows are hashed with."""
    message = (
        DOMAIN
        + sized(salt)
        + match_id.bytes
        + seat.to_bytes(4, "big")
        + sized(player.encode())
        + sized(name.encode())
    )
    return hashlib.sha256(message).digest()
