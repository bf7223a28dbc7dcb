"""Rows and results as protobuf messages."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.pending import Pending
from engine.kernel.seats import Audience, Seat
from engine.match.absence import TimeOut, is_time_out
from engine.match.commands import MatchCommand, read_events, redact
from engine.match.requests import Resign, StartMatch, read_request
from engine.match.texts import request_text
from engine.match.timeline import ProposalKind
from foldtable.matches.v1 import abort_pb2, clock_pb2, match_pb2, play_pb2
from foldtable.rules.v1 import payload_pb2, table_pb2
from services.movelog.records import Move
from services.rpc.enums import numbers_of
from services.rpc.match_messages import STATUSES
from services.rpc.message_from import message_from
from services.rules.match.appending import AcceptedRow
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.proposals import OpenProposal
from services.rules.wire.forms import PLAIN, Form
from services.rules.wire.payloads import payloads_of
from services.rules.wire.texts import add_outcome_texts, text_message

_PROPOSAL_KINDS: Final = numbers_of(ProposalKind, abort_pb2.ProposalKind.DESCRIPTOR)
_pending: Final = message_from(table_pb2.PendingDecision, Pending, given=("text",))
proposal_message: Final = message_from(
    abort_pb2.Proposal,
    OpenProposal,
    inside="proposal",
    kind=lambda opened: _PROPOSAL_KINDS[opened.proposal.kind],
)
_answer: Final = message_from(
    play_pb2.ActResponse, AcceptedRow, given=("match_id", "events", "clocks"), unset=("dry_run",)
)
_move: Final = message_from(
    match_pb2.Move,
    Move,
    given=("action", "events", "to_act", "status", "clocks"),
    version="seq",
    timed_out=lambda move: is_time_out(move.request),
)


def pending_message(game: AnyGame, pending: Pending, form: Form = PLAIN) -> table_pb2.PendingDecision:
    """Return an open decision, with its prompt if a language was requested."""
    if not form.language:
        return _pending(pending)
    return _pending(pending, text=text_message(game, game.texts.decision(pending), form.language))


def answer_message(
    table: LoadedMatch, answer: AcceptedRow, form: Form, clocks: clock_pb2.Clocks | None = None
) -> play_pb2.ActResponse:
    """Return an accepted move."""
    if form.typed or form.language:
        events = payloads_of(table.game).events(answer.events, form)
    else:
        events = payload_pb2.Payload(json=encode(answer.events))
    message = _answer(answer, match_id=table.name, events=events, clocks=clocks)
    if form.language and message.HasField("outcome"):
        add_outcome_texts(table.game, message.outcome, form.language)
    return message


def move_message(
    table: LoadedMatch, move: Move, audience: Audience, form: Form, clocks: clock_pb2.Clocks | None = None
) -> match_pb2.Move:
    """Return a row as an audience may see it; `clocks` are those of the newest version."""
    game = table.game
    events = [redact(game, event, audience) for event in read_events(game, move.events)]
    asked = visible_request(move, audience)
    newest = move.seq == table.version
    return _move(
        move,
        action=None if asked is None else _request_payload(table, move.seat, asked, form),
        events=payloads_of(game).events(events, form),
        to_act=table.to_act if newest else None,
        status=STATUSES[table.status] if newest else None,
        clocks=clocks if newest else None,
    )


def visible_request(move: Move, audience: Audience) -> bytes | None:
    """Return the request if the audience is the seat that made it, or a referee; others learn of it from the events."""
    if move.seat is None or not audience.sees_seat(Seat(move.seat)):
        return None
    return move.request


def _request_payload(table: LoadedMatch, seat: int | None, request: bytes, form: Form) -> payload_pb2.Payload:
    if not form.typed and not form.language:
        return payload_pb2.Payload(json=request)
    game = table.game
    read: Any = read_request(game, request)
    # Actions that every game has are in no game's package.
    if not form.typed or isinstance(read, Resign | StartMatch | TimeOut | MatchCommand):
        payload = payload_pb2.Payload(json=request)
    else:
        payload = payloads_of(game).action(read, form)
    if form.language:
        text = request_text(game, None if seat is None else Seat(seat), read)
        if text is not None:
            payload.texts.append(text_message(game, text, form.language))
    return payload
