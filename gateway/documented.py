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
from gateway.problem_documents import ProblemError
from gateway.rate_limits import Bucket

Handler = Callable[[Request], Awaitable[Response]]
JSONObject = dict[str, Any]

SCHEMAS: Final = "#/components/schemas/{name}"
JSON_MEDIA_TYPE: Final = "application/json"
RATE_LIMIT_HEADERS: Final = {
    name: {"$ref": f"#/components/headers/{name}"} for name in ("RateLimit", "RateLimit-Policy")
}
"""On every answer of a limited route."""

_PATH_PARAMETERS: Final[Mapping[str, JSONObject]] = {
    "match_id": {"type": "string", "format": "uuid", "description": "The match."},
    "seat": {"type": "integer", "minimum": 0, "maximum": 99, "description": "The seat, counted from 0."},
    "game": {
        "type": "string",
        "maxLength": 64,
        "description": "The game's id.",
        "examples": ["river_dragons"],
    },
    "tenant": {"type": "string", "maxLength": 63, "description": "The tenant.", "examples": ["acme"]},
    "endpoint_id": {"type": "string", "format": "uuid", "description": "The webhook endpoint's id."},
    "event_id": {"type": "string", "format": "uuid", "description": "The event's id."},
    "key_id": {"type": "string", "format": "uuid", "description": "The API key's id."},
    "asset": {
        "type": "string",
        "maxLength": 63,
        "description": "A file of the page.",
        "examples": ["swagger-ui.css"],
    },
    "reason": {
        "type": "string",
        "maxLength": 63,
        "description": "A reason.",
        "examples": ["VERSION_CONFLICT"],
    },
}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One way a route answers when all is well."""

    description: str
    shape: type | None = None
    """The struct of a JSON body."""
    media_type: str = JSON_MEDIA_TYPE
    schema: JSONObject | None = None
    """Of a body that no struct describes."""
    events: Mapping[str, type] = field(default_factory=dict)
    """Of a stream of server-sent events: their names, and the structs of their `data` (`x-events`)."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names, and what they say."""
    links: Mapping[str, JSONObject] = field(default_factory=dict)
    """OpenAPI links: where the answer's ids lead."""
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

    @property
    def allowed(self) -> set[str]:
        """The methods of this path; whatever can be got can be asked for its head (RFC 9110 §9.3.2), but no endless stream."""
        return self._own_methods | {"HEAD"} if self._answers_head else self._own_methods

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Find HEAD where GET is found."""
        return super().matches(self._as_get(scope))

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
    bucket: Bucket | None = None,
    unlimited: bool = False,
) -> ThinRoute:
    """Give a route with everything the document says of it.

    `body_schema` stands for a `body` that no struct describes. `headers` are request headers with their descriptions; `problems` HTTP statuses of problem documents; `public`
    routes need no credential. `bucket` is the rate limit the route counts for; unsaid, reads for GET and lobby for the
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
            *_path_parameters(path),
            *_query_parameters(query),
            *_header_parameters(headers or {}),
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
        "security": [] if public else [{"apiKey": []}, {"matchToken": []}],
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


def _path_parameters(path: str) -> list[JSONObject]:
    return [
        {"name": name, "in": "path", "required": True, **_described(dict(_PATH_PARAMETERS[name]))}
        for name in re.findall(r"\{(\w+)", path)
    ]


def _query_parameters(query: type[msgspec.Struct] | None) -> list[JSONObject]:
    if query is None:
        return []
    _, components = msgspec.json.schema_components([query], ref_template=SCHEMAS)
    properties: JSONObject = components[query.__name__]["properties"]
    return [
        {"name": name, "in": "query", "required": False, **_described(_without_null(dict(schema)))}
        for name, schema in properties.items()
    ]


def _header_parameters(headers: Mapping[str, str]) -> list[JSONObject]:
    return [
        {"name": name, "in": "header", "required": False, "description": text, "schema": {"type": "string"}}
        for name, text in headers.items()
    ]


def _described(schema: JSONObject) -> JSONObject:
    """Move a schema's description to its parameter."""
    return {"description": schema.pop("description", ""), "schema": schema}


def _without_null(schema: JSONObject) -> JSONObject:
    """A query parameter that is not given is absent, not null."""
    if "anyOf" in schema:
        (value,) = [option for option in schema.pop("anyOf") if option != {"type": "null"}]
        schema = {**value, **schema}
    if schema.get("default", ...) is None:
        del schema["default"]
    return schema


def _response(answer: Answer, *, limited: bool) -> JSONObject:
    response: JSONObject = {"description": answer.description}
    headers: JSONObject = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in answer.headers.items()
    }
    if limited:
        headers |= RATE_LIMIT_HEADERS
    if headers:
        response["headers"] = headers
    schema = answer.schema
    if answer.shape is not None:
        schema = {"$ref": SCHEMAS.format(name=answer.shape.__name__)}
    if schema is not None:
        content: JSONObject = {"schema": schema}
        if answer.examples:
            content["examples"] = {name: {"value": value} for name, value in answer.examples.items()}
        if answer.events:
            content["x-events"] = {
                name: {"$ref": SCHEMAS.format(name=shape.__name__)} for name, shape in answer.events.items()
            }
        response["content"] = {answer.media_type: content}
    if answer.links:
        response["links"] = dict(answer.links)
    return response
