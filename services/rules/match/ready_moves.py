"""Moves that wait for nothing but their commit: the match is loaded and free, and the holder of a seat's token asks.

They are judged at once and answered by the commit itself, without a task that waits. Only a move that is accepted goes this
way. Whatever could be refused has not been written yet and is left to moves.py, which reads the log before it refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from engine.kernel.codec import encode
from services.movelog.failures import LogUnavailable, RequestIdTaken, StaleVersion, TokensRevoked
from services.movelog.records import Append
from services.rpc.refusals import Refused
from services.rules.marks import about, of_match
from services.rules.match.appending import Answer, Decided, Request, advance, append_of, request_id_of
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.moves import decide

Outcome: TypeAlias = Answer | Exception | None
"""What became of a move; None: nothing was written, because the log holds something newer."""
Finished: TypeAlias = Callable[[Outcome], None]
"""Called when the move is durable or has failed. The match has been given back by then."""


def begin_move(cache: MatchCache, loaded: LoadedMatch, request: Request, finished: Finished) -> bool:
    """Begin a move on a match that was taken from the cache, for a caller that may act for its seat there.

    Return False, and write nothing, if it cannot be accepted as it is; then `finished` is not called. Otherwise the match is
    given back after the commit.
    """
    request_id = request_id_of(request)
    if loaded.match.clock is not None or loaded.answered(request_id) is not None:
        return False
    body, revocations = encode(request.body), loaded.seating.revocations
    try:
        decided = decide(loaded, request, body)
    except Refused:
        return False
    append = append_of(loaded, request, request_id, body, revocations, decided)
    cache.log.submit(append, partial(_committed, cache, loaded, request, append, decided, finished))
    return True


def _committed(
    cache: MatchCache,
    loaded: LoadedMatch,
    request: Request,
    append: Append,
    decided: Decided,
    finished: Finished,
    problem: Exception | None,
) -> None:
    outcome: Outcome = problem
    if problem is None:
        try:
            with about(of_match(loaded.match.id)):
                outcome = advance(loaded, request.seat, append, decided)
        except Exception as error:  # noqa: BLE001 - the answer says so and it is logged; the match is read again
            outcome = error
            cache.forget(loaded.match.id)
    elif isinstance(problem, StaleVersion | RequestIdTaken | TokensRevoked):
        outcome = None
    elif isinstance(problem, LogUnavailable):
        cache.forget(loaded.match.id)  # the row may or may not have been written
    try:
        cache.give_back(loaded.match.id)
    finally:
        finished(outcome)
