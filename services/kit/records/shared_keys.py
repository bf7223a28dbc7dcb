"""Which messages every game has: of the server's own events and requests, its refusals, and words for front ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kernel.errors import TableCode
from engine.match.texts import MATCH_TEXTS, REQUESTS, SERVER_EVENTS
from services.kit.records.required_keys import facts

FOR_FRONT_ENDS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("match.waiting", "match.running", "match.ended", "match.draw"), frozenset[str]()),
    **dict.fromkeys(("match.join", "match.rematch", "seat.open", "seat.invited"), frozenset[str]()),
    **dict.fromkeys(("seat.you", "bot.random", "bot.greedy", "bot.search"), frozenset[str]()),
    "match.winners": frozenset({"number", "winners"}),
    "match.to_act": frozenset({"seats"}),
    "clock.left": frozenset({"seat", "minutes"}),
}
"""Nothing in the API has these keys; a front end chooses them."""


PROBLEMS: Final = (
    *(
        "VERSION_CONFLICT",
        "TIME_IS_UP",
        "MATCH_NOT_STARTED",
        "MATCH_STARTED",
        "MATCH_NOT_OVER",
        "RULES_STUCK",
        "MATCH_NOT_FOUND",
    ),
    *(
        "SEAT_TAKEN",
        "NO_FREE_SEAT",
        "NOT_JOINABLE",
        "NOT_FULL",
        "NO_OPEN_MATCH",
        "SEAT_GIVEN_UP",
        "SEAT_FORBIDDEN",
    ),
    *(
        "INVITE_INVALID",
        "TOKEN_EXPIRED",
        "TOKEN_INVALID",
        "RATE_LIMITED",
        "SERVER_BUSY",
        "LOG_UNAVAILABLE",
        "INTERNAL",
    ),
)
"""Reasons that are no rule of a game, as players meet them."""


def _shared() -> dict[str, frozenset[str] | None]:
    found: dict[str, frozenset[str] | None] = dict(FOR_FRONT_ENDS)
    for event in SERVER_EVENTS:
        found[f"event.{event.__struct_config__.tag}"] = frozenset(MATCH_TEXTS.arguments(event))
    for record in REQUESTS:
        tag = record.__struct_config__.tag
        arguments = frozenset(MATCH_TEXTS.arguments(record))
        found |= {f"action.{tag}": arguments, f"action.{tag}.log": arguments | {"seat"}}
    found |= {f"refusal.{code}": facts(code) for code in TableCode}
    found |= {f"problem.{reason}": frozenset() for reason in PROBLEMS}
    found |= {"seat": frozenset({"seat"}), "number": frozenset({"number"}), "word": frozenset({"word"})}
    found |= {
        "list": frozenset({"items"}),
        "end.ABORTED": frozenset(),
        "action.time_out.log": frozenset({"seat"}),
    }
    return found


SHARED_KEYS: Final = _shared()
