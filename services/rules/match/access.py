"""Access to matches: every request about a match is authorized here, by the rules of permissions.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType
from typing import Protocol
from uuid import UUID

from engine.kernel.seats import Audience, Seat
from foldtable.rules.v1 import table_pb2
from services.identity.callers import (
    ANONYMOUS,
    TOKEN_MISSING,
    AnonymousCaller,
    AnyCaller,
    Caller,
    Callers,
    InviteCaller,
    PlayerCaller,
    TenantCaller,
    WatchCaller,
)
from services.identity.match_tokens import MatchToken, Role
from services.movelog.failures import MatchUnknown
from services.movelog.records import Match, SeatClaim, Seating, Status, Visibility
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed, match_not_found
from services.rules.match import starting
from services.rules.match.admissible import check_request_id
from services.rules.match.loaded_match import LoadedMatch, may_be_gone, may_have_changed
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import (
    as_player,
    audience,
    may_enter,
    may_join,
    may_name,
    may_read_with_invite,
    may_use_invite,
)
from services.rules.match.playable import NotPlayableHere
from services.rules.match.token_use import is_newer, look_again


@dataclass(frozen=True, kw_only=True)
class AuthorizedMatch:
    """A caller, and the match it has access to, without the folded state."""

    caller: Caller
    match: Match
    seating: Seating


class Anonymous(Protocol):
    """Knows what may be read without a credential; services.identity.anonymous_reads.AnonymousReads does."""

    async def allowed(self, match_id: UUID) -> bool:
        """Return whether anybody may read a match."""
        ...


class Purpose(Enum):
    """What a caller opens a match for; some callers may only read."""

    ACT = auto()
    """Anything that needs a seat, a watch token or an API key."""
    READ = auto()
    """Reading it as it is: also with an invite to it, and without a credential where its tenant allows that."""
    REPLAY = auto()
    """Reading what it was: also without a credential."""


class MatchAccess:
    """Authorizes callers at matches, or raises Refused."""

    def __init__(self, cache: MatchCache, callers: Callers, anonymous: Anonymous) -> None:
        self.cache = cache
        self.callers = callers
        self._anonymous = anonymous

    async def caller(self, authorization: str | None, purpose: Purpose = Purpose.ACT) -> AnyCaller:
        """Return the caller that a request's authorization identifies."""
        if not authorization and purpose is not Purpose.ACT:
            return ANONYMOUS
        return await self.callers.authenticate(authorization)

    async def may_read_anonymously(self, match_id: str) -> None:
        """Raises Refused TOKEN_MISSING unless a match may be read without a credential."""
        await self.named(ANONYMOUS, match_id)

    def invite(self, text: str) -> InviteCaller:
        """Return what an invite in a request says. Raises Refused INVITE_INVALID."""
        try:
            invite = self.callers.token(text)
        except Refused:
            raise Refused(Reason.INVITE_INVALID, "this invite is no longer valid", field="$.invite") from None
        if not isinstance(invite, MatchToken) or invite.role is not Role.INVITE:
            raise malformed("$.invite", "is a token, but not an invite")
        assert invite.seat is not None  # the reader lets no other invite pass
        return InviteCaller(invite.match_id, Seat(invite.seat), invite.generation)

    def has_state(self, caller: AnyCaller, match_id: str, version: int) -> bool:
        """Return whether a version can be shown to a caller cheaply. False for other tenants' matches, as for unknown ones."""
        wanted = match_named(match_id)
        loaded = self.cache.cached(wanted)
        if loaded is None:
            return False
        match caller:
            case TenantCaller() | PlayerCaller():
                is_own = loaded.match.tenant == caller.tenant
            case AnonymousCaller():
                is_own = loaded.match.visibility is Visibility.PUBLIC
            case _:
                is_own = caller.match_id == wanted
        return is_own and self.cache.has_state(wanted, version)

    def open(
        self,
        authorization: str | None,
        match_id: str,
        *,
        seat: int | None = None,
        purpose: Purpose = Purpose.ACT,
        fresh: bool = False,
    ) -> OpenMatch:
        """Return what authorizes a caller and holds the match's lock within a block; it starts the match if its seats are full.

        The block gets the caller and the match. `seat` is the seat that the request names, if any. `fresh`: check that a
        token was not revoked before the call. Moves need no such check: see moves.py.
        """
        return OpenMatch(self, authorization, match_id, seat, purpose, fresh=fresh)

    @asynccontextmanager
    async def open_to_join(
        self, authorization: str | None, match_id: str, invite: InviteCaller | None = None
    ) -> AsyncIterator[tuple[Caller | PlayerCaller, LoadedMatch]]:
        """Authorize a caller that wants a seat, as `open` does. `invite` is the invite that a player's request contains."""
        asking = await self.caller(authorization)
        wanted = await self.named(asking, match_id)
        try:
            async with self.cache.hold(wanted) as loaded:
                if may_have_changed(loaded) or isinstance(asking, PlayerCaller):
                    await self.cache.read_seating(loaded)
                _may_take_a_seat(asking, loaded.match, loaded.seating, invite)
                if loaded.version == 0:
                    await starting.start_when_full(self.cache, loaded)
                yield _known(asking), loaded
        except NotPlayableHere:
            match = await self.cache.log.find(wanted)
            _may_take_a_seat(asking, match, await self.cache.log.lobby.seating(wanted), invite)
            raise

    async def enter(
        self, authorization: str | None, match_id: str, purpose: Purpose = Purpose.ACT
    ) -> AuthorizedMatch:
        """Authorize a caller at a match of any game, without folding it; a bot operator only where a bot has a seat."""
        asking = await self.caller(authorization, purpose)
        return await self.authorized(asking, await self.named(asking, match_id, bots=True), purpose)

    async def named(self, caller: AnyCaller, text: str, *, bots: bool = False) -> UUID:
        """Return the id of the match a caller names, by its own id or by the id it was imported with."""
        wanted = match_named(text)
        match caller:
            case TenantCaller():
                may_name(caller, wanted, bots=bots)
                return await self._own(caller.tenant, wanted)
            case PlayerCaller():
                return await self._own(caller.tenant, wanted)
            case AnonymousCaller():
                if not await self._anonymous.allowed(wanted):  # the same for private and for unknown matches
                    raise Refused(Reason.TOKEN_MISSING, TOKEN_MISSING)
                return wanted
        if caller.match_id != wanted:
            try:
                known_as = (await self.cache.log.find(caller.match_id)).known_as
            except MatchUnknown:
                known_as = caller.match_id
            may_name(caller, caller.match_id if known_as == wanted else wanted)
        return caller.match_id

    async def _own(self, tenant: str, wanted: UUID) -> UUID:
        """Return the id of the match that a tenant names. Raises Refused MATCH_NOT_FOUND.

        Another tenant's match is refused after the same lookup as an unknown one, whether or not it is cached here, so
        that the time a refusal takes reveals nothing.
        """
        loaded = self.cache.cached(wanted)
        if loaded is not None and loaded.match.tenant == tenant and not may_be_gone(loaded):
            return wanted
        own = await self.cache.log.own(tenant, wanted)
        if own is None:
            raise match_not_found()
        return own

    async def authorized(
        self, asking: AnyCaller, wanted: UUID, purpose: Purpose, seat: int | None = None
    ) -> AuthorizedMatch:
        """Return a caller that is known at a match it has named. Raises Refused if it may not enter. The log is read for it."""
        try:
            match = await self.cache.log.find(wanted)
        except MatchUnknown:
            raise match_not_found() from None
        seating = await self.cache.log.lobby.seating(wanted)
        caller = at_match(asking, match, seating.claims, seat)
        if isinstance(caller, InviteCaller) and purpose is Purpose.READ:
            may_read_with_invite(caller, match, seating)
        else:
            may_enter(caller, match, seating.claims, bots=True)
        return AuthorizedMatch(caller=caller, match=match, seating=seating)


class OpenMatch:
    """A match that is open for a caller, within a block. A class for the reason that `Entry` of the cache is one.

    Nothing suspends for the holder of a known token at a match whose seating is known and whose lock is free.
    """

    __slots__ = (
        "_access",
        "_asking",
        "_authorization",
        "_fresh",
        "_hold",
        "_match_id",
        "_purpose",
        "_seat",
        "_wanted",
    )
    _asking: AnyCaller

    def __init__(
        self,
        access: MatchAccess,
        authorization: str | None,
        match_id: str,
        seat: int | None,
        purpose: Purpose,
        *,
        fresh: bool,
    ) -> None:
        self._access = access
        self._authorization = authorization
        self._match_id = match_id
        self._seat = seat
        self._purpose = purpose
        self._fresh = fresh

    async def __aenter__(self) -> tuple[Caller, LoadedMatch]:
        access = self._access
        known = access.callers.known(self._authorization)
        if known is not None and known.match_name == self._match_id:
            self._asking = known.caller
            self._wanted = known.caller.match_id
        else:
            self._asking = await access.caller(self._authorization, self._purpose)
            self._wanted = await access.named(self._asking, self._match_id)
        self._hold = hold = access.cache.hold(self._wanted)
        try:
            loaded = await hold.__aenter__()
        except NotPlayableHere:
            await self._must_enter()
            raise
        try:
            return await self._caller_at(loaded), loaded
        except BaseException as error:
            await self.__aexit__(type(error), error, None)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._hold.__aexit__(kind, error, trace)
        if isinstance(error, NotPlayableHere):
            await self._must_enter()

    async def _must_enter(self) -> None:
        """Raises Refused for a caller that may not know of the match: it does not learn either that it is not played here."""
        await self._access.authorized(self._asking, self._wanted, self._purpose, self._seat)

    async def _caller_at(self, loaded: LoadedMatch) -> Caller:
        """Return what the caller is at the match. Raises Refused if it may not enter."""
        asking, cache = self._asking, self._access.cache
        if may_have_changed(loaded) or (self._fresh and not isinstance(asking, TenantCaller)):
            await cache.read_seating(loaded)
        caller = at_match(asking, loaded.match, loaded.claims, self._seat)
        if isinstance(caller, InviteCaller) and self._purpose is Purpose.READ:
            may_read_with_invite(caller, loaded.match, loaded.seating)
        elif is_newer(caller, loaded):
            await look_again(cache, loaded, caller)
        else:
            may_enter(caller, loaded.match, loaded.claims)
        if loaded.version == 0:
            await starting.start_when_full(cache, loaded)
        return caller


def at_match(
    asking: AnyCaller, match: Match, claims: tuple[SeatClaim, ...], seat: int | None = None
) -> Caller:
    """Return what a caller is at a match. Raises Refused MATCH_NOT_FOUND as `as_player` does."""
    match asking:
        case PlayerCaller():
            return as_player(asking, match, claims, seat)
        case AnonymousCaller():  # `named` has asked whether the match may be read
            return WatchCaller(match.id, Role.SPECTATOR, match.watch_generation, asking.account)
        case _:
            return asking


def _known(asking: AnyCaller) -> Caller | PlayerCaller:
    assert not isinstance(asking, AnonymousCaller)  # nobody joins without a credential
    return asking


def _may_take_a_seat(asking: AnyCaller, match: Match, seating: Seating, invite: InviteCaller | None) -> None:
    match _known(asking):
        case PlayerCaller() as player:
            may_join(player, match, seating, invite)
        case InviteCaller() as own:
            may_use_invite(own, match, seating)
        case caller:
            may_enter(caller, match, seating.claims)


def audience_at(caller: Caller, loaded: LoadedMatch, wanted: table_pb2.Audience) -> Audience:
    """Return the audience a call may look as; once the match is over, any. `loaded` is up to date."""
    return audience(caller, loaded.match, wanted, over=loaded.status is Status.ENDED)


def seat_of(wanted: table_pb2.Audience) -> int | None:
    """Return the seat that an audience names, if it names one."""
    return wanted.seat if wanted.HasField("seat") else None


def match_named(text: str) -> UUID:
    """Return a match id; text that is no id is refused like an unknown match."""
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)


def request_id(text: str) -> str:
    """Return a client's request id. Raises Refused for one that cannot be stored."""
    check_request_id(text)
    return text
