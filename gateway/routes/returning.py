"""Coming back to a seat for which the house has decided."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.returning_pb2 import ReturnToSeatRequest
from gateway.documented import documented
from gateway.rate_limits import Bucket
from gateway.routes.house_requests import ask_house
from gateway.routes.moves import ANSWERS, REFUSALS, REQUEST_HEADERS
from gateway.schemas.requests import ReturnRequest

_RETURN: Final = msgspec.json.Decoder(ReturnRequest)


async def return_to_seat(request: Request) -> Response:
    """Say that the player of a seat that is `away` is back. Its open decision, if it has one, gets its time again.

    Coming back is a row of the log (`seat_returned`); what the house has decided meanwhile stands.
    """
    return await ask_house(
        request,
        _RETURN,
        lambda server: server.matches.ReturnToSeat,
        lambda _, shared: ReturnToSeatRequest(**shared),
        body_optional=True,
    )


ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches/{match_id}/return",
        return_to_seat,
        operation_id="returnToSeat",
        summary="Come back to a seat",
        tag="moves",
        body=ReturnRequest,
        body_required=False,
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=tuple(status for status in REFUSALS if status != 428),
        bucket=Bucket.MOVES,
    ),
)
