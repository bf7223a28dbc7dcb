"""Translation of pydantic's validation errors into problem documents, by error type, never by message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gateway.http.wording import of_pydantic
from gateway.problems.document import ProblemError, malformed

_NAMED: Final = {
    "missing": ("MISSING_FIELD", "is missing"),
    "extra_forbidden": ("UNKNOWN_FIELD", "is not known here"),
}
_WRONG_TYPE: Final = frozenset({"bool_parsing", "int_parsing", "float_parsing", "int_from_float"})
"""Error types for a wrong type, besides every one that ends with `_type`. All other types mean a value out of bounds."""
_PLACES: Final = {"query": "parameter", "path": "parameter", "header": "header"}

Errors = Sequence[Any]
"""Errors as pydantic and FastAPI list them."""


def body_problem(errors: Errors) -> ProblemError:
    """Return the problem of a body that cannot be read. It names the first wrong part by its JSON pointer."""
    first = errors[0]
    code, detail = _said(first)
    if code == "WRONG_TYPE":
        detail = f"{detail}, got {_kind(first['input'])}"
    return malformed(detail, code=code, pointer="".join(f"/{_escaped(str(step))}" for step in first["loc"]))


def request_problem(errors: Errors) -> ProblemError:
    """Return the problem of a query, path or header that cannot be read. It names the first wrong parameter."""
    first = errors[0]
    code, detail = _said(first)
    place, name = first["loc"][0], str(first["loc"][1])
    return malformed(f"`{name}`: {detail}", code=code, **{_PLACES[place]: name})


def _said(error: Any) -> tuple[str, str]:
    kind: str = error["type"]
    if kind in _NAMED:
        return _NAMED[kind]
    if kind.endswith("_type") or kind in _WRONG_TYPE:
        return "WRONG_TYPE", of_pydantic(error)
    return "OUT_OF_RANGE", of_pydantic(error)


def _kind(value: Any) -> str:
    """Return what JSON calls such a value; never the value, which may be long or a secret."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case float():
            return "a number with a fraction or exponent"
        case int():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
