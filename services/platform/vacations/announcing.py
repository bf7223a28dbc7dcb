"""Announcing a vacation: what is wished, checked against what is stored, and stored, in one transaction."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Final
from uuid import UUID, uuid4, uuid5

import msgspec

from services.platform.vacations import stored
from services.platform.vacations.months import Span, month_of, shortage
from services.platform.vacations.stored import Vacation
from services.postgres.database import Connection, Pool, connected
from services.process.bounds import MAX_VACATION, MAX_VACATION_AHEAD, MIN_VACATION
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed

MAX_VACATIONS: Final = 100
"""Vacations of a player that are not over. Of those that the player announced, the ones of this month that are over count for the
player, too: else there could be any number of them, each ended as soon as it began."""
TOLERANCE: Final = timedelta(seconds=10)
"""How long ago a beginning may be that means now: a request takes its time, and the caller's clock may be late."""
MARK_BYTES: Final = 16
_OF_REQUESTS: Final = UUID("5a0c2f0e-6b0d-4a53-9d39-0f4b0f6a8f61")
"""Namespace of the ids that are made of request ids."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A vacation that is to be announced."""

    tenant: str
    player: str
    since: datetime | None
    """None: now."""
    until: datetime
    by_tenant: bool
    """Whether the platform announces it. What a player announces is limited by the tenant's `vacation_days`."""
    request_id: str

    def make_id(self) -> UUID:
        """Return an id for the vacation. With a request id it is made of that and of who uses it, so that it is taken by a repeat."""
        if not self.request_id:
            return uuid4()
        who = [self.tenant, None if self.by_tenant else self.player, self.request_id]
        return uuid5(_OF_REQUESTS, msgspec.json.encode(who).decode())

    @property
    def mark(self) -> bytes:
        """What a repeated request is compared by; empty without a request id."""
        if not self.request_id:
            return b""
        what = [self.player, self.since, self.until]
        return blake2b(msgspec.json.encode(what), digest_size=MARK_BYTES).digest()


async def announce(pool: Pool, wish: Wish) -> Vacation:
    """Store a vacation and return it, or the one that an earlier request with the same id has stored.

    Raises Refused REQUEST_ID_REUSED, MALFORMED_REQUEST, VACATION_NOT_ALLOWED, TOO_MANY_VACATIONS, VACATION_OVERLAPS or
    VACATION_DAYS_USED; DatabaseUnavailable.
    """
    vacation_id = wish.make_id()
    async with connected(pool) as connection, connection.transaction():
        await stored.lock_player(connection, wish.tenant, wish.player)
        earlier = await stored.find(connection, wish.tenant, vacation_id)
        if earlier is not None:
            if earlier.mark != wish.mark:
                raise _reused()
            return earlier
        present = await stored.present(connection, wish.tenant)
        span = _span(wish, present.now)
        if not (wish.by_tenant or present.vacation_days):
            raise Refused(
                Reason.VACATION_NOT_ALLOWED,
                "players of this platform announce no vacations themselves; the tenant decides",
            )
        await _check_number(connection, wish, present.now)
        await _check_overlap(connection, wish, span)
        if not wish.by_tenant:
            await _check_days(connection, wish, span, present)
        made = await stored.insert(
            connection,
            vacation_id,
            wish.tenant,
            wish.player,
            span,
            by_tenant=wish.by_tenant,
            mark=wish.mark,
        )
    if made is None:  # the tenant has used the request id for another player, under that player's lock
        raise _reused()
    return made


def _span(wish: Wish, now: datetime) -> Span:
    """Return from when until when the vacation lasts. Raises Refused MALFORMED_REQUEST if it may not."""
    since = wish.since or now
    if since < now - TOLERANCE:
        raise malformed("$.since", "must not lie in the past")
    if since > now + MAX_VACATION_AHEAD:
        raise malformed("$.since", f"must be at most {MAX_VACATION_AHEAD.days} days ahead")
    if wish.until < since + MIN_VACATION:
        raise malformed(
            "$.until", f"must be at least {MIN_VACATION.total_seconds():.0f} seconds after the beginning"
        )
    if wish.until > since + MAX_VACATION:
        raise malformed("$.until", f"must be at most {MAX_VACATION.days} days after the beginning")
    return Span(max(since, now), wish.until)


async def _check_number(connection: Connection, wish: Wish, now: datetime) -> None:
    own_since = now if wish.by_tenant else month_of(now)
    found = await stored.count(
        connection, wish.tenant, wish.player, now=now, own_since=own_since, limit=MAX_VACATIONS
    )
    if found >= MAX_VACATIONS:
        raise Refused(
            Reason.TOO_MANY_VACATIONS,
            f"the player has {MAX_VACATIONS} vacations, as many as may be",
            metadata={"limit": MAX_VACATIONS},
        )


async def _check_overlap(connection: Connection, wish: Wish, span: Span) -> None:
    other = await stored.overlapping(connection, wish.tenant, wish.player, span)
    if other is not None:
        since, until = _text(other.since), _text(other.until)
        raise Refused(
            Reason.VACATION_OVERLAPS,
            f"the player is on vacation from {since} until {until} already",
            metadata={"vacation_id": str(other.id), "since": since, "until": until},
        )


async def _check_days(connection: Connection, wish: Wish, span: Span, present: stored.Present) -> None:
    taken = await stored.own_vacations(connection, wish.tenant, wish.player, after=month_of(present.now))
    short = shortage(span, taken, present.vacation_days)
    if short is not None:
        left = int(short.left.total_seconds())
        raise Refused(
            Reason.VACATION_DAYS_USED,
            f"of {present.vacation_days} vacation days in {short.month}, {left} seconds are left",
            metadata={"month": short.month, "left": left},
        )


def _text(moment: datetime) -> str:
    """Return a time as REST writes it."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def _reused() -> Refused:
    return Refused(Reason.REQUEST_ID_REUSED, "this request id was used to announce another vacation")
