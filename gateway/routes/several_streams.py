"""One stream for several matches, so that a page with many tables holds one connection."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from foldtable.rules.v1.table_pb2 import Audience
from gateway.access.admission import counted_for, judge_another_credential
from gateway.access.auth import Caller
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway, gateway_of, trace_of
from gateway.dependencies import READER, STREAM_TICKET
from gateway.headers import header
from gateway.http.header_parameters import sent_header
from gateway.http.languages import ACCEPT_LANGUAGE, language_of
from gateway.http.pages.accept import NEGOTIATED
from gateway.http.queries import read_query
from gateway.live.answers import MEDIA_TYPE, EventStreamResponse, must_accept_events
from gateway.live.before import Before, read_last_id
from gateway.live.close_reasons import revoked
from gateway.live.match_part import MatchPart
from gateway.live.several_matches import AbsentMatch, LostMatch, SeveralMatchesStream
from gateway.openapi.event_streams import event_stream
from gateway.openapi.hot import HotRoute, query_of
from gateway.openapi.operation import answer, problems
from gateway.problems.document import ProblemError, malformed
from gateway.routes.streams import EVENTS, NOTHING_MORE
from gateway.schemas.live import SeveralMatchesQuery
from gateway.upstream.subscriptions import match_events
from gateway.upstream.subscriptions.subscription import Subscription

_EXAMPLE: Final = {
    "event": "move.applied",
    "id": "42.7",
    "data": '{"match_id":"0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11","version":42,"type":"move.applied","seat":1,"events":[],"to_act":[0],'
    '"status":"running","timed_out":false,"clocks":null}',
}

_NOT_ALLOWED: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})
_NOT_REACHED: Final = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})

router = APIRouter(tags=["streams"], route_class=HotRoute)


@router.get(
    "/v1/stream",
    operation_id="streamMatches",
    summary="Subscribe to several matches",
    dependencies=[
        counted_for(Bucket.STREAMS),
        NEGOTIATED,
        READER,
        STREAM_TICKET,
        query_of(SeveralMatchesQuery),
        ACCEPT_LANGUAGE,
        sent_header(
            "Last-Event-ID", "The id of the last event the client has of a stream of the same matches."
        ),
    ],
    responses={
        200: answer(
            "Server-sent events, as of one match; their `data` has the `match_id` as well, and their id what the client has of all "
            "matches in the order of the request: a version, 0, or `x` for a match that was `revoked`.",
            content={MEDIA_TYPE: event_stream(EVENTS)},
            examples={"a_move": _EXAMPLE},
        ),
        204: answer(
            "Every match has ended or may no longer be read, and the client has its last event: do not reconnect."
        ),
        **problems(403, 404, 406, 409),
    },
)
async def stream_matches(request: Request) -> Response:
    """Subscribe to up to 32 matches over one connection, each as the credential's own audience, or as the public.

    Every event is one of a match's own stream, with its `match_id` in `data`. `Last-Event-ID` continues each match after its
    version in the id. `match.ended` and `revoked` end one match; the stream ends with the last one, and with `drain` and
    `lagged`.

    A first request is refused if one of the matches may not be read. With a `Last-Event-ID`, such a match is `revoked`, once,
    and the others go on; when none is left, the next request gets 204. A match that cannot be reached then is left out, and the
    stream ends with `drain` after 15 s, so that the client asks for it again.
    """
    gateway = gateway_of(request)
    query = read_query(request, SeveralMatchesQuery)
    must_accept_events(request)
    asked = await _asked(gateway, request, query)
    last_id = (header(request, b"last-event-id") or "").strip() or asked.last_event_id
    before = read_last_id(last_id, len(asked.matches))
    slot = gateway.slots.take(asked.caller, matches=len(asked.matches))
    try:
        found = await _found_at_once(request, asked, before, query)
    except BaseException:
        slot.free()
        raise
    seconds = gateway.settings.read_deadline_seconds
    parts = tuple(
        MatchPart(one, after=_known(one, had.version), seconds=seconds)
        if isinstance(one, Subscription)
        else one
        for one, had in zip(found, before, strict=True)
    )
    stream = SeveralMatchesStream(gateway.open_streams, slot, parts)
    if not any(map(_has_more, parts)):
        stream.abandon()
        return Response(status_code=204, headers=NOTHING_MORE)
    try:
        opening = [await _opening(stream, part, had) for part, had in zip(parts, before, strict=True)]
    except BaseException:
        stream.abandon()
        raise
    return EventStreamResponse(stream, b"".join(opening), gateway.event_compression)


async def _found_at_once(
    request: Request, asked: _Asked, before: list[Before], query: SeveralMatchesQuery
) -> list[Subscription | LostMatch | AbsentMatch]:
    """Return the subscriptions, and the matches that the stream goes on without. Raises ProblemError as `_found` does.

    All are asked for together, so that a game that does not answer holds the others up once.
    """
    found = await asyncio.gather(
        *(
            _found(request, asked.caller, match, had, query)
            for match, had in zip(asked.matches, before, strict=True)
        ),
        return_exceptions=True,
    )
    kept: list[Subscription | LostMatch | AbsentMatch] = []
    refusal: BaseException | None = None
    for one, had in zip(found, before, strict=True):
        try:
            kept.append(_still_readable(one, had))
        except BaseException as error:  # noqa: BLE001 - raised below, once every subscription is known
            refusal = refusal or error
    if refusal is None and not any(isinstance(one, Subscription) for one in kept):
        refusal = next((one.problem for one in kept if isinstance(one, AbsentMatch)), None)
    if refusal is not None:
        for one in found:
            if isinstance(one, Subscription):
                one.end()
        raise refusal
    return kept


async def _found(
    request: Request, caller: Caller, match: str, had: Before, query: SeveralMatchesQuery
) -> Subscription | LostMatch | AbsentMatch:
    """Return the subscription to a match. If it fails for a client that had the match before, the others go on without it."""
    gateway = gateway_of(request)
    try:
        server = await gateway.directory.server_of(match, caller, trace_of(request))
        return await server.subscriptions.of(match).subscribe(
            match,
            Audience(),
            caller.authorization,
            seconds=gateway.settings.read_deadline_seconds,
            language=language_of(request, query.lang),
            has_table=query.include is not None,
        )
    except ProblemError as problem:
        return _without(match, had, problem)


def _without(match: str, had: Before, problem: ProblemError) -> LostMatch | AbsentMatch:
    """Return a match that the stream goes on without. Raises the problem if the client did not have the match.

    What an id names may be made up. So a match that the client never could read is answered like any other that it may not read,
    and with the reason of a request for it alone.
    """
    if had.was_there and problem.status in _NOT_ALLOWED:
        return LostMatch(match, had.version, "" if had.is_lost else problem.reason.name)
    if had.was_there and problem.status in _NOT_REACHED:
        return AbsentMatch(match, had.version, problem)
    raise problem


def _still_readable(
    found: Subscription | LostMatch | AbsentMatch | BaseException, had: Before
) -> Subscription | LostMatch | AbsentMatch:
    """Return what was found, unless it was refused since its subscription began, when nobody was there to be told."""
    if isinstance(found, BaseException):
        raise found
    if isinstance(found, Subscription):
        try:
            found.raise_if_refused()
        except ProblemError as problem:
            without = _without(found.match_id, had, problem)
            found.end()
            return without
    return found


def _known(subscription: Subscription, after: int | None) -> int | None:
    """Return the version that a client has, if the match has it."""
    return after if after is not None and after <= subscription.newest else None


def _has_more(part: MatchPart | LostMatch | AbsentMatch) -> bool:
    """Return whether there is anything to tell of a match."""
    if isinstance(part, LostMatch):
        return bool(part.reason)
    return isinstance(part, AbsentMatch) or not (
        part.subscription.match.ended and part.sent_version == part.subscription.newest
    )


async def _opening(
    stream: SeveralMatchesStream, part: MatchPart | LostMatch | AbsentMatch, had: Before
) -> bytes:
    """Return the first events of a match: a snapshot or a table, unless its moves continue after a version."""
    if isinstance(part, AbsentMatch):
        return b""
    if isinstance(part, LostMatch):
        return stream.marked(part, revoked(part.reason)) if part.reason else b""
    if part.sent_version is not None:
        return b""
    events = b"" if had.version is None else match_events.reset(part.subscription.newest)
    try:
        return stream.marked(part, events + await part.opening())
    except ProblemError as problem:
        if not had.was_there or problem.status not in _NOT_ALLOWED:
            raise
        part.revoke(problem.reason.name)
        return b""


@dataclass(frozen=True)
class _Asked:
    """Who asks for which matches."""

    caller: Caller
    matches: tuple[str, ...]
    last_event_id: str = ""
    """The last event that the client has, as its ticket says."""


async def _asked(gateway: Gateway, request: Request, query: SeveralMatchesQuery) -> _Asked:
    """Return the caller and the matches, from the ticket or from the credential and the query."""
    if query.ticket is None:
        if query.matches is None:
            raise malformed("name the matches", code="MISSING_FIELD", parameter="matches")
        return _Asked(gateway.authenticator.reader(request), _each_once(query.matches.split(",")))
    judge_another_credential(request)
    envelope = await gateway.tickets.redeem(query.ticket, trace_of(request).metadata())
    if not envelope.matches:
        raise ProblemError("TICKET_INVALID", "this ticket is for another stream")
    if query.matches is not None:
        raise malformed(
            "the ticket already determines the matches", code="CONTRADICTION", parameter="matches"
        )
    caller = gateway.authenticator.read(envelope.authorization)
    return _Asked(caller, envelope.matches, envelope.last_event_id)


def _each_once(matches: list[str]) -> tuple[str, ...]:
    """Return the matches; raises ProblemError MALFORMED_REQUEST if one is named twice."""
    ids = tuple(match.lower() for match in matches)
    if len(set(ids)) < len(ids):
        raise malformed("name each match once", code="REPEATED", parameter="matches")
    return ids
