"""The path of a move, from the loaded match to the response: read, judge, append, exactly once.

The order of checks: the request id first (a repeat gets its first response although its version is stale by
now), then the version, then the rules, then one append. Accepting may be optimistic, because the append
refuses a move that was judged on an old version, and one whose token was revoked meanwhile. Refusing
may not: a refusal is sent only after reading the log again, since the move may have been accepted long ago
through another replica.

Commands, which say which rows of the match count, take another path (commands.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any

from engine.kernel.chance import SECRET_BYTES, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.match import aborting, pausing
from engine.match.replay import fold
from engine.match.requests import Resign, decide_request
from services.process.reasons import Reason
from services.rpc.refusals import Refused, rule_broken
from services.rules.marks import about, of_action
from services.rules.match.appending import (
    MAX_TRIES,
    AcceptedRow,
    Decided,
    Request,
    Write,
    append_row,
    check_version,
    first_answer,
    moved_too_fast,
    now_utc,
    repeated,
    request_id_of,
)
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.token_use import token_use


async def make_move(
    cache: MatchCache,
    loaded: LoadedMatch,
    request: Request,
    *,
    write: Write | None = None,
    now: Callable[[], datetime] = now_utc,
) -> AcceptedRow:
    """Make a move on a match whose lock the caller holds. Raises Refused with the reason. Durable when this returns.

    A move is a start, a resignation, a time-out or an action of the game.
    """
    body = encode(request.body)
    request_id = request_id_of(request)
    fresh = False
    for _ in range(MAX_TRIES):
        token = token_use(request.caller, loaded)
        if loaded.answered(request_id) is not None:
            if not fresh:
                await cache.catch_up(loaded)  # the response refers to an earlier row, which must still exist
            return await first_answer(cache, loaded, request, request_id, body)
        try:
            decided = decide(loaded, request, body, now)
        except Refused:
            if fresh:
                raise
            await cache.catch_up(loaded)
            fresh = True
            continue
        answer = await append_row(cache, loaded, request, request_id, body, token, decided, write)
        if answer is not None:
            return answer
        fresh = True
    raise moved_too_fast()


def decide(
    loaded: LoadedMatch, request: Request, body: bytes, now: Callable[[], datetime] = now_utc
) -> Decided:
    """Return what a move makes of the loaded version. Raises Refused; the log may hold newer rows, so this is not final.

    `body` is the request's, encoded.
    """
    check_version(loaded, request)
    judged_at = now()
    with _about(loaded, request, body):
        events = judge(loaded, request)
        game = loaded.game
        state = fold(game, events, loaded.state)
        return Decided(events, state, loaded.pending_after(state), game.outcome(state), judged_at)


def _about(loaded: LoadedMatch, request: Request, body: bytes) -> about:
    match = loaded.match
    return about(of_action(match.id, match.secret, loaded.version, request.seat, request.body, body))


def judge(loaded: LoadedMatch, request: Request, *, secret: bytes | None = None) -> tuple[Any, ...]:
    """Return the events of a move on the current state. Raises Refused with the broken rule.

    `secret` is the source of luck instead of the match's own secret.
    """
    if request.seat is not None and loaded.version == 0:
        raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players")
    number = loaded.version + 1
    if loaded.timeline.first_command_row is not None:
        number = loaded.timeline.luck_number(request.seat, encode(request.body))
    chance = SeededChance(secret or loaded.match.secret, number)
    try:
        aborting.must_not_be_aborted(loaded.timeline)
        if not isinstance(request.body, Resign):
            pausing.must_not_be_paused(loaded.timeline)
        return decide_request(loaded.game, loaded.state, request.seat, request.body, chance)
    except RuleViolation as violation:
        raise rule_broken(violation, game=loaded.game.id) from violation


async def rehearse(cache: MatchCache, loaded: LoadedMatch, request: Request) -> int:
    """Judge a move as `make_move` would without making it; return the version it could be made at.

    It is judged with separate luck: whatever a game draws, the response reveals nothing of the match's future draws.
    """
    await cache.catch_up(loaded)
    body = encode(request.body)
    if repeated(loaded, request, request.request_id, body) is None:
        check_version(loaded, request)
        with _about(loaded, request, body):
            judge(loaded, request, secret=os.urandom(SECRET_BYTES))
    return loaded.version
