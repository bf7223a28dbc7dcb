"""Calling a match off: by the tenant, or by the seats together."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.abort_pb2 import AbortMatchRequest, AnswerAbortRequest
from gateway.documented import documented
from gateway.rate_limits import Bucket
from gateway.routes.house_requests import ask_house
from gateway.routes.moves import ANSWERS, REFUSALS, REQUEST_HEADERS
from gateway.schemas.undo import AbortAnswerRequest, AbortRequest

_ABORT: Final = msgspec.json.Decoder(AbortRequest)
_ANSWER: Final = msgspec.json.Decoder(AbortAnswerRequest)


async def abort_match(request: Request) -> Response:
    """Call a match off. With an API key and no `seat` it is the tenant's decision and counts at once (`match_aborted`),
    also before the match has begun. A seat asks the others (`abort_proposed`).

    The match is over without a winner; what it holds is open to all as that of any ended match. There is no undo of it.
    """
    return await ask_house(
        request,
        _ABORT,
        lambda server: server.matches.AbortMatch,
        lambda _, shared: AbortMatchRequest(**shared),
        body_optional=True,
    )


async def answer_abort(request: Request) -> Response:
    """Answer the open proposal. One refusal ends it; once all have accepted, the match is over."""
    return await ask_house(
        request,
        _ANSWER,
        lambda server: server.matches.AnswerAbort,
        lambda body, shared: AnswerAbortRequest(**shared, accept=body.accept),
    )


ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches/{match_id}/abort",
        abort_match,
        operation_id="abortMatch",
        summary="Call a match off",
        tag="moves",
        body=AbortRequest,
        body_required=False,
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=tuple(status for status in REFUSALS if status != 428),
        bucket=Bucket.MOVES,
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/abort/answer",
        answer_abort,
        operation_id="answerAbort",
        summary="Answer a proposal to call a match off",
        tag="moves",
        body=AbortAnswerRequest,
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=REFUSALS,
        bucket=Bucket.MOVES,
    ),
)
