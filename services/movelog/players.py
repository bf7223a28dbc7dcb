"""The protocol of what happens to players of matches that have begun: one is replaced, or loses all tokens everywhere.

Seats are fixed once a match has begun, but not who sits there. The log has moves by seats, not by players: so a replacement is
no row of it. The seat's row says who has it now, and who had it before, each until a version (`SeatRecord.replaced`). Two rows
of the log on either side of that version belong to two players, and the hash chain is what it was.

Errors, besides those of lobby.py: NotRunning, ReplacedTooOften, ConsentOutdated.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol
from uuid import UUID

import msgspec

from services.movelog.identities import SeatIdentities
from services.movelog.lobby import LobbyError, SeatRequest
from services.movelog.records import SeatRecord

MAX_REPLACED: Final = 50
"""How often the player of one seat can be replaced: every reading of the match reads them all."""


class NotRunning(LobbyError):  # noqa: N818 - the name says what happened
    """The match has not begun, or is over."""


class ReplacedTooOften(LobbyError):  # noqa: N818
    """MAX_REPLACED players have had the seat before."""


class ConsentOutdated(LobbyError):  # noqa: N818
    """The seat has had another player since the table was asked."""


class Replacement(msgspec.Struct, frozen=True, kw_only=True):
    """A player who is to have a seat of a running match in place of another."""

    tenant: str
    seat: int
    version: int
    """The match must be at this version: until it, the player before had the seat."""
    player: str
    """Not empty."""
    name: str = ""
    data: bytes = b""
    """The player's data as JSON; empty: none."""
    request: SeatRequest | None = None
    asked_at: int | None = None
    """The version at which the table was asked, and later agreed: the seat must have its player since before. None: it has no say."""


class Reached(NamedTuple):
    """How far the revocation of a player has come: everything up to this match is done. Open matches come first."""

    is_open: bool
    match_id: UUID


class RevokedSeats(NamedTuple):
    """What one step of the revocation of a player has done."""

    seats: int
    """Number of seats whose tokens and invites were revoked."""
    reached: Reached | None
    """Where to go on; None: there is no further match."""


class SeatPlayers(Protocol):
    """The players of seats. All methods raise LogUnavailable."""

    async def replace(self, match_id: UUID, wanted: Replacement) -> SeatRecord:
        """Give a seat of a running match to another player, and revoke its tokens; return it with its new generation.

        The new player plays, even if a bot played before. Of two concurrent requests exactly one succeeds at one version and
        for one player. Raises StaleVersion if the match is at another version, NotRunning, ReplacedTooOften, ConsentOutdated,
        SeatRequestTaken, PlayerSeated if the player has any seat of the match, MatchUnknown, and ValueError for a seat the match does not have.
        """
        ...

    async def revoke(
        self, tenant: str, player: str, *, after: Reached | None = None, limit: int
    ) -> RevokedSeats:
        """Revoke the tokens of a player's seats, and the invites to them, in at most `limit` matches of any status.

        It also counts seats that are only reserved for the player. Each call is one transaction.
        """
        ...

    async def identities(self, match_id: UUID) -> tuple[SeatIdentities, ...]:
        """Return how exports commit to the players of every seat, in order; empty for an unknown match."""
        ...
