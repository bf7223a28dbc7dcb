"""Query parameters: whatever no model names is refused by name."""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from typing import Final, TypeVar, cast
from urllib.parse import parse_qsl

from pydantic import ValidationError
from starlette.requests import Request

from gateway.http.validation import request_problem
from gateway.problems.document import malformed
from gateway.schemas.inputs import QueryParameters

MAX_PARAMETERS: Final = 32

T = TypeVar("T", bound=QueryParameters)


def read_query(request: Request, model: type[T]) -> T:
    """Return the query parameters; ProblemError MALFORMED_REQUEST names an unknown, repeated or wrong one."""
    try:
        if not request.scope["query_string"]:
            return cast("T", _without_parameters(model))
        return model.model_validate(read_parameters(request))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise request_problem([{**first, "loc": ("query", *first["loc"])}]) from None


@cache
def _without_parameters(model: type[QueryParameters]) -> QueryParameters:
    """Return what an empty query means. It is the same object each time, which nobody can change: the models are frozen."""
    return model.model_validate({})


def check_names(request: Request, names: Container[str]) -> None:
    """Raises ProblemError MALFORMED_REQUEST for a query that cannot be read, or names a parameter twice or not of `names`."""
    for name in read_parameters(request):
        if name not in names:
            raise malformed(f"`{name}`: is not known here", code="UNKNOWN_FIELD", parameter=name)


def read_parameters(request: Request) -> dict[str, str]:
    """Return the query parameters as they were sent; raises ProblemError MALFORMED_REQUEST for a repeated one."""
    text: bytes = request.scope["query_string"]
    parameters: dict[str, str] = {}
    if not text:
        return parameters
    try:
        pairs = parse_qsl(
            text.decode("ascii"), keep_blank_values=True, max_num_fields=MAX_PARAMETERS, errors="strict"
        )
    except ValueError:  # UnicodeDecodeError among them
        raise malformed("the query cannot be read", code="NOT_A_QUERY", parameter="") from None
    for name, value in pairs:
        if name in parameters:
            raise malformed(f"`{name}` is given twice", code="REPEATED", parameter=name)
        parameters[name] = value
    return parameters
