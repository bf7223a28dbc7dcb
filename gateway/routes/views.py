"""Views of a match's state, and legal actions. Both are hot paths."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.match_service_pb2 import GetLegalActionsRequest, GetViewRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.access.admission import counted_for
from gateway.access.audience_marks import audience_mark, of_audience
from gateway.access.rate_limits import Bucket
from gateway.context import gateway_of, trace_of
from gateway.dependencies import MATCH, READ_MATCH
from gateway.headers import header
from gateway.http.answers import REVALIDATED, json_answer
from gateway.http.entity_tags import not_modified
from gateway.http.header_parameters import sent_header
from gateway.http.languages import ACCEPT_LANGUAGE, language_of
from gateway.http.path_parameters import match_id
from gateway.http.preconditions import etag, known_versions
from gateway.http.queries import read_query
from gateway.openapi.hot import HotRoute, query_of
from gateway.openapi.operation import answer, problems
from gateway.schemas.answers import LegalActionsAnswer, ViewAnswer
from gateway.schemas.requests import LegalActionsQuery, ViewQuery
from gateway.translate import messages
from gateway.translate.audiences import audience
from gateway.upstream.rules import call

router = APIRouter(tags=["views"], route_class=HotRoute, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/matches/{match_id}/view",
    operation_id="getView",
    summary="View a match",
    dependencies=[
        READ_MATCH,
        query_of(ViewQuery),
        sent_header("If-None-Match", "The entity tag of the view the client has."),
        ACCEPT_LANGUAGE,
    ],
    responses={
        200: answer(
            "What the audience sees.",
            ViewAnswer,
            headers={"ETag": "The version it shows, and whom it is for."},
        ),
        304: answer("The client has the current version.", headers={"ETag": "The same."}),
        **problems(403, 404, 409),
    },
)
async def get_view(request: Request) -> Response:
    """Return what an audience sees of the match's state, now or at an earlier version.

    The entity tag names the version and the audience, so `If-None-Match` can be answered with 304 without computing the view.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.reader(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, ViewQuery)
    language = language_of(request, query.lang)
    known = known_versions(request) if query.at is None else ()
    wanted = GetViewRequest(
        match_id=match,
        audience=audience(caller, query.audience, query.seat),
        at_version=query.at,
        unless_version=max(known) if known else None,
        form=PAYLOAD_FORM_JSON,
        language=language,
    )
    server = await gateway.directory.server_of(match, caller, trace)
    seconds = gateway.settings.read_deadline_seconds
    if query.at is not None:
        seconds = gateway.settings.heavy_read_deadline_seconds
    while True:
        with gateway.heavy.taken(caller, if_heavy=query.at is not None):
            response = await call(
                server.matches.GetView,
                wanted,
                seconds=seconds,
                metadata=trace.metadata(caller.authorization),
                in_query=True,
            )
        trace.version = response.version
        mark = audience_mark(caller, "view", match, query.at, *of_audience(response.audience))
        headers = {"etag": etag(response.version, mark, language), **REVALIDATED}
        unchanged = not_modified(header(request, b"if-none-match"), headers)
        if unchanged is not None:
            return unchanged
        if response.HasField("view"):
            return json_answer(messages.view(response, match_id=match), headers=headers)
        wanted.ClearField("unless_version")  # what the client has of this version is for somebody else


@router.get(
    "/v1/matches/{match_id}/legal-actions",
    operation_id="getLegalActions",
    summary="List legal actions",
    dependencies=[MATCH, query_of(LegalActionsQuery), ACCEPT_LANGUAGE],
    responses={
        200: answer("Every action that the seat may take now.", LegalActionsAnswer),
        **problems(403, 404, 409),
    },
)
async def get_legal_actions(request: Request) -> Response:
    """Return every action that a seat may take now.

    Each of `actions` and `samples` can be posted as a move unchanged, with the response's `version` as `expected_version`.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, LegalActionsQuery)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.GetLegalActions,
        GetLegalActionsRequest(
            match_id=match,
            seat=query.seat,
            form=PAYLOAD_FORM_JSON,
            language=language_of(request, query.lang),
            samples=query.samples,
            hints=query.hints,
        ),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    trace.version = response.version
    return json_answer(messages.legal_actions(response, match_id=match))
