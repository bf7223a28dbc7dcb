"""What a seat or a tenant asks of the house itself: read alike, sent alike, answered like a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.play_pb2 import ActResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.bodies import read_json
from gateway.clients import Method, RulesServer, call
from gateway.context import gateway_of, trace_of
from gateway.etags import expected_version
from gateway.idempotency import request_id
from gateway.queries import match_id, read_query
from gateway.routes.moves import accepted
from gateway.schemas.requests import NoQuery


class Asked(Protocol):
    """What every such body has."""

    @property
    def seat(self) -> int | None: ...
    @property
    def expected_version(self) -> int | None: ...
    @property
    def request_id(self) -> str | None: ...


class Reply(Protocol):
    """What every such answer has."""

    @property
    def result(self) -> ActResponse: ...


Body = TypeVar("Body", bound=Asked)
Message = TypeVar("Message")
Answer = TypeVar("Answer", bound=Reply)


async def ask_house(
    request: Request,
    decoder: msgspec.json.Decoder[Body],
    method: Callable[[RulesServer], Method[Message, Answer]],
    message: Callable[[Body, dict[str, Any]], Message],
    *,
    body_optional: bool = False,
) -> Response:
    """Read a request, send it, answer.

    `message` gives the request of `method` from the body and the fields that all of them share.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, decoder, optional=body_optional)
    expected, conditional = expected_version(request, body.expected_version)
    shared = {
        "match_id": match,
        "seat": body.seat,
        "request_id": request_id(request, body.request_id),
        "expected_version": expected,
        "form": PAYLOAD_FORM_JSON,
    }
    server = await gateway.directory.server_of(match, caller, trace)
    reply = await call(
        method(server),
        message(body, shared),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        conditional=conditional,
    )
    return accepted(reply.result, trace)
