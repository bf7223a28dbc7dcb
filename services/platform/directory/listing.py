"""The match directory: a tenant's matches, filtered, ordered, a page at a time.

It reads the row of each match, which the statement that stores a move updates as well. So the directory is always up to
date, and has no copy that could differ from the match.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from google.protobuf.message import Message

from foldtable.matches.v1 import match_pb2
from foldtable.platform.v1 import directory_pb2
from services.identity.administration import own_player
from services.identity.callers import AnyCaller, PlayerCaller, TenantCaller
from services.identity.scopes import Scope, held
from services.movelog.notes import NO_NOTES, Notes
from services.movelog.postgres.proposals import todos_from
from services.movelog.postgres.rows import match_from, seat_from
from services.movelog.proposals import Todo
from services.movelog.records import Match, SeatRecord, Status, Visibility
from services.platform.directory.metadata_filter import read_filter
from services.platform.directory.queries import LAST_ID, ListingPosition, Question, statement
from services.postgres.database import Pool, connected
from services.postgres.records import NamedRow, named_rows
from services.process.bounds import MAX_PLAYER, MAX_REFERENCE
from services.process.reasons import Reason
from services.rpc.cursors import cursor, not_a_cursor, page_size, read_cursor
from services.rpc.enums import members_of
from services.rpc.free_text import must_be_readable
from services.rpc.match_messages import match_message
from services.rpc.refusals import Refused, malformed
from services.rpc.times import moment

_STATUSES: Final = members_of(Status, match_pb2.MatchStatus.DESCRIPTOR)
_VISIBILITIES: Final = members_of(Visibility, match_pb2.MatchVisibility.DESCRIPTOR)
_PUBLIC: Final = match_pb2.MATCH_VISIBILITY_PUBLIC
_NOT_OVER: Final = (match_pb2.MATCH_STATUS_WAITING, match_pb2.MATCH_STATUS_RUNNING)
_ORDERS: Final = {
    directory_pb2.MATCH_ORDER_NEWEST_FIRST: (False, True),
    directory_pb2.MATCH_ORDER_OLDEST_FIRST: (False, False),
    directory_pb2.MATCH_ORDER_RECENTLY_UPDATED_FIRST: (True, True),
    directory_pb2.MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST: (True, False),
}
"""For each order: whether it is by activity (else by creation), and whether it is descending."""
RECENT: Final = timedelta(minutes=2)
"""A match of the present minute may be updated again within it, and then lies before others that were listed; and a commit takes
its time. So the token of such a row leads back to where the last minutes begin."""


class Directory:
    """Lists matches."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def page(
        self, caller: AnyCaller, request: directory_pb2.ListMatchesRequest
    ) -> directory_pb2.ListMatchesResponse:
        """Return a page of a tenant's matches of every visibility; with a session, of its player's, or of public ones that are not over.

        Raises Refused TENANT_ONLY without an API key or a session, SCOPE_MISSING without `matches:read`, MALFORMED_REQUEST or
        PAGE_TOKEN_INVALID if the request cannot be understood.
        """
        size = page_size(request.page_size)
        tenant, asked = _reader(caller), request
        if isinstance(caller, PlayerCaller):
            asked = own_request(caller, request)
        question = _question(tenant, asked, size + 1)
        identity = (question.tenant, _identity(asked))
        after = _read_position(read_cursor(request.page_token, identity)) if request.page_token else None
        rows = await self._ask(question, after)
        page = rows[:size]

        def after_row(row: _Listed) -> str:
            return cursor(_place_text(row.match.id, row.minute if question.by_activity else None), identity)

        recent = datetime.now(UTC).replace(second=0, microsecond=0) - RECENT

        def resuming_after(row: _Listed) -> str:
            if question.by_activity and not question.descending and row.minute >= recent:
                return cursor(_place_text(LAST_ID, recent - timedelta(minutes=1)), identity)
            return after_row(row)

        return directory_pb2.ListMatchesResponse(
            matches=[
                match_message(
                    one.match,
                    one.seats,
                    todos=one.todos,
                    notes=one.notes if isinstance(caller, TenantCaller) else None,
                )
                for one in page
            ],
            next_page_token=after_row(page[-1]) if len(rows) > size else "",
            page_tokens=[resuming_after(one) for one in page] if request.with_page_tokens else (),
        )

    async def _ask(self, question: Question, after: ListingPosition | None) -> list[_Listed]:
        sql, values = statement(question, after)
        async with connected(self._pool) as connection:
            rows = await named_rows(connection, sql, values)
        return [_listed(row) for row in rows]


class _Listed(NamedTuple):
    """A match of a page."""

    match: Match
    minute: datetime
    """Of its last change."""
    seats: list[SeatRecord]
    todos: tuple[Todo, ...]
    notes: Notes


def _listed(row: NamedRow) -> _Listed:
    minute, seated, todos = row.pop("active_minute"), row.pop("seated"), row.pop("todos")
    noted = row.pop("noted")
    seats = [seat_from(dict(zip(SeatRecord.__struct_fields__, seat, strict=True))) for seat in seated]
    return _Listed(
        match_from(row),
        minute,
        seats,
        todos_from(todos) if todos else (),
        Notes(reference=noted[0], metadata=noted[1].encode()) if noted else NO_NOTES,
    )


def _reader(caller: AnyCaller) -> str:
    """Return the caller's tenant. Raises Refused unless the caller may list its matches, or those of a player."""
    if isinstance(caller, PlayerCaller):
        return caller.tenant
    if not isinstance(caller, TenantCaller):
        raise Refused(Reason.TENANT_ONLY, "only a tenant's API key or a session may list matches")
    if Scope.MATCHES_READ not in held(caller.scopes):
        raise Refused(
            Reason.SCOPE_MISSING,
            f"this API key lacks the scope {Scope.MATCHES_READ}",
            metadata={"scope": Scope.MATCHES_READ},
        )
    return caller.tenant


def own_request(
    caller: PlayerCaller, request: directory_pb2.ListMatchesRequest
) -> directory_pb2.ListMatchesRequest:
    """Return what a session asks for: its player's matches, or only the public ones, of which the others' must not be over.

    A request for exactly the public matches that names no player asks for everybody's. Raises Refused MALFORMED_REQUEST for
    another player.
    """
    asked = directory_pb2.ListMatchesRequest()
    asked.CopyFrom(request)
    for field in ("reference", "metadata"):
        if getattr(request, field):
            raise malformed(f"$.{field}", "is for the tenant to ask for; leave it out")
    for field in ("player", "waiting_for"):
        own_player(caller, getattr(request, field), f"$.{field}")
    if request.player or request.waiting_for or list(request.visibilities) != [_PUBLIC]:
        if not request.waiting_for:
            asked.player = caller.player
        return asked
    wanted = request.statuses or _NOT_OVER
    if not set(wanted) <= set(_NOT_OVER):
        raise malformed(
            "$.statuses", "must not include ended matches; of those, a session lists its player's only"
        )
    del asked.statuses[:]
    asked.statuses.extend(wanted)
    return asked


def _question(tenant: str, request: directory_pb2.ListMatchesRequest, limit: int) -> Question:
    for field in ("game", "player", "waiting_for"):
        must_be_readable(getattr(request, field), f"$.{field}", MAX_PLAYER)
    must_be_readable(request.reference, "$.reference", MAX_REFERENCE)
    since = moment(request.updated_since, "$.updated_since") if request.HasField("updated_since") else None
    by_activity, descending = _order(request, since)
    statuses = [_meaning(_STATUSES, status, "$.statuses") for status in request.statuses] or list(Status)
    if request.open_seats:
        statuses = [status for status in statuses if status is Status.WAITING]
    asked = [_meaning(_VISIBILITIES, one, "$.visibilities") for one in request.visibilities]
    asked = asked or list(Visibility)
    return Question(
        tenant=tenant,
        game=request.game,
        statuses=sorted({status.value for status in statuses}),
        visibilities=sorted({visibility.value for visibility in asked}),
        player=request.player,
        waiting_for=request.waiting_for,
        open_seats=request.open_seats,
        reference=request.reference,
        metadata=read_filter(request.metadata),
        updated_since=since,
        by_activity=by_activity,
        descending=descending,
        limit=limit,
    )


def _order(request: directory_pb2.ListMatchesRequest, since: datetime | None) -> tuple[bool, bool]:
    wanted = request.order
    if wanted == directory_pb2.MATCH_ORDER_UNSPECIFIED:
        wanted = (
            directory_pb2.MATCH_ORDER_NEWEST_FIRST
            if since is None
            else directory_pb2.MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST
        )
    by_activity, descending = _meaning(_ORDERS, wanted, "$.order")
    if since is not None and not by_activity:
        raise malformed("$.order", "must be by activity where `updated_since` is asked for")
    return by_activity, descending


def _meaning(meanings: dict[Any, Any], value: int, field: str) -> Any:
    try:
        return meanings[value]
    except KeyError:
        raise malformed(field, "is not one of the known values") from None


def _identity(request: directory_pb2.ListMatchesRequest) -> bytes:
    """Return what a page token is bound to: the request without its page token and page size."""
    asked = directory_pb2.ListMatchesRequest()
    asked.CopyFrom(request)
    asked.ClearField("page_token")
    asked.ClearField("page_size")
    asked.ClearField("with_page_tokens")
    return _deterministic(asked)


def _deterministic(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


def _place_text(match_id: UUID, minute: datetime | None) -> str:
    return match_id.hex if minute is None else f"{match_id.hex} {int(minute.timestamp())}"


def _read_position(text: str) -> ListingPosition:
    match_id, _, minute = text.partition(" ")
    try:
        moment = datetime.fromtimestamp(int(minute), UTC) if minute else None
        return ListingPosition(match_id=UUID(match_id), minute=moment)
    except (ValueError, OverflowError, OSError):
        raise not_a_cursor() from None
