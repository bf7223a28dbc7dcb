"""Importing the export of a match. The body is streamed to a rules server and never held here as a whole.

Therefore the operation declares no `Body()`: it describes its body for the OpenAPI document itself and reads the request.
"""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Final, cast

import grpc
from fastapi import APIRouter, Query
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from foldtable.matches.v1 import history_pb2 as pb
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway
from gateway.dependencies import Caller, GatewayParts, RequestTrace
from gateway.headers import NO_STORE, header
from gateway.http.answers import MEDIA_TYPE, json_answer
from gateway.http.bodies import announces_more
from gateway.openapi.export_schema import EXPORT
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import SCHEMAS
from gateway.problems.document import ProblemError
from gateway.routes.exports import EXPORT_MEDIA_TYPE
from gateway.schemas.history import ImportedMatch, ImportQuery
from gateway.translate import history_messages
from gateway.upstream.refusals import refused_call

MAX_BODY_BYTES: Final = 16 * 1024 * 1024
SECONDS: Final = 60.0
"""Deadline of an import, during which every move of the match is replayed."""

ADMITTED: Final = "foldtable-admitted"
"""A key of the initial metadata of ImportMatch."""
ADMITTED_SECONDS: Final = 2.0
"""How long a rules server has to say that it wants the document. Those of older releases never say so."""

_PARAMETERS: Final = ("/reference", "/metadata")
"""Where the message has what came as query parameters."""

_TYPES: Final = re.compile(
    rf"(?:application/json|{re.escape(EXPORT_MEDIA_TYPE)})\s*(?:;\s*charset\s*=\s*\"?utf-8\"?\s*)?",
    re.IGNORECASE,
)

_Upload = grpc.aio.StreamUnaryCall[pb.ImportMatchRequest, pb.ImportMatchResponse]


router = APIRouter(tags=["exports"], route_class=Operation, dependencies=[counted_for(Bucket.LOBBY)])


@router.post(
    "/v1/matches/import",
    operation_id="importMatch",
    summary="Import a match",
    status_code=201,
    responses={
        200: answer("The same match was here already.", ImportedMatch),
        201: answer("The imported match.", ImportedMatch, headers={"Location": "The match."}),
        **problems(403, 409, 413, 415, 422),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {MEDIA_TYPE: {"schema": {"$ref": SCHEMAS.format(name=EXPORT)}}},
        }
    },
)
async def import_match(
    caller: Caller,
    gateway: GatewayParts,
    trace: RequestTrace,
    request: Request,
    query: Annotated[ImportQuery, Query()],
) -> Response:
    """Import the export of a match that has ended, from this server or another. Tenants only.

    Everything is verified first: commitment, hashes, replayed state, and every move. The match keeps its id and its hashes;
    nobody has a token for it. A repeated request gets the same response. If the tenant already has a different match with
    this id, that match stays unchanged and the answer is 409. Matches of other tenants do not matter.

    A document has no reference and no metadata: note them with the parameters. A match that is here already keeps its own.
    """
    _check_head(request)
    with gateway.heavy.taken(caller):
        response = await _sent(request, query, gateway, trace.metadata(caller.authorization))
    trace.match_id = response.match.match_id
    gateway.directory.remember(caller, response.match)
    location = f"/v1/matches/{response.match.match_id}"
    return json_answer(
        history_messages.imported_match(response),
        200 if response.replayed else 201,
        {"location": location, **NO_STORE},
    )


async def _sent(
    request: Request, query: ImportQuery, gateway: Gateway, metadata: tuple[tuple[str, str], ...]
) -> pb.ImportMatchResponse:
    upload = gateway.servers.likeliest_first[0].matches.ImportMatch(timeout=SECONDS, metadata=metadata)
    try:
        if await _is_admitted(upload):
            await _pass_on(request, query, upload)
        return await upload
    except grpc.aio.AioRpcError as error:
        problem = refused_call(error)
        if any(str(part.pointer).startswith(_PARAMETERS) for part in problem.members.get("errors", ())):
            problem = refused_call(error, in_query=True)
        raise problem from None
    finally:
        upload.cancel()


async def _is_admitted(upload: _Upload) -> bool:
    """Wait for the server's word that it reads the document. Return False if it answers without having said so.

    Without this a refusal may be lost: grpcio reports INTERNAL if it notices a failed write before the status of the call
    (https://github.com/grpc/grpc/issues/36066). Servers of older releases say nothing until the document has been read.
    """
    answered = asyncio.ensure_future(upload.initial_metadata())
    await asyncio.wait((answered,), timeout=ADMITTED_SECONDS)
    if not answered.done():
        answered.cancel()
        return True
    return ADMITTED in dict(answered.result())


def _check_head(request: Request) -> None:
    if _TYPES.fullmatch(header(request, b"content-type") or "") is None:
        raise ProblemError(
            "UNSUPPORTED_MEDIA_TYPE", headers={"accept": f"application/json, {EXPORT_MEDIA_TYPE}"}
        )
    if (header(request, b"content-encoding") or "identity").lower() != "identity":
        raise ProblemError("UNSUPPORTED_MEDIA_TYPE", headers={"accept-encoding": "identity"})
    if announces_more(request, MAX_BODY_BYTES):
        raise ProblemError("BODY_TOO_LARGE")


async def _pass_on(request: Request, query: ImportQuery, upload: _Upload) -> None:
    """Forward the body as it arrives, and with its beginning what the tenant notes about the match.

    Raises ProblemError as soon as the body is known to be too large: BODY_TOO_LARGE.
    """
    noted = pb.ImportMatchRequest(reference=query.reference, metadata=query.metadata.encode())
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
            return  # the server has already refused it; the caller reads why
        try:
            if chunk:
                noted.chunk = chunk
                await upload.write(noted)
                noted = pb.ImportMatchRequest()
            more = message.get("more_body", False)
            if not more:
                await upload.done_writing()
        except (grpc.aio.AioRpcError, grpc.aio.UsageError, grpc.aio.InternalError):
            return  # as above
