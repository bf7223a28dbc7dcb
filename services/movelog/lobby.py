"""The protocol of seats before the start: who takes one, gives it back, or begins without it.

Every statement that takes, frees or counts seats holds its match first (takers share it, leaving and starting
have it alone), so a match never starts with a seat that was just given back, and never without one that was
just taken. Seats stay as they are once the match has begun; only their tokens can still be revoked, and a bot can
play in a player's place.

LobbyError
  MatchStarted        the match has begun, so its seats no longer change hands
  MatchEnded          the match is over, so nobody plays any more
  SeatTaken           somebody sits there
  SeatKept            the seat is kept for somebody else
  SeatFree            nobody sits there
  InviteRevoked       this invite is no longer the one that counts
  NoFreeSeat          no seat is open
  SeatsFree           the match cannot start: the seats that are taken are not those it would start with
  NoOpenMatch         no match waits for such a player
  SeatRequestTaken    this request id has been used to take a seat
"""

from __future__ import annotations

from typing import Final, Protocol
from uuid import UUID

import msgspec

from services.movelog.failures import LogError
from services.movelog.records import Append, JoinedBy, Match, Seating, SeatRecord, SeatState

MARK_BYTES: Final = 16
"""What a request's mark is long."""


class LobbyError(LogError):
    """Why a seat did not change hands, or a match did not start. Nothing was written."""


class MatchStarted(LobbyError):  # noqa: N818 - the name says what happened
    """The match has begun."""


class MatchEnded(LobbyError):  # noqa: N818
    """The match is over."""


class SeatTaken(LobbyError):  # noqa: N818
    """Somebody sits there."""


class SeatKept(LobbyError):  # noqa: N818
    """The seat is kept for somebody else: for the holder of its invite, or a player of the match before."""


class SeatFree(LobbyError):  # noqa: N818
    """Nobody sits there, or the token is of somebody who did before."""


class InviteRevoked(LobbyError):  # noqa: N818
    """Another invite for the seat was made since, or all were revoked."""


class NoFreeSeat(LobbyError):  # noqa: N818
    """No seat of the match is open."""


class SeatsFree(LobbyError):  # noqa: N818
    """The seats that are taken are not exactly those the match would start with."""


class NoOpenMatch(LobbyError):  # noqa: N818
    """No public match with an open seat fits."""


class SeatRequestTaken(LobbyError):  # noqa: N818
    """The tenant has used this request id to take a seat; `Lobby.requested` tells which."""


class SeatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to take a seat that can be repeated safely."""

    tenant: str
    request_id: str
    """Unique per tenant."""
    mark: bytes
    """Tells apart requests that carry the same id; MARK_BYTES."""


class SeatGiven(msgspec.Struct, frozen=True, kw_only=True):
    """What an earlier request was given."""

    match_id: UUID
    seat: int
    mark: bytes
    generation: int
    """The seat's then. A seat of another one has changed hands since, or had its tokens revoked."""


class SeatWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Who wants which seat."""

    seat: int | None = None
    """None: the lowest that is open."""
    player: str = ""
    """Empty: whom the seat is kept for, if anybody."""
    name: str = ""
    data: bytes = b""
    """What the player says besides the name, JSON; empty: what was said before."""
    by: JoinedBy = JoinedBy.JOIN
    invite: int | None = None
    """The generation of the invite that is used."""
    request: SeatRequest | None = None


class SeatChange(msgspec.Struct, frozen=True, kw_only=True):
    """What the player of a seat says anew."""

    name: str | None = None
    """None: as it was."""
    data: bytes | None = None
    """JSON; empty: nothing any more. None: as it was."""


class QuickJoin(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches will do, and who wants to play."""

    tenant: str
    game: str
    rules_versions: tuple[str, ...]
    """Any of these rules will do; those the asking server can play."""
    player: str = ""
    """Never seated twice at the same match; empty: nobody in particular."""
    name: str = ""
    seats: int | None = None
    """None: any number of players."""
    options: bytes | None = None
    """None: any options."""
    request: SeatRequest | None = None


class Lobby(Protocol):
    """The seats of every match. All methods raise LogUnavailable, and MatchUnknown for a match that is not there."""

    async def seating(self, match_id: UUID) -> Seating:
        """Give every seat as it is now, and the watchers' generation."""
        ...

    async def claim(self, match_id: UUID, wanted: SeatWanted) -> SeatRecord:
        """Take a seat. Two at once: exactly one gets it.

        An open seat is for everybody, an invited one for its invite, a reserved one for its player, whom the token of
        the match before proves (JoinedBy.REMATCH) or the tenant names. A named player who already sits on the very seat gets the same claim again. MatchStarted, SeatTaken, SeatKept,
        InviteRevoked, NoFreeSeat, SeatRequestTaken; ValueError for a seat the match does not have.
        """
        ...

    async def requested(self, tenant: str, request_id: str) -> SeatGiven | None:
        """Give what an earlier request with this id was given."""
        ...

    async def quick_join(self, wanted: QuickJoin, otherwise: Match | None) -> tuple[UUID, SeatRecord]:
        """Take an open seat at the oldest public match that waits and fits; give the match and the seat.

        If there is none, `otherwise` is stored and its first seat taken; None: NoOpenMatch. Many at once share the
        matches there are, and a new one, before they make another. SeatRequestTaken.
        """
        ...

    async def leave(self, match_id: UUID, seat: int, generation: int | None) -> SeatRecord:
        """Free a seat and revoke its tokens; with a generation, only while it is the seat's.

        A seat that was taken by invite is kept for an invite again, any other is open. A free seat that was kept
        becomes open. What the player said goes too, but for the name of who was invited. MatchStarted, SeatFree; ValueError as in `claim`.
        """
        ...

    async def update_seat(
        self, match_id: UUID, seat: int, generation: int | None, change: SeatChange
    ) -> SeatRecord:
        """Change what the player of a seat says, at any time; with a generation, only while it is the seat's.

        Repeating changes nothing. SeatFree; ValueError as in `claim`.
        """
        ...

    async def invite(self, match_id: UUID, seat: int, player: str, name: str) -> SeatRecord:
        """Keep a free seat for a new invite, and revoke the earlier ones. MatchStarted, SeatTaken; ValueError."""
        ...

    async def revoke(self, match_id: UUID, seat: int) -> SeatRecord:
        """Revoke a seat's tokens and invites, at any time; ValueError as in `claim`."""
        ...

    async def revoke_watchers(self, match_id: UUID) -> int:
        """Revoke the tokens of spectators and referees; give the generation that counts from now on."""
        ...

    async def seat_bot(self, match_id: UUID, seat: int, bot: str) -> SeatRecord:
        """Let a bot play a seat from now on; empty: its player again.

        Before the start a free seat is the bot's from then on, and an invite to it no longer good. A seat that is taken
        keeps its player and its tokens: the bot stands in. Repeating changes nothing. MatchEnded; SeatFree for a seat
        nobody could have back; ValueError as in `claim`.
        """
        ...

    async def start(self, append: Append, seats: int) -> None:
        """Write the first move, if exactly the first `seats` seats are taken; the others are there no more.

        Durable on return. StaleVersion, SeatsFree.
        """
        ...

    async def rematch_of(self, match_id: UUID) -> Match | None:
        """Give the match that follows this one, if there is one."""
        ...


def why_not(held: SeatRecord, wanted: SeatWanted) -> LobbyError | None:
    """Give why a seat that stands like this cannot be taken so; None if it can."""
    if held.state is SeatState.TAKEN:
        return SeatTaken(f"seat {held.seat} is taken")
    if wanted.invite is not None:
        if held.state is SeatState.INVITED and held.invite_generation == wanted.invite:
            return None
        return InviteRevoked(f"this invite to seat {held.seat} was revoked")
    if held.state is SeatState.OPEN:
        return None
    is_player = wanted.by is JoinedBy.REMATCH or (wanted.player and held.player == wanted.player)
    if held.state is SeatState.RESERVED and is_player:
        return None
    return SeatKept(f"seat {held.seat} is kept for somebody else")


def first_seat(wanted: QuickJoin) -> SeatRecord:
    """Give the seat at a match that is made for want of one."""
    return SeatRecord(
        seat=0,
        state=SeatState.TAKEN,
        player=wanted.player,
        name=wanted.name,
        joined_by=JoinedBy.QUICK_JOIN,
    )
