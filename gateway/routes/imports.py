"""Taking in the export of a match. It passes through to a rules server as it comes, and is held nowhere here."""

from __future__ import annotations

import re
from typing import Final, cast

import grpc
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from foldtable.matches.v1 import history_pb2 as pb
from gateway import messages
from gateway.bodies import announces_more
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.documented_parameters import SCHEMAS
from gateway.export_schema import EXPORT
from gateway.headers import header
from gateway.json_answers import json_answer
from gateway.problem_documents import ProblemError
from gateway.queries import read_query
from gateway.refusals import refused_call
from gateway.routes.exports import EXPORT_MEDIA_TYPE
from gateway.schemas.history import ImportedMatch
from gateway.schemas.requests import NoQuery

MAX_BODY_BYTES: Final = 16 * 1024 * 1024
SECONDS: Final = 60.0
"""Every move of the match is decided again."""

_TYPES: Final = re.compile(
    rf"(?:application/json|{re.escape(EXPORT_MEDIA_TYPE)})\s*(?:;\s*charset\s*=\s*\"?utf-8\"?\s*)?",
    re.IGNORECASE,
)

_Upload = grpc.aio.StreamUnaryCall[pb.ImportMatchRequest, pb.ImportMatchResponse]


async def import_match(request: Request) -> Response:
    """Take in the export of a match that has ended, from this house or another. Tenants only.

    Everything is checked first: commitment, hashes, fold, and every move is decided again. The match keeps its id and
    its hashes; nobody holds a token for it. A repeat gets the same answer. A match that has its id already and is
    another one stays as it is: 409.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    _check_head(request)
    upload = gateway.servers.likeliest_first[0].matches.ImportMatch(
        timeout=SECONDS, metadata=trace.metadata(caller.authorization)
    )
    try:
        await _pass_on(request, upload)
        response = await upload
    except grpc.aio.AioRpcError as error:
        raise refused_call(error) from None
    finally:
        upload.cancel()
    trace.match_id = response.match.match_id
    gateway.directory.remember(response.match)
    location = f"/v1/matches/{response.match.match_id}"
    return json_answer(
        ImportedMatch(match=messages.match(response.match), replayed=response.replayed),
        200 if response.replayed else 201,
        {"location": location, "cache-control": "no-store"},
    )


def _check_head(request: Request) -> None:
    if _TYPES.fullmatch(header(request, b"content-type") or "") is None:
        raise ProblemError(
            "UNSUPPORTED_MEDIA_TYPE", headers={"accept": f"application/json, {EXPORT_MEDIA_TYPE}"}
        )
    if (header(request, b"content-encoding") or "identity").lower() != "identity":
        raise ProblemError("UNSUPPORTED_MEDIA_TYPE", headers={"accept-encoding": "identity"})
    if announces_more(request, MAX_BODY_BYTES):
        raise ProblemError("BODY_TOO_LARGE")


async def _pass_on(request: Request, upload: _Upload) -> None:
    """Pass the body on as it comes; ProblemError BODY_TOO_LARGE as soon as that is known."""
    size = 0
    more = True
    while more:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunk = cast("bytes", message.get("body", b""))
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise ProblemError("BODY_TOO_LARGE")
        if upload.done():
            return  # refused already; the caller reads why
        if chunk:
            try:
                await upload.write(pb.ImportMatchRequest(chunk=chunk))
            except (grpc.aio.AioRpcError, grpc.aio.UsageError, grpc.aio.InternalError):
                return  # as above
        more = message.get("more_body", False)
    if not upload.done():
        await upload.done_writing()


ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches/import",
        import_match,
        operation_id="importMatch",
        summary="Take in a match",
        tag="exports",
        body_schema={"$ref": SCHEMAS.format(name=EXPORT)},
        answers={
            200: Answer(description="It was here already, the very same.", shape=ImportedMatch),
            201: Answer(
                description="The match, as it was.", shape=ImportedMatch, headers={"Location": "The match."}
            ),
        },
        problems=(400, 403, 409, 413, 415, 422),
    ),
)
