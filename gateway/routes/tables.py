"""The whole table of a match: what a page draws, with one request. A hot path."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.table_pb2 import GetTableRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.access.admission import counted_for
from gateway.access.audience_marks import audience_mark, of_audience
from gateway.access.rate_limits import Bucket
from gateway.context import gateway_of, trace_of
from gateway.dependencies import READ_MATCH
from gateway.headers import header
from gateway.http.answers import REVALIDATED, json_answer
from gateway.http.entity_tags import not_modified
from gateway.http.header_parameters import sent_header
from gateway.http.languages import ACCEPT_LANGUAGE, language_of
from gateway.http.path_parameters import match_id
from gateway.http.preconditions import known_tables, table_etag
from gateway.http.queries import read_query
from gateway.openapi.hot import HotRoute, query_of
from gateway.openapi.operation import answer, problems
from gateway.schemas.tables.table import Table, TableQuery
from gateway.translate.audiences import audience
from gateway.translate.table import table
from gateway.upstream.rules import call

router = APIRouter(tags=["views"], route_class=HotRoute, dependencies=[counted_for(Bucket.READS), READ_MATCH])


@router.get(
    "/v1/matches/{match_id}/table",
    operation_id="getTable",
    summary="Get all that a page draws",
    dependencies=[
        query_of(TableQuery),
        sent_header("If-None-Match", "The entity tag of the table the client has."),
        ACCEPT_LANGUAGE,
    ],
    responses={
        200: answer(
            "The table.",
            Table,
            headers={"ETag": "The version, a digest of what changes without one, and whom it is for."},
        ),
        304: answer("The client has the current table.", headers={"ETag": "The same."}),
        **problems(403, 404),
    },
)
async def get_table(request: Request) -> Response:
    """Return the match, what an audience sees of its state, legal actions, undo and clocks, all at one version.

    The same comes with `include=table` in the answer to a move and on the stream, so a page that plays needs one request per
    move, and none after an event. The entity tag can be sent with `If-Match` of a move. Before the start there is no `view`.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.reader(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, TableQuery)
    language = language_of(request, query.lang)
    wanted = GetTableRequest(
        match_id=match,
        audience=audience(caller, query.audience, query.seat),
        form=PAYLOAD_FORM_JSON,
        language=language,
        known=known_tables(request),
    )
    server = await gateway.directory.server_of(match, caller, trace)
    while True:
        response = await call(
            server.matches.GetTable,
            wanted,
            seconds=gateway.settings.read_deadline_seconds,
            metadata=trace.metadata(caller.authorization),
            in_query=True,
        )
        trace.version = response.version
        mark = audience_mark(caller, "table", match, *of_audience(response.audience))
        tag = table_etag(response.version, response.seats_revision, mark, language)
        headers = {"etag": tag, **REVALIDATED}
        unchanged = not_modified(header(request, b"if-none-match"), headers)
        if unchanged is not None:
            return unchanged
        if response.HasField("match"):
            return json_answer(table(response), headers=headers)
        wanted.ClearField("known")  # what the client has of this version is for somebody else
