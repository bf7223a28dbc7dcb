"""Routes that are thin at run time and complete in the OpenAPI document.

A `ThinRoute` stands in the FastAPI application like any other, but its handler is called as a plain Starlette endpoint:
no dependencies are solved, no models are built, bytes go in and bytes come out. What FastAPI would read from a
signature, `documented` says from the very structs the handler reads and writes with.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.admission import admission_of
from gateway.documented_parameters import (
    SCHEMAS,
    JSONObject,
    header_parameters,
    path_parameters,
    query_parameters,
)
from gateway.problem_documents import ProblemError
from gateway.rate_limits import Bucket

Handler = Callable[[Request], Awaitable[Response]]
JSON_MEDIA_TYPE: Final = "application/json"
RATE_LIMIT_HEADERS: Final = {
    name: {"$ref": f"#/components/headers/{name}"} for name in ("RateLimit", "RateLimit-Policy")
}
"""On every answer of a limited route."""

_CREDENTIALS: Final[tuple[JSONObject, ...]] = ({"apiKey": []}, {"matchToken": []})
_PARAMETER: Final = re.compile(r"\{[^}]*\}")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One way a route answers when all is well."""

    description: str
    shape: type | None = None
    """The struct of a JSON body."""
    media_type: str = JSON_MEDIA_TYPE
    schema: JSONObject | None = None
    """Of a body that no struct describes."""
    also: Mapping[str, JSONObject] = field(default_factory=dict)
    """Other media types it may come as, and their schemas."""
    events: Mapping[str, type] = field(default_factory=dict)
    """Of a stream of server-sent events: their names, and the structs of their `data`."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names, and what they say."""
    examples: Mapping[str, Any] = field(default_factory=dict)


class ThinRoute(APIRoute):
    """In the document like any FastAPI route, at run time a plain Starlette one."""

    def __init__(
        self, path: str, endpoint: Handler, *, bucket: Bucket | None, public: bool, **documentation: Any
    ) -> None:
        super().__init__(path, endpoint, **documentation)
        self.bucket = bucket
        """The rate limit its requests count for; None: none."""
        self.public = public
        self.app = _plain(endpoint) if bucket is None else _limited(endpoint, bucket, public)
        self._own_methods = set(self.methods or ())
        self._answers_head = "GET" in self._own_methods and bucket is not Bucket.STREAMS
        self._gives_way_to: tuple[re.Pattern[str], ...] = ()

    @property
    def allowed(self) -> set[str]:
        """The methods of this path; whatever can be got can be asked for its head (RFC 9110 §9.3.2), but no endless stream."""
        return self._own_methods | {"HEAD"} if self._answers_head else self._own_methods

    def give_way(self, routes: Sequence[ThinRoute]) -> None:
        """Leave to each route the paths that it spells out and this one has a parameter for, whatever the method.

        Else `GET /v1/matches/import` would ask for a match called import (OpenAPI 3.1 §4.8.8: the concrete path first).
        """
        self._gives_way_to = tuple(
            {
                route.path_regex
                for route in routes
                if route.path != self.path and self.path_regex.fullmatch(_PARAMETER.sub("{}", route.path))
            }
        )

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Find HEAD where GET is found."""
        found = super().matches(self._as_get(scope))
        if found[0] is not Match.NONE and any(more.fullmatch(scope["path"]) for more in self._gives_way_to):
            return Match.NONE, {}
        return found

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer HEAD as GET; the server leaves the body out."""
        await super().handle(self._as_get(scope), receive, send)

    def _as_get(self, scope: Scope) -> Scope:
        if self._answers_head and scope["method"] == "HEAD":
            return {**scope, "method": "GET"}
        return scope


def _plain(handler: Handler) -> ASGIApp:
    """Call a handler and send its answer; what it raises is answered by the application's own handlers."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


def _limited(handler: Handler, bucket: Bucket, public: bool) -> ASGIApp:
    """The same, within a rate limit. What became of a request says whether its API key is one."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        admission = admission_of(scope)
        admission.admit(request, bucket)
        try:
            response = await handler(request)
        except ProblemError as problem:
            if not public:
                admission.learn(request, problem.status)
            raise
        if not public:
            admission.learn(request, response.status_code)
        await response(scope, receive, send)

    return app


def documented(
    method: str,
    path: str,
    handler: Handler,
    *,
    operation_id: str,
    summary: str,
    tag: str,
    answers: Mapping[int, Answer],
    problems: Sequence[int] = (),
    query: type[msgspec.Struct] | None = None,
    body: type[msgspec.Struct] | None = None,
    body_schema: JSONObject | None = None,
    body_required: bool = True,
    body_examples: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    public: bool = False,
    by_ticket: bool = False,
    bucket: Bucket | None = None,
    unlimited: bool = False,
) -> ThinRoute:
    """Give a route with everything the document says of it.

    `body_schema` stands for a `body` that no struct describes. `headers` are request headers with their descriptions; `problems` HTTP statuses of problem documents; `public`
    routes need no credential, and with `by_ticket` a stream ticket stands in for one. `bucket` is the rate limit the route counts for; unsaid, reads for GET and lobby for the
    rest; `unlimited` routes have none. 500 and the handler's docstring are added by themselves.
    """
    counts_for = None if unlimited else bucket or (Bucket.READS if method == "GET" else Bucket.LOBBY)
    statuses = (
        {500, *problems}
        | (set() if public else {401, 503, 504})
        | ({429} if counts_for is not None else set())
    )
    operation: JSONObject = {
        "parameters": [
            *path_parameters(path),
            *query_parameters(query),
            *header_parameters(headers or {}),
        ],
        "responses": {
            **{
                str(status): _response(answer, limited=counts_for is not None)
                for status, answer in answers.items()
            },
            **{
                str(status): {"$ref": f"#/components/responses/Problem{status}"}
                for status in sorted(statuses)
            },
        },
        "security": [] if public else [*_CREDENTIALS, *([{"streamTicket": []}] if by_ticket else [])],
    }
    if counts_for is not None:
        operation["x-rate-limit-bucket"] = counts_for.value
    if body is not None or body_schema is not None:
        schema = {"$ref": SCHEMAS.format(name=body.__name__)} if body is not None else body_schema
        operation["requestBody"] = _request_body(schema, body_examples or {}, required=body_required)
    return ThinRoute(
        path,
        handler,
        bucket=counts_for,
        public=public,
        methods=[method],
        operation_id=operation_id,
        summary=summary,
        tags=[tag],
        status_code=min(answers),
        response_class=Response,
        response_description=answers[min(answers)].description,
        openapi_extra=operation,
    )


def _request_body(schema: JSONObject | None, examples: Mapping[str, Any], *, required: bool) -> JSONObject:
    content: JSONObject = {"schema": schema}
    if examples:
        content["examples"] = {name: {"value": value} for name, value in examples.items()}
    return {"required": required, "content": {JSON_MEDIA_TYPE: content}}


def _response(answer: Answer, *, limited: bool) -> JSONObject:
    response: JSONObject = {"description": answer.description}
    headers: JSONObject = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in answer.headers.items()
    }
    if limited:
        headers |= RATE_LIMIT_HEADERS
    if headers:
        response["headers"] = headers
    schema = _body_schema(answer)
    if schema is not None:
        content: JSONObject = {"schema": schema}
        if answer.examples:
            content["examples"] = {name: {"value": value} for name, value in answer.examples.items()}
        others = {media_type: {"schema": other} for media_type, other in answer.also.items()}
        response["content"] = {answer.media_type: content, **others}
    return response


def _body_schema(answer: Answer) -> JSONObject | None:
    if answer.shape is not None:
        return {"$ref": SCHEMAS.format(name=answer.shape.__name__)}
    if answer.events:
        return {
            "description": "One event of the stream, read as WHATWG HTML §9.2.6 says; `data` is JSON.",
            "oneOf": [_event_schema(name, shape) for name, shape in answer.events.items()],
        }
    return answer.schema


def _event_schema(name: str, shape: type) -> JSONObject:
    """Describe one kind of server-sent event. OpenAPI 3.1 has no place for the items of a stream (3.2: `itemSchema`)."""
    return {
        "title": name,
        "type": "object",
        "required": ["event", "data"],
        "properties": {
            "event": {"const": name, "description": "Its kind."},
            "id": {
                "type": "string",
                "description": "Where to go on after it: `Last-Event-ID`.",
                "examples": ["42"],
            },
            "data": {
                "type": "string",
                "description": f"What it says: {shape.__name__} as JSON.",
                "contentMediaType": JSON_MEDIA_TYPE,
                "contentSchema": {"$ref": SCHEMAS.format(name=shape.__name__)},
            },
            "retry": {
                "type": "integer",
                "description": "After how many milliseconds to come back when the stream breaks.",
                "examples": [3000],
            },
        },
    }
