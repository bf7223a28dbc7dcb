"""Query and path parameters: declared as structs, everything else is refused by name."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

from gateway.bodies import culprit
from gateway.problem_documents import ProblemError, malformed
from gateway.schemas.fields import MAX_SEAT

MAX_PARAMETERS: Final = 32

T = TypeVar("T", bound=msgspec.Struct)

_MOST_DIGITS: Final = 9
"""Of a seat, leading zeros included."""
_NUMBER: Final = re.compile(r"[+-]?[0-9.eE]+")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


class SeatConvertor(Convertor[int]):
    """`{seat:seat}` in a path. starlette's own `int` fails on thousands of digits; more than any seat has are one seat."""

    regex = "[0-9]+"

    def convert(self, value: str) -> int:
        """Give the number, or one that no seat has."""
        return int(value) if len(value) <= _MOST_DIGITS else MAX_SEAT + 1

    def to_string(self, value: int) -> str:
        """Give the path's part."""
        return str(value)


register_url_convertor("seat", SeatConvertor())


def read_query(request: Request, shape: type[T]) -> T:
    """Give the query parameters; ProblemError MALFORMED_REQUEST names an unknown, repeated or wrong one."""
    text: bytes = request.scope["query_string"]
    if not text:
        return shape()
    parameters: dict[str, str] = {}
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
    try:
        query = msgspec.convert(parameters, shape, strict=False)
    except msgspec.ValidationError as error:
        code, detail, pointer = culprit(error)
        name = pointer.removeprefix("/").replace("~1", "/").replace("~0", "~")
        raise malformed(f"`{name}`: {detail}", code=code, parameter=name) from None
    _must_mean_what_they_say(parameters, query)
    return query


def _must_mean_what_they_say(parameters: dict[str, str], query: msgspec.Struct) -> None:
    """Refuse what the lenient reading of texts lets through: `null` for a value, and a number for a moment."""
    for field in msgspec.structs.fields(query):
        value = getattr(query, field.name)
        name = field.encode_name
        if value is None and name in parameters:
            raise malformed(f"`{name}`: leave it out to say nothing", code="WRONG_TYPE", parameter=name)
        if isinstance(value, datetime) and _NUMBER.fullmatch(parameters.get(name, "")):
            raise malformed(f"`{name}`: is no RFC 3339 date and time", code="WRONG_TYPE", parameter=name)


def match_id(request: Request) -> str:
    """Give the match a path names, in canonical form. What is no UUID is told like a match that does not exist."""
    value: str = request.path_params["match_id"]
    if _UUID.fullmatch(value) is None:
        raise ProblemError("MATCH_NOT_FOUND", NO_SUCH_MATCH)
    return value.lower()


def endpoint_id(request: Request) -> str:
    """Give the webhook endpoint a path names, as above."""
    value: str = request.path_params["endpoint_id"]
    if _UUID.fullmatch(value) is None:
        raise ProblemError("ENDPOINT_NOT_FOUND", "there is no such endpoint")
    return value.lower()


def event_id(request: Request) -> str:
    """Give the event a path names, as above."""
    value: str = request.path_params["event_id"]
    if _UUID.fullmatch(value) is None:
        raise ProblemError(
            "DELIVERY_NOT_FOUND", "no such event was sent to this endpoint, or it is forgotten"
        )
    return value.lower()


def seat_number(request: Request) -> int:
    """Give the seat a path names; ProblemError MALFORMED_REQUEST for a number no seat has."""
    seat: int = request.path_params["seat"]
    if seat > MAX_SEAT:
        raise malformed(f"seats are numbered from 0 to {MAX_SEAT}", code="OUT_OF_RANGE", parameter="seat")
    return seat


NO_SUCH_MATCH: Final = "there is no such match"
"""The rules server's own words."""
