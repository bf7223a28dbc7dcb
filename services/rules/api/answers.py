"""The response to a move or a command: the accepted row, or a refusal with the current state of the match."""

from __future__ import annotations

from typing import Final

import grpc

from foldtable.matches.v1 import play_pb2
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match.appending import AcceptedRow, Request
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.timekeeping import clocks_at
from services.rules.views import looking
from services.rules.wire.forms import Form
from services.rules.wire.messages import answer_message
from services.rules.wire.texts import problem_message, refusal_message

_EXPLAINED: Final = grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED
"""Refusals after which a player needs the current state of the match."""


async def accepted(
    cache: MatchCache, loaded: LoadedMatch, answer: AcceptedRow, form: Form
) -> play_pb2.ActResponse:
    """Return the message for an accepted row. The caller holds the match's lock."""
    clocks = None if loaded.match.clock is None else await clocks_at(cache, loaded, answer.version)
    return answer_message(loaded, answer, form, clocks)


async def explain(
    cache: MatchCache, loaded: LoadedMatch, refused: Refused, asked: Request, form: Form
) -> None:
    """Add to a refusal what helps the player to go on: the current state of the match, and a text. The caller holds the match's lock."""
    if form.language:
        if refused.violation is None:
            refused.text = problem_message(loaded.game, refused.reason, form.language)
        else:
            refused.text = refusal_message(loaded.game, refused.violation, form.language)
    seat, expected = asked.seat, asked.expected_version
    if seat is not None and refused.code in _EXPLAINED and loaded.state is not None:
        refused.standing = await looking.standing(cache, loaded, seat, expected, form)


def version_required() -> Refused:
    """Return the refusal of a request that names no version it was decided on."""
    return Refused(
        Reason.VERSION_REQUIRED,
        "say which version of the match the move was decided on",
        field="$.expected_version",
    )
