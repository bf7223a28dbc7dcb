"""Parameters of paths, as dependencies: `tenant: Tenant` in a signature reads `{tenant}`.

A value that cannot be an id is answered like an id that does not exist: with 404, not with a validation error. `match_id` is for hot
operations, which read their own parameters.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

from fastapi import Depends, Path
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

from gateway.problems.document import ProblemError, malformed
from gateway.schemas.fields import MAX_SEAT

NO_SUCH_MATCH: Final = "there is no such match"
"""The rules server's own words."""

_MAX_DIGITS: Final = 9
"""Of a seat, leading zeros included."""
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_TENANT: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}")


class SeatConvertor(Convertor[int]):
    """`{seat:seat}` in a path. starlette's own `int` fails on thousands of digits; more than any seat has are one seat."""

    regex = "[0-9]+"

    def convert(self, value: str) -> int:
        """Return the number, or one that no seat has."""
        return int(value) if len(value) <= _MAX_DIGITS else MAX_SEAT + 1

    def to_string(self, value: int) -> str:
        """Return the path's part."""
        return str(value)


register_url_convertor("seat", SeatConvertor())


def _id(description: str, example: str) -> Any:
    return Path(description=description, examples=[example], json_schema_extra={"format": "uuid"})


def _canonical(value: str, reason: str, detail: str) -> str:
    """Return an id in lower case. Raises ProblemError if it is not a UUID."""
    if _UUID.fullmatch(value) is None:
        raise ProblemError(reason, detail)
    return value.lower()


def match_id(request: Request) -> str:
    """Return the match a path names, in canonical form; raises ProblemError MATCH_NOT_FOUND for what is no UUID."""
    return _canonical(request.path_params["match_id"], "MATCH_NOT_FOUND", NO_SUCH_MATCH)


async def _match_id(
    match_id: Annotated[str, _id("The match.", "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11")],
) -> str:
    return _canonical(match_id, "MATCH_NOT_FOUND", NO_SUCH_MATCH)


async def _endpoint_id(
    endpoint_id: Annotated[str, _id("The webhook endpoint's id.", "9d0f7a44-6f0b-4c84-8a39-6f7d3e5b1c20")],
) -> str:
    return _canonical(endpoint_id, "ENDPOINT_NOT_FOUND", "there is no such endpoint")


async def _event_id(
    event_id: Annotated[str, _id("The event's id.", "4f6f1d0c-51f5-4bd0-9b0f-2f0e7a2f3c55")],
) -> str:
    return _canonical(
        event_id, "DELIVERY_NOT_FOUND", "no such event was sent to this endpoint, or it is forgotten"
    )


async def _key_id(
    key_id: Annotated[str, _id("The API key's id.", "0197f0c4-7a10-7d3e-8c55-6b1d2f3a4c5d")],
) -> str:
    return _canonical(key_id, "KEY_NOT_FOUND", "there is no such key")


async def _vacation_id(
    vacation_id: Annotated[str, _id("The vacation's id.", "3d8c6f0a-52f1-4f5e-9a44-0c8b1f2e7d90")],
) -> str:
    return _canonical(vacation_id, "VACATION_NOT_FOUND", "there is no such vacation")


async def _tenant(
    tenant: Annotated[
        str, Path(description="The tenant.", examples=["acme"], json_schema_extra={"maxLength": 63})
    ],
) -> str:
    if _TENANT.fullmatch(tenant) is None:
        raise ProblemError("TENANT_NOT_FOUND", "there is no such tenant")
    return tenant


async def _seat(
    seat: Annotated[
        int,
        Path(
            description="The seat, counted from 0.",
            examples=[0],
            json_schema_extra={"minimum": 0, "maximum": MAX_SEAT},
        ),
    ],
) -> int:
    """Return the seat number. Raises ProblemError for a number that no seat has. The path has it as `{seat:seat}`."""
    if seat > MAX_SEAT:
        raise malformed(f"seats are numbered from 0 to {MAX_SEAT}", code="OUT_OF_RANGE", parameter="seat")
    return seat


MatchId = Annotated[str, Depends(_match_id)]
EndpointId = Annotated[str, Depends(_endpoint_id)]
EventId = Annotated[str, Depends(_event_id)]
KeyId = Annotated[str, Depends(_key_id)]
VacationId = Annotated[str, Depends(_vacation_id)]
Tenant = Annotated[str, Depends(_tenant)]
Seat = Annotated[int, Depends(_seat)]
Game = Annotated[
    str,
    Path(description="The game's id.", examples=["river_dragons"], json_schema_extra={"maxLength": 64}),
]
