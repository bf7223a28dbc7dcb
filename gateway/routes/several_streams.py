"""One stream for several matches, so that a page with many tables holds one connection."""

from __future__ import annotations

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
from gateway.live.answers import MEDIA_TYPE, EventStream, must_accept_events
from gateway.live.close_reasons import revoked
from gateway.live.match_part import MatchPart
from gateway.live.several_matches import LostMatch, SeveralMatches
from gateway.openapi.event_streams import event_stream
from gateway.openapi.operation import answer, problems
from gateway.openapi.thin import ThinRoute, query_of
from gateway.problems.document import ProblemError, malformed
from gateway.routes.streams import EVENTS, NOTHING_MORE
from gateway.schemas.fields import MAX_VERSION
from gateway.schemas.live import SeveralMatchesQuery
from gateway.upstream.follow import match_events
from gateway.upstream.follow.follows import Follow

_EXAMPLE: Final = {
    "event": "move.applied",
    "id": "42.7",
    "data": '{"match_id":"0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11","version":42,"type":"move.applied","seat":1,"events":[],"to_act":[0],'
    '"status":"running","timed_out":false,"clocks":null}',
}

_NOT_ALLOWED: Final = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})

router = APIRouter(tags=["streams"], route_class=ThinRoute)


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
            "Server-sent events, as of one match; their `data` has the `match_id` as well, and their id the versions of all "
            "matches in the order of the request.",
            content={MEDIA_TYPE: event_stream(EVENTS)},
            examples={"a_move": _EXAMPLE},
        ),
        204: answer("All matches have ended and the client has their last events: do not reconnect."),
        **problems(403, 404, 406, 409),
    },
)
async def stream_matches(request: Request) -> Response:
    """Subscribe to up to 32 matches over one connection, each as the credential's own audience, or as the public.

    Every event is one of a match's own stream, with its `match_id` in `data`. `Last-Event-ID` continues each match after its
    version in the id, and a match that may no longer be read is `revoked`. `match.ended` and `revoked` end one match; the stream ends with the last one, and with `drain` and
    `lagged`.
    """
    gateway = gateway_of(request)
    query = read_query(request, SeveralMatchesQuery)
    must_accept_events(request)
    caller, matches = await _asked(gateway, request, query)
    known = _last_versions(request, len(matches))
    slot = gateway.slots.take(caller, matches=len(matches))
    found: list[Follow | LostMatch] = []
    try:
        for match, after in zip(matches, known, strict=True):
            found.append(await _found(request, caller, match, after, query))
        _must_be_readable(found)
    except BaseException:
        for one in found:
            if isinstance(one, Follow):
                one.end()
        slot.free()
        raise
    seconds = gateway.settings.read_deadline_seconds
    parts = tuple(
        one if isinstance(one, LostMatch) else MatchPart(one, after=_known(one, after), seconds=seconds)
        for one, after in zip(found, known, strict=True)
    )
    reader = SeveralMatches(gateway.readers, slot, parts)
    if all(isinstance(one, LostMatch) or _has_ended(one) for one in parts):
        reader.abandon()
        return Response(status_code=204, headers=NOTHING_MORE)
    try:
        opening = [await _opening(reader, part, after) for part, after in zip(parts, known, strict=True)]
    except BaseException:
        reader.abandon()
        raise
    return EventStream(reader, b"".join(opening))


async def _found(
    request: Request, caller: Caller, match: str, after: int | None, query: SeveralMatchesQuery
) -> Follow | LostMatch:
    """Return the subscription to a match. If it is refused to a client that had it before, the other matches go on without it."""
    gateway = gateway_of(request)
    try:
        server = await gateway.directory.server_of(match, caller, trace_of(request))
        return await server.follows.of(match).follow(
            match,
            Audience(),
            caller.authorization,
            seconds=gateway.settings.read_deadline_seconds,
            language=language_of(request, query.lang),
            has_table=query.include is not None,
        )
    except ProblemError as problem:
        if after is None or problem.status not in _NOT_ALLOWED:
            raise
        return LostMatch(match, after, problem.reason.name)


def _must_be_readable(found: list[Follow | LostMatch]) -> None:
    """Raise ProblemError if no match may be read, or if one was refused since its subscription began."""
    follows = [one for one in found if isinstance(one, Follow)]
    if not follows:
        raise ProblemError("MATCH_NOT_FOUND")
    for follow in follows:
        follow.raise_if_refused()


def _known(follow: Follow, after: int | None) -> int | None:
    """Return the version that a client has, if the match has it."""
    return after if after is not None and after <= follow.newest else None


def _has_ended(part: MatchPart) -> bool:
    return part.follow.topic.ended and part.sent_version == part.follow.newest


async def _opening(reader: SeveralMatches, part: MatchPart | LostMatch, after: int | None) -> bytes:
    """Return the first events of a match: a snapshot or a table, unless its moves continue after a version."""
    if isinstance(part, LostMatch):
        return reader.marked(part, revoked(part.reason))
    if part.sent_version is not None:
        return b""
    events = b"" if after is None else match_events.reset(part.follow.newest)
    return reader.marked(part, events + await part.opening())


async def _asked(
    gateway: Gateway, request: Request, query: SeveralMatchesQuery
) -> tuple[Caller, tuple[str, ...]]:
    """Return the caller and the matches, from the ticket or from the credential and the query."""
    if query.ticket is None:
        if query.matches is None:
            raise malformed("name the matches", code="MISSING_FIELD", parameter="matches")
        return gateway.authenticator.reader(request), _each_once(query.matches.split(","))
    judge_another_credential(request)
    envelope = await gateway.tickets.redeem(query.ticket, trace_of(request).metadata())
    if not envelope.matches:
        raise ProblemError("TICKET_INVALID", "this ticket is for another stream")
    if query.matches is not None:
        raise malformed(
            "the ticket already determines the matches", code="CONTRADICTION", parameter="matches"
        )
    return gateway.authenticator.read(envelope.authorization), envelope.matches


def _each_once(matches: list[str]) -> tuple[str, ...]:
    """Return the matches; raise ProblemError MALFORMED_REQUEST if one is named twice."""
    ids = tuple(match.lower() for match in matches)
    if len(set(ids)) < len(ids):
        raise malformed("name each match once", code="REPEATED", parameter="matches")
    return ids


def _last_versions(request: Request, count: int) -> list[int | None]:
    """Return the version of each match that a client has. An id of another form counts as versions that no match has."""
    sent = (header(request, b"last-event-id") or "").strip()
    if not sent:
        return [None] * count
    versions = sent.split(".")
    longest = len(str(MAX_VERSION))
    if len(versions) != count or not all(
        one.isascii() and one.isdecimal() and len(one) <= longest for one in versions
    ):
        return [MAX_VERSION] * count
    # 0 stands for a match of which nothing was sent, and for one that waited for players: both begin anew.
    return [min(int(one), MAX_VERSION) or None for one in versions]
