"""The live half of PlatformService: stream tickets and feeds as requests and responses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Final

from foldtable.platform.v1 import feed_pb2, ticket_pb2
from services.identity.administration import own_player, scope_missing
from services.identity.callers import AnyCaller, Callers, PlayerCaller, TenantCaller, credential_of, is_token
from services.identity.match_tokens import MatchToken
from services.identity.scopes import Scope, held
from services.platform.accounts.credentials import Credentials
from services.platform.live.feed_rows import FeedRow
from services.platform.live.feeds import Feeds
from services.platform.live.tickets import Tickets
from services.process.bounds import MAX_PLAYER
from services.process.reasons import Reason
from services.rpc.bot_names import level_of, own_name_of
from services.rpc.drain import Drain
from services.rpc.free_text import must_be_readable
from services.rpc.match_messages import todo_message
from services.rpc.message_from import message_from, timestamp
from services.rpc.refusals import Refused, malformed
from services.rpc.times import moment

_feed_match: Final = message_from(
    feed_pb2.FeedMatch,
    FeedRow,
    given=("reference", "metadata"),
    match_id="known_as",
    bots=lambda row: [
        feed_pb2.FeedBot(seat=seat, level=level_of(bot), bot=own_name_of(bot))
        for seat, bot in enumerate(row.bots)
        if bot
    ],
    todos=lambda row: map(todo_message, row.todos),
)


def feed_match(row: FeedRow, caller: TenantCaller | PlayerCaller) -> feed_pb2.FeedMatch:
    """Return a match of a feed, with the tenant's notes if the caller sees them."""
    if not (isinstance(caller, TenantCaller) and Scope.MATCHES_READ in held(caller.scopes)):
        return _feed_match(row)
    return _feed_match(row, reference=row.reference, metadata=row.metadata)


class LiveServicer:
    """Serves the stream tickets and feeds of PlatformService."""

    def __init__(
        self, *, callers: Callers, credentials: Credentials, tickets: Tickets, feeds: Feeds, drain: Drain
    ) -> None:
        self._callers = callers
        self._credentials = credentials
        self._tickets = tickets
        self._feeds = feeds
        self._drain = drain

    async def create_ticket(
        self, request: ticket_pb2.CreateStreamTicketRequest, authorization: str | None
    ) -> ticket_pb2.CreateStreamTicketResponse:
        """Store a ticket for a credential that permits reading; the stream that the ticket opens checks the credential again."""
        credential = credential_of(authorization)
        token = self._callers.token(credential) if is_token(credential) else None
        if isinstance(token, MatchToken):
            if not await self._credentials.counts(token):
                raise Refused(Reason.SEAT_FORBIDDEN, "this token is no longer valid")
        else:
            _may_feed(await self._callers.authenticate(authorization), bots=False)
        expires_at = await self._tickets.create(request.hash, request.sealed)
        return ticket_pb2.CreateStreamTicketResponse(expire_time=timestamp(expires_at))

    async def redeem_ticket(
        self, request: ticket_pb2.RedeemStreamTicketRequest, _authorization: str | None
    ) -> ticket_pb2.RedeemStreamTicketResponse:
        """Return the sealed content of a ticket; this works only once."""
        return ticket_pb2.RedeemStreamTicketResponse(sealed=await self._tickets.redeem(request.hash))

    async def read_feed(
        self, request: feed_pb2.ReadFeedRequest, authorization: str | None
    ) -> feed_pb2.ReadFeedResponse:
        """Return a player's open matches, the matches that wait for bots, or those that have changed since a moment."""
        caller = _may_feed(await self._callers.authenticate(authorization), bots=request.bots)
        since = request.updated_since if request.HasField("updated_since") else None
        rows, complete, cursor = await self._feeds.read(
            caller.tenant,
            _player(caller, request),
            None if since is None else moment(since, "$.updated_since"),
            bots=request.bots,
        )
        return feed_pb2.ReadFeedResponse(
            matches=[feed_match(row, caller) for row in rows], complete=complete, cursor=timestamp(cursor)
        )

    async def watch_feed(
        self, request: feed_pb2.WatchFeedRequest, authorization: str | None
    ) -> AsyncIterator[feed_pb2.WatchFeedResponse]:
        """Yield changes until the caller leaves, may no longer read them, or the server drains."""

        async def still_allowed() -> TenantCaller | PlayerCaller:
            return _may_feed(await self._callers.authenticate(authorization), bots=request.bots)

        caller = await still_allowed()
        player = _player(caller, request)
        changes = self._feeds.subscribe(caller.tenant, player, still_allowed, bots=request.bots)
        async for rows in self._drain.until(changes):
            if rows is None:
                begun = feed_pb2.WatchFeedResponse.Begun(cursor=timestamp(datetime.now(UTC)))
                yield feed_pb2.WatchFeedResponse(begun=begun)
            else:
                changed = feed_pb2.WatchFeedResponse.Changed(
                    matches=[feed_match(row, caller) for row in rows]
                )
                yield feed_pb2.WatchFeedResponse(changed=changed)


def _may_feed(caller: AnyCaller, *, bots: bool) -> TenantCaller | PlayerCaller:
    """Return the caller. Raises Refused without a session, unless its API key has `matches:read`, or, for bots, `bots:play`."""
    if isinstance(caller, PlayerCaller) and not bots:
        return caller
    if not isinstance(caller, TenantCaller):
        raise Refused(Reason.TENANT_ONLY, "only an API key has this feed")
    scopes = held(caller.scopes)
    if Scope.MATCHES_READ not in scopes and not (bots and Scope.BOTS_PLAY in scopes):
        raise scope_missing(Scope.BOTS_PLAY if bots else Scope.MATCHES_READ)
    return caller


def _player(
    caller: TenantCaller | PlayerCaller, request: feed_pb2.ReadFeedRequest | feed_pb2.WatchFeedRequest
) -> str:
    """Return whose feed is asked for; a session's is that of its player. Raises Refused MALFORMED_REQUEST for another one."""
    text = request.player
    if isinstance(caller, PlayerCaller):
        return own_player(caller, text, "$.player")
    if text and request.bots:
        raise malformed("$.player", "has a feed of the own matches, bots have theirs: ask for one of the two")
    must_be_readable(text, "$.player", MAX_PLAYER)
    return text
