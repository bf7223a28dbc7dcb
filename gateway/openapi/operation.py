"""The class of every route: FastAPI's own, with what HTTP and our answers ask for besides.

An `APIRouter(route_class=Operation)` is written as FastAPI's documentation says. Three things differ, each in one method:
the body is read last (`get_route_handler`), HEAD is answered where GET is (`matches`, `handle`), and what follows from
the signature is added to the document (`_describe`): nobody lists 401, 413 or 429 at a route.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, APIRouter
from fastapi.security.base import SecurityBase
from pydantic import BaseModel, TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from gateway.access.admission import CountedFor
from gateway.access.rate_limits import Bucket
from gateway.headers import varying
from gateway.http.bodies import read_model
from gateway.http.pages.accept import Represented
from gateway.http.queries import check_names
from gateway.openapi.parameters import JSONObject, reference

JSON_MEDIA_TYPE: Final = "application/json"
RATE_LIMIT_HEADERS: Final = {
    name: {"$ref": f"#/components/headers/{name}"} for name in ("RateLimit", "RateLimit-Policy")
}
"""On every answer of a limited route."""

_PARAMETER: Final = re.compile(r"\{[^}]*\}")


def answer(
    description: str,
    shape: type | None = None,
    *,
    media_type: str = JSON_MEDIA_TYPE,
    content: Mapping[str, JSONObject] | None = None,
    headers: Mapping[str, str] | None = None,
    examples: Mapping[str, Any] | None = None,
) -> JSONObject:
    """Return what `responses=` takes for an answer with a struct as its body, or with none.

    `content` holds schemas by media type for what no struct describes; `headers` names with what they say; `examples`
    stand at each media type.
    """
    schemas = dict(content or {})
    if shape is not None:
        schemas[media_type] = reference(shape)
    said: JSONObject = {"description": description}
    if schemas:
        shown = {"examples": {name: {"value": value} for name, value in examples.items()}} if examples else {}
        said["content"] = {name: {"schema": schema, **shown} for name, schema in schemas.items()}
    if headers:
        said["headers"] = {
            name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()
        }
    return said


def problems(*statuses: int) -> dict[int | str, JSONObject]:
    """Return what `responses=` takes for problem documents, beside those that an operation has by its signature."""
    return {status: {"$ref": f"#/components/responses/Problem{status}"} for status in statuses}


class RoutedPath(APIRoute):
    """How a path is found: HEAD with GET, and a path that is spelled out before one with a parameter."""

    bucket: Bucket | None
    """The rate limit its requests count for; None: none."""
    varies: bytes
    """The request headers on which its responses depend, as `Vary` names them."""
    _gives_way_to: tuple[re.Pattern[str], ...] = ()

    @property
    def own_methods(self) -> set[str]:
        """The methods that it was declared with."""
        return set(self.methods or ())

    @property
    def allowed(self) -> set[str]:
        """The methods of this path; whatever can be got can be asked for its head (RFC 9110 §9.3.2), but no endless stream."""
        return self.own_methods | {"HEAD"} if self._answers_head else self.own_methods

    @property
    def _answers_head(self) -> bool:
        return "GET" in self.own_methods and self.bucket is not Bucket.STREAMS

    def give_way(self, routes: Sequence[RoutedPath]) -> None:
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
        if scope["method"] == "HEAD" and self._answers_head:
            return {**scope, "method": "GET"}
        return scope


class Operation(RoutedPath):
    """An ordinary FastAPI operation."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **declared: Any) -> None:
        super().__init__(
            path, endpoint, **(declared | {"response_class": Response})
        )  # else all claim JSON, pages too
        self._describe()

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]  # a coroutine is one
        """Have FastAPI check the query's names and read the body after all other dependencies.

        By itself it reads bodies first, whole and of any size: also those of callers who may not send any.
        """
        calls = list(_calls(self.dependant))
        self.bucket = next((call.bucket for call in calls if isinstance(call, CountedFor)), None)
        self.authenticated = any(isinstance(call, SecurityBase) for call in calls)
        represented = next((call for call in calls if isinstance(call, Represented)), None)
        self.varies = varying(
            by_credential=self.authenticated,
            by_type=represented is not None and represented.is_negotiated,
            by_language="Accept-Language" in set(_header_names(self.dependant)),
        )
        if self.bucket is not None:  # what is not counted, machines ask for every few seconds, as they please
            names = _QueryNames(set(_query_names(self.dependant)), represented)
            self.dependant.dependencies.append(Dependant(call=names, request_param_name="request"))
        body, self.body_field = self.body_field, None
        if body is not None:
            self.dependant.body_params = []
            self.dependant.dependencies.append(
                Dependant(
                    name=body.name,
                    call=_Body(
                        body.field_info.annotation,
                        None if body.field_info.is_required() else body.get_default(),
                    ),
                    request_param_name="request",
                )
            )
        handler = super().get_route_handler()
        self.body_field = body
        return handler

    def _describe(self) -> None:
        """Add to the document what follows from the signature: problems, and the headers of a rate limit."""
        statuses = {500} | ({400, 429} if self.bucket is not None else set())
        if self.authenticated:
            statuses |= {401, 503, 504}
        if self.body_field is not None or "requestBody" in (self.openapi_extra or {}):
            statuses |= {413, 415}
        told = problems(*sorted(statuses)) | {
            status: one for status, one in self.responses.items() if "$ref" in one
        }
        self.responses = {
            status: self._with_limits(one) for status, one in self.responses.items() if "$ref" not in one
        }
        extra: JSONObject = {"responses": {str(status): one for status, one in told.items()}}
        if self.bucket is not None:
            extra["x-rate-limit-bucket"] = self.bucket.value
        self.openapi_extra = {**extra, **(self.openapi_extra or {})}

    def _with_limits(self, said: JSONObject) -> JSONObject:
        if self.bucket is None:
            return said
        return {**said, "headers": {**said.get("headers", {}), **RATE_LIMIT_HEADERS}}


def operations(router: APIRouter) -> Iterator[RoutedPath]:
    """Return the operations of a noun. `include_router` would wrap each, and its answers to HEAD and 405 with it."""
    for route in router.routes:
        assert isinstance(route, RoutedPath), f"{route} needs route_class=Operation"
        yield route


class _QueryNames:
    """The dependency that refuses query parameters which no signature names, unless the response is a page."""

    def __init__(self, names: set[str], represented: Represented | None) -> None:
        self._names = names
        self._represented = represented

    async def __call__(self, request: Request) -> None:
        if self._represented is None or not self._represented.is_for_people(request):
            check_names(request, self._names)


class _Body:
    """The dependency that reads the body."""

    def __init__(self, model: Any, default: BaseModel | None) -> None:
        self._model: TypeAdapter[BaseModel] = TypeAdapter(model)
        self._limit: int | None = getattr(model, "max_bytes", None)
        self._default = default

    async def __call__(self, request: Request) -> BaseModel | None:
        body = await read_model(request, self._model, optional=self._default is not None, limit=self._limit)
        return self._default if body is None else body


def _query_names(dependant: Dependant) -> Iterator[str]:
    """Return the query parameters that a signature and its dependencies name, each by itself or as members of a model."""
    for parameter in dependant.query_params:
        model = parameter.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            yield from (field.alias or name for name, field in model.model_fields.items())
        else:
            yield parameter.alias
    for one in dependant.dependencies:
        yield from _query_names(one)


def _header_names(dependant: Dependant) -> Iterator[str]:
    """Return the request headers that a signature and its dependencies name."""
    yield from (parameter.alias for parameter in dependant.header_params)
    for one in dependant.dependencies:
        yield from _header_names(one)


def _calls(dependant: Dependant) -> Iterator[Any]:
    """Return whatever is called for a request, dependencies of dependencies included."""
    for one in dependant.dependencies:
        yield one.call
        yield from _calls(one)
