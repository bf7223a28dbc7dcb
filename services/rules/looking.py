"""Views, legal actions, moves: everything that is looked at and changes nothing."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Final

from engine.kernel import aborting
from engine.kernel.chance import SECRET_BYTES, SeededChance
from engine.kernel.seats import Audience, Seat, seat_audience
from foldtable.matches.v1 import match_service_pb2, play_pb2
from services.rpc.match_messages import STATUSES, audience_message
from services.rpc.refusals import malformed
from services.rules.messages import move_message, pending_message, proposal_message
from services.rules.page_tokens import page_token, read_page_token
from services.rules.payloads import payloads_of
from services.rules.tables import Table, Tables
from services.rules.taking_back import proposal_of
from services.rules.timekeeping import clocks_at

DEFAULT_PAGE: Final = 100
MAX_PAGE: Final = 1_000
MAX_SAMPLES: Final = 100
MAX_MISSED: Final = 50
"""Moves told to a player whose move was refused; the rest are listed with `after_version`."""


async def view(
    tables: Tables, table: Table, audience: Audience, at: int | None, form: int, *, unless: int | None = None
) -> match_service_pb2.GetViewResponse:
    """Give what an audience sees, now or after an earlier move; empty if the caller has it already."""
    version = table.version if at is None else at
    state = await tables.laid_at(table, version)
    response = match_service_pb2.GetViewResponse(version=version, audience=audience_message(audience))
    if unless != version:
        aborted = table.course.aborted == version
        seen = aborting.view(table.game, state, audience, aborted=aborted)
        response.view.CopyFrom(payloads_of(table.game).view(seen, form))
        if version == table.version and (proposal := proposal_of(table, datetime.now(UTC))) is not None:
            response.proposal.CopyFrom(proposal_message(proposal))
        if (clocks := await clocks_at(tables, table, version)) is not None:
            response.clocks.CopyFrom(clocks)
    return response


def legal_actions(
    table: Table, seat: Seat, form: int, samples: int
) -> match_service_pb2.GetLegalActionsResponse:
    """Give everything a seat may do now, and as many samples as asked for."""
    if not 0 <= samples <= MAX_SAMPLES:
        raise malformed("$.samples", f"must be from 0 to {MAX_SAMPLES}")
    payloads = payloads_of(table.game)
    decision = table.decision_of(seat)
    drawn = []
    if decision is None:
        actions, templates = (), ()
    else:
        legal = table.game.legal_actions(table.state, seat)
        actions, templates = legal.actions, legal.templates
        # Samples are the caller's whims, not the match's luck: they come from a secret of their own.
        whims = SeededChance(os.urandom(SECRET_BYTES), 0)
        drawn = [table.game.sample(table.state, seat, whims) for _ in range(samples)]
    return match_service_pb2.GetLegalActionsResponse(
        version=table.version,
        seat=seat,
        pending=None if decision is None else pending_message(decision),
        actions=payloads.actions(actions, form),
        templates=payloads.templates(templates, form),
        samples=payloads.actions(drawn, form),
    )


async def moves(
    tables: Tables, table: Table, audience: Audience, request: match_service_pb2.ListMovesRequest
) -> match_service_pb2.ListMovesResponse:
    """Give a page of moves as an audience may see them."""
    size = _page_size(request.page_size)
    if request.after_version < 0:
        raise malformed("$.after_version", "must not be negative")
    question = (str(table.match.id), audience.kind, audience.seat, request.after_version)
    after = read_page_token(request.page_token, question) if request.page_token else request.after_version
    rows = await tables.log.read(table.match.id, after=after, limit=size + 1)
    clocks = await clocks_at(tables, table, rows[size - 1].seq if len(rows) > size else table.version)
    page = [move_message(table, row, audience, request.form, clocks) for row in rows[:size]]
    more = page_token(rows[size - 1].seq, question) if len(rows) > size else ""
    return match_service_pb2.ListMovesResponse(
        moves=page, next_page_token=more, version=table.version, status=STATUSES[table.status]
    )


def _page_size(asked: int) -> int:
    if asked < 0:
        raise malformed("$.page_size", "must not be negative")
    return min(asked or DEFAULT_PAGE, MAX_PAGE)


async def standing(
    tables: Tables, table: Table, caller_seat: Seat, expected: int | None, form: int
) -> play_pb2.Standing:
    """Give a refused player all that is needed to go on: what was missed, and what is legal now."""
    told = play_pb2.Standing(version=table.version)
    if expected is not None and 0 <= expected < table.version:
        audience = seat_audience(caller_seat)
        missed = await tables.log.read(table.match.id, after=expected, limit=MAX_MISSED)
        told.missed.extend(move_message(table, row, audience, form) for row in missed)
    if table.decision_of(caller_seat) is not None:
        legal = legal_actions(table, caller_seat, form, 0)
        told.pending.CopyFrom(legal.pending)
        told.actions.CopyFrom(legal.actions)
        told.templates.CopyFrom(legal.templates)
    return told
