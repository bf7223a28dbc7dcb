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
from starlette.types import ASGIApp, Receive, Scope, Send

Handler = Callable[[Request], Awaitable[Response]]
JSONObject = dict[str, Any]

SCHEMAS: Final = "#/components/schemas/{name}"
JSON_MEDIA_TYPE: Final = "application/json"

_PATH_PARAMETERS: Final[Mapping[str, JSONObject]] = {
    "match_id": {"type": "string", "format": "uuid", "description": "The match."},
    "seat": {"type": "integer", "minimum": 0, "maximum": 99, "description": "The seat, counted from 0."},
    "game": {
        "type": "string",
        "maxLength": 64,
        "description": "The game's id.",
        "examples": ["river_dragons"],
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
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names, and what they say."""
    links: Mapping[str, JSONObject] = field(default_factory=dict)
    """OpenAPI links: where the answer's ids lead."""
    examples: Mapping[str, Any] = field(default_factory=dict)


class ThinRoute(APIRoute):
    """In the document like any FastAPI route, at run time a plain Starlette one."""

    def __init__(self, path: str, endpoint: Handler, **documentation: Any) -> None:
        super().__init__(path, endpoint, **documentation)
        self.app = _plain(endpoint)


def _plain(handler: Handler) -> ASGIApp:
    """Call a handler and send its answer; what it raises is answered by the application's own handlers."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive, send))
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
    body_required: bool = True,
    body_examples: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    public: bool = False,
) -> ThinRoute:
    """Give a route with everything the document says of it.

    `headers` are request headers with their descriptions; `problems` HTTP statuses of problem documents; `public`
    routes need no credential. 500 and the handler's docstring are added by themselves.
    """
    statuses = {500, *problems} | (set() if public else {401, 503, 504})
    operation: JSONObject = {
        "parameters": [
            *_path_parameters(path),
            *_query_parameters(query),
            *_header_parameters(headers or {}),
        ],
        "responses": {
            **{str(status): _response(answer) for status, answer in answers.items()},
            **{
                str(status): {"$ref": f"#/components/responses/Problem{status}"}
                for status in sorted(statuses)
            },
        },
        "security": [] if public else [{"apiKey": []}, {"seatToken": []}],
    }
    if body is not None:
        content: JSONObject = {"schema": {"$ref": SCHEMAS.format(name=body.__name__)}}
        if body_examples:
            content["examples"] = {name: {"value": value} for name, value in body_examples.items()}
        operation["requestBody"] = {"required": body_required, "content": {JSON_MEDIA_TYPE: content}}
    return ThinRoute(
        path,
        handler,
        methods=[method],
        operation_id=operation_id,
        summary=summary,
        tags=[tag],
        status_code=min(answers),
        response_class=Response,
        response_description=answers[min(answers)].description,
        openapi_extra=operation,
    )


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


def _response(answer: Answer) -> JSONObject:
    response: JSONObject = {"description": answer.description}
    if answer.headers:
        response["headers"] = {
            name: {"description": text, "schema": {"type": "string"}} for name, text in answer.headers.items()
        }
    schema = answer.schema
    if answer.shape is not None:
        schema = {"$ref": SCHEMAS.format(name=answer.shape.__name__)}
    if schema is not None:
        content: JSONObject = {"schema": schema}
        if answer.examples:
            content["examples"] = {name: {"value": value} for name, value in answer.examples.items()}
        response["content"] = {answer.media_type: content}
    if answer.links:
        response["links"] = dict(answer.links)
    return response
