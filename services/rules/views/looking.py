"""Reads of a match: views, legal actions, moves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from engine.kernel.chance import SECRET_BYTES, SeededChance
from engine.kernel.seats import Audience, Seat, seat_audience
from engine.match import aborting
from foldtable.matches.v1 import clock_pb2, match_pb2, match_service_pb2, play_pb2
from services.movelog.records import Move
from services.process.bounds import MAX_SAMPLES
from services.process.thread_work import in_thread
from services.rpc.match_messages import STATUSES, audience_message, outcome_message
from services.rpc.refusals import malformed
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.proposals import proposal_of
from services.rules.match.timekeeping import clocks_at
from services.rules.wire.forms import Form, form_of
from services.rules.wire.hints import action_hints, template_hints
from services.rules.wire.messages import move_message, pending_message, proposal_message
from services.rules.wire.page_tokens import page_token, read_page_token
from services.rules.wire.payloads import payloads_of
from services.rules.wire.texts import add_outcome_texts

DEFAULT_PAGE: Final = 100
MAX_PAGE: Final = 1_000
MAX_MISSED: Final = 50
"""Most missed moves in the refusal of a move; the rest are listed with `after_version`."""


async def view(
    cache: MatchCache,
    loaded: LoadedMatch,
    audience: Audience,
    at: int | None,
    form: Form,
    *,
    unless: int | None = None,
) -> match_service_pb2.GetViewResponse:
    """Return what an audience sees, now or after an earlier move; empty if the caller has it already."""
    version = loaded.version if at is None else at
    state = await cache.laid_at(loaded, version)
    response = match_service_pb2.GetViewResponse(version=version, audience=audience_message(audience))
    if unless != version:
        aborted, paused = loaded.timeline.aborted == version, loaded.timeline.is_paused_at(version)
        seen = aborting.view(loaded.game, state, audience, aborted=aborted, paused=paused)
        response.view.CopyFrom(payloads_of(loaded.game).view(seen, form))
        if form.language:
            _add_texts(response, loaded, state, form, aborted=aborted, paused=paused)
        if version == loaded.version and (proposal := proposal_of(loaded, datetime.now(UTC))) is not None:
            response.proposal.CopyFrom(proposal_message(proposal))
        if (clocks := await clocks_at(cache, loaded, version)) is not None:
            response.clocks.CopyFrom(clocks)
    return response


def _add_texts(
    response: match_service_pb2.GetViewResponse,
    loaded: LoadedMatch,
    state: Any,
    form: Form,
    *,
    aborted: bool,
    paused: bool,
) -> None:
    """Add the open decisions and the outcome with their texts; the view contains both without texts."""
    game = loaded.game
    outcome = aborting.ABORTED if aborted else game.outcome(state)
    if outcome is None:
        to_decide = () if paused else game.pending(state)
        response.pending.extend(pending_message(game, one, form) for one in to_decide)
        return
    response.outcome.CopyFrom(outcome_message(outcome))
    add_outcome_texts(game, response.outcome, form.language)


def legal_actions(
    loaded: LoadedMatch, seat: Seat, form: Form, samples: int, *, hints: bool = False
) -> match_service_pb2.GetLegalActionsResponse:
    """Return all actions a seat may take now, and as many samples as asked for."""
    if not 0 <= samples <= MAX_SAMPLES:
        raise malformed("$.samples", f"must be from 0 to {MAX_SAMPLES}")
    payloads = payloads_of(loaded.game)
    decision = loaded.decision_of(seat)
    drawn = []
    if decision is None:
        actions, templates = (), ()
    else:
        legal = loaded.game.legal_actions(loaded.state, seat)
        actions, templates = legal.actions, legal.templates
        # Samples are not part of the match's luck: they are drawn from a secret of their own.
        whims = SeededChance(os.urandom(SECRET_BYTES), 0)
        drawn = [loaded.game.sample(loaded.state, seat, whims) for _ in range(samples)]
    response = match_service_pb2.GetLegalActionsResponse(
        version=loaded.version,
        seat=seat,
        pending=None if decision is None else pending_message(loaded.game, decision, form),
        actions=payloads.actions(actions, form),
        templates=payloads.templates(templates, form),
        samples=payloads.actions(drawn, form),
    )
    if hints and decision is not None:
        seen = loaded.game.view(loaded.state, seat_audience(seat))
        response.action_hints.extend(action_hints(loaded.game, seen, actions))
        response.template_hints.extend(template_hints(loaded.game, seen, templates))
    return response


async def moves(
    cache: MatchCache, loaded: LoadedMatch, audience: Audience, request: match_service_pb2.ListMovesRequest
) -> match_service_pb2.ListMovesResponse:
    """Return a page of moves as an audience may see them."""
    size = _page_size(request.page_size)
    if request.after_version < 0:
        raise malformed("$.after_version", "must not be negative")
    question = (str(loaded.match.id), audience.kind, audience.seat, request.after_version)
    after = read_page_token(request.page_token, question) if request.page_token else request.after_version
    rows = await cache.log.read(loaded.match.id, after=after, limit=size + 1)
    clocks = await clocks_at(cache, loaded, rows[size - 1].seq if len(rows) > size else loaded.version)
    if size > DEFAULT_PAGE:  # the lock is held, so the match does not change meanwhile
        page = await in_thread(_move_messages, loaded, rows[:size], audience, form_of(request), clocks)
    else:
        page = _move_messages(loaded, rows[:size], audience, form_of(request), clocks)
    more = page_token(rows[size - 1].seq, question) if len(rows) > size else ""
    return match_service_pb2.ListMovesResponse(
        moves=page, next_page_token=more, version=loaded.version, status=STATUSES[loaded.status]
    )


def _move_messages(
    loaded: LoadedMatch, rows: Sequence[Move], audience: Audience, form: Form, clocks: clock_pb2.Clocks | None
) -> list[match_pb2.Move]:
    return [move_message(loaded, row, audience, form, clocks) for row in rows]


def _page_size(asked: int) -> int:
    if asked < 0:
        raise malformed("$.page_size", "must not be negative")
    return min(asked or DEFAULT_PAGE, MAX_PAGE)


async def standing(
    cache: MatchCache, loaded: LoadedMatch, caller_seat: Seat, expected: int | None, form: Form
) -> play_pb2.Standing:
    """Return what a refused player needs to go on: the missed moves, and what is legal now."""
    answer = play_pb2.Standing(version=loaded.version)
    if expected is not None and 0 <= expected < loaded.version:
        audience = seat_audience(caller_seat)
        missed = await cache.log.read(loaded.match.id, after=expected, limit=MAX_MISSED)
        answer.missed.extend(move_message(loaded, row, audience, form) for row in missed)
    if loaded.decision_of(caller_seat) is not None:
        legal = legal_actions(loaded, caller_seat, form, 0)
        answer.pending.CopyFrom(legal.pending)
        answer.actions.CopyFrom(legal.actions)
        answer.templates.CopyFrom(legal.templates)
    return answer
