"""The protocol of seats before the start: taking them, freeing them, starting without them.

Every statement that takes, frees or counts seats locks its match first (a shared lock for taking, an exclusive one for
leaving and starting), so a match never starts with a seat that was just freed, and never without one that was
just taken. Seats are fixed once the match has begun; only their tokens can still be revoked, and a bot can
play for a player.

LobbyError
  MatchStarted        the match has begun, so its seats are fixed
  MatchEnded          the match is over, so no seat can be handed to a bot
  SeatTaken           the seat is taken
  SeatKept            the seat is reserved for somebody else
  SeatFree            the seat is not taken
  InviteRevoked       this invite is no longer valid
  NoFreeSeat          no seat is open
  SeatsFree           the match cannot start: the taken seats are not those it would start with
  NoOpenMatch         no match with a free seat fits the player
  SeatRequestTaken    this request id has been used to take a seat
  PlayerSeated        the player has another seat of the match
  TooManyWaiting      the player sits in as many matches that have not begun as may be
"""

from __future__ import annotations

from typing import Final, Protocol
from uuid import UUID

import msgspec

from services.movelog.failures import LogError
from services.movelog.records import Append, JoinedBy, Match, Seating, SeatRecord, SeatState, TokenUse

MARK_BYTES: Final = 16
"""Length of a request's mark in bytes."""


class LobbyError(LogError):
    """A seat was not taken or freed, or a match did not start. Nothing was written."""


class MatchStarted(LobbyError):  # noqa: N818 - the name says what happened
    """The match has begun."""


class MatchEnded(LobbyError):  # noqa: N818
    """The match is over."""


class SeatTaken(LobbyError):  # noqa: N818
    """The seat is taken."""


class SeatKept(LobbyError):  # noqa: N818
    """The seat is reserved for somebody else: for the holder of its invite, or a player of the previous match."""


class SeatFree(LobbyError):  # noqa: N818
    """The seat is not taken, or the token belongs to somebody who had it before."""


class PlayerErased(LobbyError):  # noqa: N818
    """The seat's player is erased, and nobody is in the player's place."""


class InviteRevoked(LobbyError):  # noqa: N818
    """A newer invite to the seat was made, or all were revoked."""


class NoFreeSeat(LobbyError):  # noqa: N818
    """No seat of the match is open."""


class SeatsFree(LobbyError):  # noqa: N818
    """The taken seats are not exactly those the match would start with."""


class NoOpenMatch(LobbyError):  # noqa: N818
    """No public match with an open seat fits."""


class SeatRequestTaken(LobbyError):  # noqa: N818
    """The tenant has used this request id to take a seat; `Lobby.requested` returns it."""


class PlayerSeated(LobbyError):  # noqa: N818
    """The player has a seat of the match already; `seat` is its number."""

    def __init__(self, message: str, *, seat: int) -> None:
        super().__init__(message)
        self.seat = seat


class TooManyWaiting(LobbyError):  # noqa: N818
    """The player sits in as many matches that have not begun as may be."""


class PlayerRule(msgspec.Struct, frozen=True, kw_only=True):
    """What must hold of a player who is to get a seat.

    It is looked at in the transaction that takes the seat, and under a lock that the requests for one player take one after
    another. So it holds however many requests come at once, at however many servers.
    """

    tenant: str
    player: str
    only_seat: bool = False
    """Whether the player must have no other seat of the match."""
    most_waiting: int | None = None
    """How many matches that have not begun the player may sit in, with this one; None: any number."""


class SeatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to take a seat that can be repeated safely."""

    tenant: str
    request_id: str
    """Unique per tenant."""
    mark: bytes
    """Distinguishes requests with the same id; MARK_BYTES long."""


class SeatGiven(msgspec.Struct, frozen=True, kw_only=True):
    """The seat that an earlier request got."""

    match_id: UUID
    seat: int
    mark: bytes
    generation: int
    """The seat's generation then. If it differs now, the seat was freed since, or its tokens were revoked."""


class SeatWanted(msgspec.Struct, frozen=True, kw_only=True):
    """A request for a seat."""

    seat: int | None = None
    """None: the lowest open seat."""
    player: str = ""
    """Empty: the player the seat is reserved for, if any."""
    name: str = ""
    data: bytes = b""
    """The player's data as JSON; empty: unchanged."""
    by: JoinedBy = JoinedBy.JOIN
    invite: int | None = None
    """The generation of the invite used."""
    token: TokenUse | None = None
    """The token of the previous match that is used."""
    account: str = ""
    """The account whose rate limits the seat's tokens use; empty: unchanged."""
    rule: PlayerRule | None = None
    """None: anybody may have any number of seats."""
    request: SeatRequest | None = None


class SeatChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of a seat's name, data and readiness."""

    name: str | None = None
    """None: unchanged."""
    data: bytes | None = None
    """JSON; empty: removed. None: unchanged."""
    ready: bool | None = None
    """None: unchanged."""


class QuickJoin(msgspec.Struct, frozen=True, kw_only=True):
    """The matches that fit, and the player who wants to play."""

    tenant: str
    game: str
    rules_versions: tuple[str, ...]
    """Any of these versions of the rules fits; those that the calling server has."""
    player: str = ""
    """The player is never seated twice at the same match; empty: no particular player."""
    name: str = ""
    seats: int | None = None
    """None: any number of players."""
    options: bytes | None = None
    """None: any options."""
    rule: PlayerRule | None = None
    """How many matches the player may wait in; None: any number."""
    request: SeatRequest | None = None


class Lobby(Protocol):
    """The seats of every match. All methods raise LogUnavailable, and MatchUnknown for an unknown match."""

    async def seating(self, match_id: UUID) -> Seating:
        """Return every seat as it is now, and the generation of the watchers' tokens."""
        ...

    async def claim(self, match_id: UUID, wanted: SeatWanted) -> SeatRecord:
        """Take a seat. Of two concurrent requests exactly one gets it.

        An open seat is for everybody, an invited one for its invite, a reserved one for its player, who is proved by the
        token of the previous match (JoinedBy.REMATCH) or named by the tenant. A named player who already has the seat
        gets the same claim again. Raises MatchStarted, SeatTaken, SeatKept, InviteRevoked, NoFreeSeat, SeatRequestTaken;
        TokensRevoked with a token of another match; PlayerSeated and TooManyWaiting by `wanted.rule`; ValueError for a seat
        the match does not have.
        """
        ...

    async def requested(self, tenant: str, request_id: str) -> SeatGiven | None:
        """Return the seat that an earlier request with this id got."""
        ...

    async def quick_join(self, wanted: QuickJoin, otherwise: Match | None) -> tuple[UUID, SeatRecord]:
        """Take an open seat at the oldest public match that waits and fits; return the match's id and the seat.

        If there is none, store `otherwise` and take its first seat; raises NoOpenMatch if it is None. Concurrent requests
        fill the existing matches, and a new one, before they create another. Raises SeatRequestTaken, TooManyWaiting.
        """
        ...

    async def leave(self, match_id: UUID, seat: int, generation: int | None) -> SeatRecord:
        """Free a seat and revoke its tokens; with a generation, only while the seat still has that generation.

        A seat that was taken by invite is reserved for an invite again, any other is open. A reserved free seat
        becomes open. The player's name, data and readiness are removed, except the name of an invited player. Raises MatchStarted,
        SeatFree, or ValueError as in `claim`.
        """
        ...

    async def update_seat(
        self, match_id: UUID, seat: int, generation: int | None, change: SeatChange
    ) -> SeatRecord:
        """Change a player's name or data, at any time, or the readiness; with a generation, only while the seat still has it.

        Repeating changes nothing. Raises SeatFree, PlayerErased; MatchStarted for the readiness after the start; ValueError as in `claim`.
        """
        ...

    async def invite(self, match_id: UUID, seat: int, player: str, name: str) -> SeatRecord:
        """Reserve a free seat for a new invite, and revoke the earlier ones. Raises MatchStarted, SeatTaken, ValueError."""
        ...

    async def revoke(self, match_id: UUID, seat: int) -> SeatRecord:
        """Revoke a seat's tokens and invites, at any time. Raises ValueError as in `claim`."""
        ...

    async def revoke_watchers(self, match_id: UUID) -> int:
        """Revoke the tokens of spectators and referees; return the new generation."""
        ...

    async def seat_bot(
        self, match_id: UUID, seat: int, bot: str, generation: int | None = None
    ) -> SeatRecord:
        """Hand a seat to a bot; if `bot` is empty, back to its player. With a generation, only while the seat still has it.

        Before the start the bot takes a free seat, and invites to it become invalid. A taken seat keeps its player and
        its tokens: the bot plays for the player. Repeating changes nothing. Raises MatchEnded; SeatFree for a seat
        without a player to hand it back to, or of another generation; ValueError as in `claim`.
        """
        ...

    async def start(self, append: Append, seats: int) -> None:
        """Write the first move if exactly the first `seats` seats are taken, and remove the others.

        Durable on return. Raises StaleVersion, SeatsFree, TokensRevoked.
        """
        ...

    async def rematch_of(self, match_id: UUID) -> Match | None:
        """Return the rematch of this match, if there is one."""
        ...


def has_it(held: SeatRecord, wanted: SeatWanted) -> bool:
    """Return whether a seat is that of the named player already, so that the request may have it again.

    An invite works once. The token of the previous match names the player, but does not prove that the seat's own tokens are
    still valid.
    """
    named = wanted.player and wanted.invite is None and wanted.by is not JoinedBy.REMATCH
    return bool(named) and held.state is SeatState.TAKEN and held.player == wanted.player


def why_not(held: SeatRecord, wanted: SeatWanted) -> LobbyError | None:
    """Return why a seat in this state cannot be taken by such a request; None if it can."""
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
    return SeatKept(f"seat {held.seat} is reserved for somebody else")


def first_seat(wanted: QuickJoin) -> SeatRecord:
    """Return the first seat of a match created because none fitted."""
    return SeatRecord(
        seat=0,
        state=SeatState.TAKEN,
        player=wanted.player,
        name=wanted.name,
        joined_by=JoinedBy.QUICK_JOIN,
    )
