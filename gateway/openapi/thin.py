"""Routes that are operations in the document, and plain Starlette endpoints at run time.

A `ThinRoute` is declared like any other operation, with the dependencies that its handler does without in the decorator:
`dependencies=[counted_for(Bucket.READS), MATCH, query_of(ViewQuery)]`. The document is made of them, but no request solves
them: the handler gets the request, and reads in its own order what they describe.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gateway.access.admission import admission_of
from gateway.access.rate_limits import Bucket
from gateway.openapi.operation import Operation
from gateway.problems.document import ProblemError
from gateway.schemas.inputs import QueryParameters

Handler = Callable[[Request], Awaitable[Response]]


class ThinRoute(Operation):
    """In the document like any operation, at run time a plain endpoint within a rate limit."""

    def __init__(self, path: str, endpoint: Handler, **declared: Any) -> None:
        super().__init__(path, endpoint, **declared)
        assert self.bucket is not None, f"{path} needs counted_for(…)"
        self.app = _limited(endpoint, self.bucket)


def _limited(handler: Handler, bucket: Bucket) -> ASGIApp:
    """Call a handler within a rate limit and send its answer. What became of a request says whether its API key is one.

    What the handler raises is answered by the application's own handlers.
    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        admission = admission_of(scope)
        admission.admit(request, bucket)
        try:
            response = await handler(request)
        except ProblemError as problem:
            admission.learn(request, problem.status)
            raise
        admission.learn(request, response.status_code)
        await response(scope, receive, send)

    return app


def query_of(model: type[QueryParameters]) -> Any:
    """Return the dependency that describes a query, which the handler reads with `read_query`."""

    async def described(query: QueryParameters) -> None:
        """Describe it; nothing calls this."""

    described.__annotations__["query"] = Annotated[model, Query()]
    return Depends(described)
