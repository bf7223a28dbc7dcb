"""Rows and results as protobuf messages."""

from __future__ import annotations

from typing import Any

from engine.kernel.absence import TimeOut, is_time_out
from engine.kernel.codec import encode
from engine.kernel.house import HouseRequest, read_events, redact
from engine.kernel.pending import Pending
from engine.kernel.requests import Resign, StartMatch, read_request
from engine.kernel.seats import Audience, Seat
from foldtable.matches.v1 import abort_pb2, clock_pb2, match_pb2, play_pb2
from foldtable.rules.v1 import payload_pb2, table_pb2
from services.movelog.records import Move
from services.rpc.match_messages import STATUSES, outcome_message, timestamp
from services.rules.acting import Answer
from services.rules.payloads import payloads_of
from services.rules.tables import Table
from services.rules.taking_back import OpenProposal


def pending_message(pending: Pending) -> table_pb2.PendingDecision:
    return table_pb2.PendingDecision(
        seat=pending.seat,
        decision=pending.decision,
        rule=pending.rule,
        id=pending.id,
        simultaneous=pending.simultaneous,
    )


def proposal_message(opened: OpenProposal) -> abort_pb2.Proposal:
    """Give what waits for the others' consent."""
    proposal = opened.proposal
    return abort_pb2.Proposal(
        kind=abort_pb2.PROPOSAL_KIND_ABORT if proposal.to is None else abort_pb2.PROPOSAL_KIND_UNDO,
        version=proposal.version,
        seat=proposal.seat,
        to=proposal.to,
        accepted=proposal.accepted,
        waiting=opened.waiting,
        expire_time=timestamp(opened.expires_at),
    )


def answer_message(
    table: Table, answer: Answer, form: int, clocks: clock_pb2.Clocks | None = None
) -> play_pb2.ActResponse:
    """Give an accepted move."""
    if form == payload_pb2.PAYLOAD_FORM_TYPED:
        events = payloads_of(table.game).events(answer.events, form)
    else:
        events = payload_pb2.Payload(json=encode(answer.events))
    return play_pb2.ActResponse(
        match_id=str(answer.match_id),
        version=answer.version,
        events=events,
        to_act=answer.to_act,
        status=STATUSES[answer.status],
        outcome=outcome_message(answer.outcome),
        replayed=answer.replayed,
        clocks=clocks,
    )


def move_message(
    table: Table, move: Move, audience: Audience, form: int, clocks: clock_pb2.Clocks | None = None
) -> match_pb2.Move:
    """Give a row as an audience may see it; `clocks` are those of the newest version."""
    payloads = payloads_of(table.game)
    game = table.game
    events = [redact(game, event, audience) for event in read_events(game, move.events)]
    message = match_pb2.Move(
        version=move.seq,
        seat=move.seat,
        events=payloads.events(events, form),
        hash=move.hash,
        record_time=timestamp(move.recorded_at),
        timed_out=is_time_out(move.request),
    )
    if (asked := visible_request(move, audience)) is not None:
        message.action.CopyFrom(_request_payload(table, asked, form))
    if move.seq == table.version:
        message.to_act.extend(table.to_act)
        message.status = STATUSES[table.status]
        if clocks is not None:
            message.clocks.CopyFrom(clocks)
    return message


def visible_request(move: Move, audience: Audience) -> bytes | None:
    """Give what was asked, to the seat that asked and to a referee; others learn it from the events."""
    if move.seat is None or not audience.sees_seat(Seat(move.seat)):
        return None
    return move.request


def _request_payload(table: Table, request: bytes, form: int) -> payload_pb2.Payload:
    if form != payload_pb2.PAYLOAD_FORM_TYPED:
        return payload_pb2.Payload(json=request)
    read: Any = read_request(table.game, request)
    if isinstance(
        read, Resign | StartMatch | TimeOut | HouseRequest
    ):  # of every game, so of no game's package
        return payload_pb2.Payload(json=request)
    return payloads_of(table.game).action(read, form)
