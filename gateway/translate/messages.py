"""Translation of the rules servers' messages to the structs of REST. A game's own data passes through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import UNSET, Raw, UnsetType

from foldtable.matches.v1 import (
    abort_pb2,
    match_pb2,
    match_service_pb2,
    play_pb2,
    replaced_player_pb2,
    undo_pb2,
)
from foldtable.rules.v1 import payload_pb2, rules_service_pb2, table_pb2
from gateway.contract.names import enum_names, enum_values
from gateway.schemas import answers, games, moves
from gateway.schemas.fields import SeatState, Status, Visibility
from gateway.schemas.outcome import Outcome
from gateway.schemas.undo import UndoObstacle, UndoState
from gateway.translate.hints import action_hint, template_hint
from gateway.translate.struct_of import struct_of
from gateway.translate.texts import text_of_one, texts

STATUSES: Final[Mapping[int, Status]] = enum_names(match_pb2.MatchStatus.DESCRIPTOR)
KINDS: Final = enum_values(table_pb2.Audience.Kind.DESCRIPTOR)
VISIBILITIES: Final[Mapping[match_pb2.MatchVisibility.ValueType, Visibility]] = enum_names(
    match_pb2.MatchVisibility.DESCRIPTOR
)
SEAT_STATES: Final[Mapping[int, SeatState]] = enum_names(match_pb2.SeatState.DESCRIPTOR)

_EMPTY_LIST: Final = Raw(b"[]")
_NULL: Final = Raw(b"null")


def raw(payload: payload_pb2.Payload, otherwise: Raw = _NULL) -> Raw:
    """Return a payload's JSON unchanged; `otherwise` if there is none."""
    return Raw(payload.json) if payload.json else otherwise


def raw_list(payload: payload_pb2.Payload) -> Raw:
    """Return a payload that holds a list; an absent one is empty."""
    return raw(payload, _EMPTY_LIST)


def seat_state(message: match_pb2.Seat) -> SeatState:
    """Return the state of a seat. Rules servers of the first release report only whether it is taken."""
    return SEAT_STATES.get(message.state, "taken" if message.taken else "open")


_replaced_player = struct_of(answers.ReplacedPlayer, replaced_player_pb2.ReplacedPlayer)


def _replaced(message: match_pb2.Seat) -> list[answers.ReplacedPlayer] | UnsetType:
    return [_replaced_player(one) for one in message.replaced] or UNSET


seat = struct_of(answers.Seat, match_pb2.Seat, state=seat_state, replaced=_replaced)


def _links(message: match_pb2.Match) -> answers.MatchLinks:
    path = f"/v1/matches/{message.match_id}"
    return answers.MatchLinks(
        self=path,
        game=f"/v1/games/{message.game}",
        view=f"{path}/view",
        table=f"{path}/table",
        legal_actions=f"{path}/legal-actions",
        moves=f"{path}/moves",
        stream=f"{path}/stream",
        export=f"{path}/export",
        verify=f"{path}/verify",
        undo=f"{path}/undo",
    )


def _game_links(message: rules_service_pb2.GameSummary) -> games.GameLinks:
    path = f"/v1/games/{message.game}"
    return games.GameLinks(self=path, layout=f"{path}/layout", matches="/v1/matches")


match = struct_of(
    answers.Match,
    match_pb2.Match,
    seats=lambda message: [seat(one) for one in message.seats],
    links=_links,
)
"""A match without its state."""
seat_token = struct_of(answers.SeatToken, match_pb2.SeatToken)
outcome = struct_of(Outcome, table_pb2.Outcome)
pending = struct_of(answers.PendingDecision, table_pb2.PendingDecision)
move_answer = struct_of(
    moves.MoveAnswer,
    play_pb2.ActResponse,
    given=("table",),
    event_texts=lambda message: texts(message.events),
)
"""An accepted move."""
move = struct_of(
    moves.Move,
    match_pb2.Move,
    action_text=lambda message: text_of_one(message.action),
    event_texts=lambda message: texts(message.events),
)
"""One move as an audience may see it."""
audience = struct_of(answers.Audience, table_pb2.Audience)


def pending_with_texts(
    message: match_service_pb2.GetViewResponse,
) -> list[answers.PendingDecision] | UnsetType:
    """Return the open decisions of a view; UNSET unless a language was asked for."""
    return [pending(one) for one in message.pending] if message.pending else UNSET


view = struct_of(
    answers.ViewAnswer,
    match_service_pb2.GetViewResponse,
    given=("match_id",),
    pending=pending_with_texts,
)
legal_actions = struct_of(
    answers.LegalActionsAnswer,
    match_service_pb2.GetLegalActionsResponse,
    given=("match_id",),
    action_texts=lambda message: texts(message.actions),
    template_texts=lambda message: texts(message.templates),
    sample_texts=lambda message: texts(message.samples),
    action_hints=lambda message: [action_hint(one) for one in message.action_hints] or UNSET,
    template_hints=lambda message: [template_hint(one) for one in message.template_hints] or UNSET,
)
proposal = struct_of(answers.Proposal, abort_pb2.Proposal)
move_list = struct_of(
    moves.MoveList,
    match_service_pb2.ListMovesResponse,
    given=("match_id",),
    moves=lambda message: [move(one) for one in message.moves],
)
"""A page of moves."""


def _obstacle(message: undo_pb2.GetUndoResponse) -> UndoObstacle | None:
    if not message.obstacle:
        return None
    return UndoObstacle(reason=message.obstacle, version=message.obstacle_version or None)


def _names(
    message: rules_service_pb2.DescribeGameResponse,
) -> dict[str, games.ComponentName] | UnsetType:
    if not message.names:
        return UNSET
    return {
        one: games.ComponentName(name=called.name, text=called.text) for one, called in message.names.items()
    }


undo_state = struct_of(UndoState, undo_pb2.GetUndoResponse, given=("match_id",), obstacle=_obstacle)
paragraph = struct_of(games.Paragraph, rules_service_pb2.Paragraph)
game_summary = struct_of(games.GameSummary, rules_service_pb2.GameSummary, links=_game_links)
game_description = struct_of(
    games.GameDescription,
    rules_service_pb2.DescribeGameResponse,
    inside="summary",
    names=_names,
    links=lambda message: _game_links(message.summary),
)


def facts(messages: Iterable[table_pb2.Fact]) -> dict[str, str | int | list[str] | list[int]]:
    """Return the facts of a refusal with their JSON types."""
    found: dict[str, str | int | list[str] | list[int]] = {}
    for fact in messages:
        match fact.WhichOneof("value"):
            case "text":
                found[fact.name] = fact.text
            case "number":
                found[fact.name] = fact.number
            case "texts":
                found[fact.name] = list(fact.texts.values)
            case "numbers":
                found[fact.name] = list(fact.numbers.values)
            case None:
                pass  # a kind of fact newer than this gateway
    return found
