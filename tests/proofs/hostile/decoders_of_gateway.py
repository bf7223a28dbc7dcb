"""Everything the gateway reads: bodies, queries, paths and headers of every route, and credentials.

Bodies and queries are found in the routes' own modules, so that one more route brings its decoders along.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import cache
from importlib import import_module
from typing import Any, Final
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fastapi.dependencies.utils import request_params_to_args
from pydantic import TypeAdapter
from starlette.requests import Request

from gateway import routes
from gateway.access.admission import client_network
from gateway.access.auth import Authenticator
from gateway.headers import header as header_of
from gateway.headers import headers_of
from gateway.http import path_parameters
from gateway.http.bodies import decode_json, read_body, read_model
from gateway.http.entity_tags import matching
from gateway.http.idempotency import request_id
from gateway.http.pages.accept import prefers_html
from gateway.http.path_parameters import SeatConvertor, match_id
from gateway.http.preconditions import expected_version, known_tables, known_versions
from gateway.http.queries import check_names, read_query
from gateway.http.validation import request_problem
from gateway.live.answers import must_accept_events
from gateway.live.tickets import _secret_of, unseal
from gateway.openapi.hot import HotRoute
from gateway.openapi.operation import Operation
from gateway.openapi.parameters import SCHEMAS
from gateway.problems.document import ProblemError
from gateway.routes.feed import _last_event_id as last_event_id_of_feed
from gateway.routes.streams import _last_event_id as last_event_id_of_stream
from gateway.telemetry.tracing import read_trace
from services.identity.match_tokens import MatchTokens
from tests.proofs.hostile.decoding import Decoder, done
from tests.proofs.hostile.samples import query_of_schema, sample, sample_of_schema

REFUSED: Final = (ProblemError,)
MATCH: Final = "01890000-0000-7000-8000-000000000000"
_JSON: Final = [(b"content-type", b"application/json")]
_MAX_HEADER: Final = 64 * 1024


def request(
    *,
    headers: list[tuple[bytes, bytes]] | None = None,
    query: bytes = b"",
    path: dict[str, Any] | None = None,
    pieces: tuple[bytes, ...] = (b"",),
    client: str = "127.0.0.1",
) -> Request:
    """Return a request as the server would hand it on."""
    waiting = list(pieces)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": query,
        "headers": headers or [],
        "path_params": path or {},
        "client": (client, 1),
    }
    return Request(scope, receive)


def modules() -> list[Any]:
    """Return every module with routes."""
    return [
        import_module(f"{routes.__name__}.{found.name}") for found in pkgutil.iter_modules(routes.__path__)
    ]


@cache
def bodies() -> tuple[Decoder, ...]:
    """Return a decoder for every body of JSON that a route reads."""
    found = []
    for module in modules():
        for name, decoder in vars(module).items():
            if isinstance(decoder, msgspec.json.Decoder):
                label = f"body.{module.__name__.rpartition('.')[2]}{name.lower()}"
                found.append(
                    Decoder(label, _body(decoder), REFUSED, (sample(decoder.type), b"{}"), most=70_000)
                )
    for route in operations():
        if route.body_field is not None:
            model = TypeAdapter(route.body_field.field_info.annotation)
            seeds = (
                sample_of_schema(model.json_schema(ref_template=SCHEMAS.replace("name", "model"))),
                b"{}",
            )
            found.append(Decoder(f"body.{route.operation_id}", _model(model), REFUSED, seeds, most=70_000))
    return tuple(found)


def operations() -> list[Operation]:
    """Return the routes: FastAPI reads the input of those that are not thin."""
    return [route for route in routes.ROUTES if isinstance(route, Operation)]


def _in_two(data: bytes) -> Request:
    middle = len(data) // 2
    return request(headers=_JSON, pieces=(data[:middle], data[middle:]))


async def _json(asked: Request, decoder: msgspec.json.Decoder[Any]) -> object:
    return decode_json(asked, await read_body(asked), decoder)


def _body(decoder: msgspec.json.Decoder[Any]) -> Callable[[bytes], object]:
    return lambda data: done(_json(_in_two(data), decoder))


def _model(model: TypeAdapter[Any]) -> Callable[[bytes], object]:
    return lambda data: done(read_model(_in_two(data), model))


@cache
def queries() -> tuple[Decoder, ...]:
    """Return a decoder for the query parameters of every route that reads some."""
    return (
        *(_by_itself(route) for route in operations() if isinstance(route, HotRoute)),
        *(_by_signature(route) for route in operations() if route.dependant.query_params),
    )


def _by_itself(route: HotRoute) -> Decoder:
    """Read a query as a hot operation does."""
    ((parameter,),) = (one.query_params for one in route.dependant.dependencies if one.query_params)
    model = parameter.field_info.annotation
    seeds = (query_of_schema(model.model_json_schema()), b"seat=0")
    return Decoder(
        f"query.{route.operation_id}", lambda data: read_query(request(query=data), model), REFUSED, seeds
    )


def _by_signature(route: Operation) -> Decoder:
    """Read a query as FastAPI does after its names are checked."""
    parameters = route.dependant.query_params
    (model,) = (one.field_info.annotation for one in parameters)
    schema = model.model_json_schema()

    def read(data: bytes) -> object:
        asked = request(query=data)
        check_names(asked, schema["properties"])
        values, errors = request_params_to_args(parameters, asked.query_params)
        if errors:
            raise request_problem(errors)
        return values

    return Decoder(f"query.{route.operation_id}", read, REFUSED, (query_of_schema(schema), b"seat=0"))


# ── headers and paths ──────────────────────────────────────────────────────────────────────────────


def _header(name: bytes, read: Callable[[Request], object]) -> Callable[[bytes], object]:
    def call(data: bytes) -> object:
        one, _, more = data.partition(b"\x00")  # a header that is sent twice
        lines = [(name, one), (name, more)] if more else [(name, one)]
        return read(request(headers=lines))

    return call


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "replace"))


def _in_path(name: str, read: Callable[[Request], object]) -> Callable[[bytes], object]:
    return lambda data: read(request(path={name: data.decode("utf-8", "replace")}))


def _parameter(name: str) -> Callable[[bytes], object]:
    read = getattr(path_parameters, name)
    return _text(lambda value: done(read(value)))


def _seat(data: bytes) -> object:
    digits = bytes(byte for byte in data if byte in b"0123456789") or b"0"  # the route takes nothing else
    return done(path_parameters._seat(SeatConvertor().convert(digits.decode())))


PRIVATE: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@cache
def tokens() -> tuple[bytes, ...]:
    """Return tokens of each role."""
    mint = MatchTokens(PRIVATE, lifetime=timedelta(days=36_500)).mint
    seat, _ = mint(match_id=UUID(MATCH), game="river_dragons", seat=0, generation=0)
    return (seat.encode(), b"eyJhbGciOiJub25lIn0.e30.", b"ft_dev_0123456789abcdefghijklmnopqrstuv_000000")


def _heads() -> Iterator[Decoder]:
    auth = Authenticator(PRIVATE.public_key())
    bearer = tuple(b"Bearer " + token for token in tokens())

    def header(name: str, read: Callable[[Request], object], *seeds: bytes) -> Decoder:
        return Decoder(f"header.{name}", _header(name.encode(), read), REFUSED, seeds, most=_MAX_HEADER)

    yield header("authorization", auth.caller, *bearer)
    yield header(
        "idempotency-key", lambda asked: request_id(asked, "turn-1"), b'"turn-1"', b"turn-1", b'"a\\"b"'
    )
    yield header("if-match", lambda asked: expected_version(asked, 3), b'"v:3"', b"v:3", b"*", b'W/"v:3"')
    tags = (b'"v:1;a=0123456789ab", W/"v:2;it;s=0123456789ab;a=0123456789ab-gzip"', b"*")
    yield header("if-none-match", lambda asked: (known_versions(asked), known_tables(asked)), *tags)
    yield header(
        "if-none-match-of-keys",
        lambda asked: matching(header_of(asked, b"if-none-match-of-keys"), '"abc"'),
        b'W/"abc", "def"',
        b"*",
    )
    yield header("last-event-id", _stream_id, b"41", b"0")
    yield header("last-event-id-of-feed", _feed_id, b"1769860800000000")
    yield header("accept", must_accept_events, b"text/event-stream", b"text/*;q=0.1, */*")
    yield header(
        "accept-of-pages",
        lambda asked: prefers_html(header_of(asked, b"accept-of-pages") or ""),
        b"text/html, application/json;q=0.9, */*;q=0.8",
        b"text/*;q=.",
    )
    yield header("traceparent", _trace, b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    yield header("x-request-id", _trace, b"turn-42")
    yield header("content-type", _typed, b"application/json; charset=utf-8")
    yield header("content-length", _measured, b"12")
    yield Decoder(
        "client.address", _text(_network), REFUSED, (b"192.0.2.1", b"2001:db8::1%eth0", b"::ffff:192.0.2.1")
    )
    yield Decoder("path.match_id", _in_path("match_id", match_id), REFUSED, (MATCH.encode(),))
    for name in ("endpoint_id", "event_id", "key_id", "vacation_id"):
        yield Decoder(f"path.{name}", _parameter(f"_{name}"), REFUSED, (MATCH.encode(),))
    yield Decoder("path.tenant", _parameter("_tenant"), REFUSED, (b"acme",))
    yield Decoder("path.seat", _seat, REFUSED, (b"0", b"99", b"100"))
    yield Decoder("ticket", _text(_secret_of), REFUSED, (b"st_" + b"A" * 43,))
    yield Decoder("ticket.sealed", lambda data: unseal(bytes(32), data), REFUSED, (bytes(48),))


def _stream_id(asked: Request) -> object:
    return last_event_id_of_stream(asked, None)


def _feed_id(asked: Request) -> object:
    return last_event_id_of_feed(_renamed(asked, b"last-event-id"))


def _renamed(asked: Request, name: bytes) -> Request:
    return request(headers=[(name, value) for _, value in asked.scope["headers"]])


def _trace(asked: Request) -> object:
    trace = read_trace(headers_of(asked.scope))
    return trace.traceparent, trace.request_id.encode("ascii")


def _typed(asked: Request) -> object:
    return done(_json(request(headers=asked.scope["headers"], pieces=(b"{}",)), _ANYTHING))


def _measured(asked: Request) -> object:
    headers = [*_JSON, *asked.scope["headers"]]
    return done(_json(request(headers=headers, pieces=(b"{}",)), _ANYTHING))


def _network(address: str) -> object:
    return client_network(request(client=address))


_ANYTHING: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder()


@cache
def heads() -> tuple[Decoder, ...]:
    """Return a decoder for every header, every part of a path, and every credential."""
    return tuple(_heads())
