"""Hot operations: in the document like all others, and served by `gateway/hot` without FastAPI.

A `HotRoute` is declared like any other operation, with the dependencies that its function does without in the decorator:
`dependencies=[counted_for(Bucket.READS), MATCH, query_of(ViewQuery)]`. The document is made of them, but no request solves
them: the function gets the request, and reads in its own order what they describe.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from gateway.access.rate_limits import Bucket
from gateway.openapi.operation import Operation
from gateway.schemas.inputs import QueryParameters

Function = Callable[[Request], Awaitable[Response]]


class HotRoute(Operation):
    """In the document like any operation; `gateway/hot/operations.py` serves it."""

    def __init__(self, path: str, endpoint: Function, **declared: Any) -> None:
        super().__init__(path, endpoint, **declared)
        assert self.bucket is not None, f"{path} needs counted_for(…)"
        self.operation = endpoint

    @property
    def counted(self) -> Bucket:
        """The rate limit that its requests count for."""
        assert self.bucket is not None
        return self.bucket


def query_of(model: type[QueryParameters]) -> Any:
    """Return the dependency that describes a query, which the function reads with `read_query`."""

    async def described(query: QueryParameters) -> None:
        """Describe it; nothing calls this."""

    described.__annotations__["query"] = Annotated[model, Query()]
    return Depends(described)
