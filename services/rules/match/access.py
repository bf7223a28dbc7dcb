"""Access to matches: every request about a match is authorized here, by the rules of permissions.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from engine.kernel.seats import Audience
from foldtable.rules.v1 import table_pb2
from services.identity.callers import Caller, Callers, InviteCaller, TenantCaller
from services.movelog.failures import MatchUnknown
from services.movelog.records import Match, Seating, Status
from services.rpc.refusals import match_not_found
from services.rules.match import starting
from services.rules.match.admissible import check_request_id
from services.rules.match.loaded_match import LoadedMatch, may_have_changed
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import audience, may_enter, may_name, may_use_invite
from services.rules.match.playable import RulesNotHere
from services.rules.match.token_use import is_newer, look_again


@dataclass(frozen=True, kw_only=True)
class AuthorizedMatch:
    """A caller, and the match it has access to, without the folded state."""

    caller: Caller
    match: Match
    seating: Seating


class MatchAccess:
    """Authorizes callers at matches, or raises Refused."""

    def __init__(self, cache: MatchCache, callers: Callers) -> None:
        self._cache = cache
        self._callers = callers

    async def caller(self, authorization: str | None) -> Caller:
        """Return the caller that a request's authorization identifies."""
        return await self._callers.authenticate(authorization)

    def has_state(self, caller: Caller, match_id: str, version: int) -> bool:
        """Return whether a version can be shown to a caller cheaply. False for other tenants' matches, as for unknown ones."""
        wanted = match_named(match_id)
        loaded = self._cache.cached(wanted)
        if loaded is None:
            return False
        is_own = (
            loaded.match.tenant == caller.tenant
            if isinstance(caller, TenantCaller)
            else caller.match_id == wanted
        )
        return is_own and self._cache.has_state(wanted, version)

    @asynccontextmanager
    async def open(
        self, authorization: str | None, match_id: str, *, invites: bool = False, fresh: bool = False
    ) -> AsyncIterator[tuple[Caller, LoadedMatch]]:
        """Authorize a caller and hold the match's lock; start the match if its seats are full. Invites only with `invites`.

        `fresh`: check that a token was not revoked before the call. Moves need no such check: see moves.py.
        """
        caller = await self.caller(authorization)
        wanted = await self._named(caller, match_id)
        try:
            async with self._cache.hold(wanted) as loaded:
                if may_have_changed(loaded) or (fresh and not isinstance(caller, TenantCaller)):
                    await self._cache.read_seating(loaded)
                if invites and isinstance(caller, InviteCaller):
                    may_use_invite(caller, loaded.match, loaded.seating)
                elif is_newer(caller, loaded):
                    await look_again(self._cache, loaded, caller)
                else:
                    may_enter(caller, loaded.match, loaded.claims)
                if loaded.version == 0:
                    await starting.start_when_full(self._cache, loaded)
                yield caller, loaded
        except RulesNotHere:
            await self._enter(
                caller, wanted, invites=invites
            )  # a caller that may not know of the match learns nothing
            raise

    async def enter(self, authorization: str | None, match_id: str) -> AuthorizedMatch:
        """Authorize a caller at a match of any game, without folding it; a bot operator only where a bot has a seat."""
        caller = await self.caller(authorization)
        return await self._enter(caller, await self._named(caller, match_id, bots=True), invites=False)

    async def _named(self, caller: Caller, text: str, *, bots: bool = False) -> UUID:
        """Return the id of the match a caller names, by its own id or by the id it was imported with."""
        wanted = match_named(text)
        if isinstance(caller, TenantCaller):
            may_name(caller, wanted, bots=bots)
            return await self._own(caller.tenant, wanted)
        if caller.match_id != wanted:
            try:
                known_as = (await self._cache.log.find(caller.match_id)).known_as
            except MatchUnknown:
                known_as = caller.match_id
            may_name(caller, caller.match_id if known_as == wanted else wanted)
        return caller.match_id

    async def _own(self, tenant: str, wanted: UUID) -> UUID:
        """Return the id of the match that a tenant names. Raise Refused MATCH_NOT_FOUND.

        Another tenant's match is refused after the same lookup as an unknown one, whether or not it is cached here, so
        that the time a refusal takes reveals nothing.
        """
        loaded = self._cache.cached(wanted)
        if loaded is not None and loaded.match.tenant == tenant:
            return wanted
        own = await self._cache.log.own(tenant, wanted)
        if own is None:
            raise match_not_found()
        return own

    async def _enter(self, caller: Caller, wanted: UUID, *, invites: bool) -> AuthorizedMatch:
        try:
            match = await self._cache.log.find(wanted)
        except MatchUnknown:
            raise match_not_found() from None
        seating = await self._cache.log.lobby.seating(wanted)
        if invites and isinstance(caller, InviteCaller):
            may_use_invite(caller, match, seating)
        else:
            may_enter(caller, match, seating.claims, bots=True)
        return AuthorizedMatch(caller=caller, match=match, seating=seating)


def audience_at(caller: Caller, loaded: LoadedMatch, wanted: table_pb2.Audience) -> Audience:
    """Return the audience a call may look as; once the match is over, any. `loaded` is up to date."""
    return audience(caller, loaded.match, wanted, over=loaded.status is Status.ENDED)


def match_named(text: str) -> UUID:
    """Return a match id; text that is no id is refused like an unknown match."""
    try:
        return UUID(text)
    except ValueError:
        return UUID(int=0)


def request_id(text: str) -> str:
    """Return a client's request id. Raise Refused for one that cannot be stored."""
    check_request_id(text)
    return text
