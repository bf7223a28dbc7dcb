"""The words of the contracts in the OpenAPI document: what a type of REST says nothing about, the comment of its message says.

Contracts quote values, name enum values in capitals, and say what it means if a field is absent. REST marks values as code,
has its own names for them, and `null` for what may be absent from a response.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from foldtable.matches.v1 import (
    bots_pb2,
    forgetting_pb2,
    login_code_pb2,
    match_pb2,
    match_service_pb2,
    play_pb2,
    player_revocation_pb2,
    player_session_pb2,
)
from foldtable.platform.v1 import feed_pb2, ticket_pb2, webhook_pb2, webhook_service_pb2
from foldtable.rules.v1 import rules_service_pb2, text_pb2
from gateway.contract.described_by import described_by, messages_of
from gateway.contract.names import fields_for, value_name
from gateway.schemas import answers, bots, games, live, requests, sessions, texts, webhooks
from services.process.contract_comments import comments_of

Schema = dict[str, Any]

EVERYWHERE: Final = (match_pb2.Match, match_pb2.Seat)
"""Messages whose fields mean the same in all types: `match_id`, `version`, `seat`, `player`."""
_PASSAGE: Final = re.compile(r'`[^`]*`|"([^"\s]+)"')
_EXAMPLE: Final = re.compile(r'such as "([^"]+)"')
_CONSTANT: Final = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")
_ABSENT: Final = re.compile(r"(?<=\. )(?:Absent|Empty|0)(?=:| )")

for _shape, _message in (  # translated by hand
    (answers.IssuedToken, match_service_pb2.IssueSeatTokenResponse),
    (answers.LegalActionsNow, match_service_pb2.GetLegalActionsResponse),
    (bots.BotTurns, feed_pb2.ReadFeedResponse),
    (bots.SeatBotRequest, bots_pb2.SeatBotRequest),
    (games.Catalogue, rules_service_pb2.GetTextsResponse),
    (games.ComponentName, rules_service_pb2.ComponentName),
    (games.GameList, rules_service_pb2.ListGamesResponse),
    (games.ParagraphList, rules_service_pb2.ListParagraphsResponse),
    (live.StreamTicket, ticket_pb2.CreateStreamTicketResponse),
    (requests.MoveRequest, play_pb2.ActRequest),
    (sessions.RedeemLoginCodeRequest, login_code_pb2.RedeemLoginCodeRequest),
    (sessions.RevokePlayerSessionsRequest, player_session_pb2.RevokePlayerSessionsRequest),
    (sessions.RevokePlayerRequest, player_revocation_pb2.RevokePlayerRequest),
    (sessions.ErasePlayerRequest, forgetting_pb2.ErasePlayerRequest),
    (sessions.PlayerExportQuery, forgetting_pb2.ExportPlayerRequest),
    (texts.Text, text_pb2.Text),
    (webhooks.EventData, webhook_pb2.Endpoint),
    (webhooks.EventPage, webhook_service_pb2.ReadEventsResponse),
    (webhooks.ResendRequest, webhook_service_pb2.ResendDeliveriesRequest),
    (webhooks.SetEventRecordingRequest, webhook_service_pb2.SetEventRecordingRequest),
):
    described_by(_shape, _message.DESCRIPTOR)


def add_comments(component: Schema, shape: type) -> None:
    """Add the words of its messages to the component of a type, wherever it has none of its own."""
    messages = messages_of(shape)
    for message in messages[:1]:
        component.setdefault("description", _in_rest(_comments()[message.full_name]))
    for name, member in component.get("properties", {}).items():
        field = next(_fields((*messages, *(one.DESCRIPTOR for one in EVERYWHERE)), name), None)
        if field is not None:
            is_required = name in component.get("required", ())
            _describe(member, field, is_nullable=is_required and {"type": "null"} in member.get("anyOf", ()))


def _fields(messages: tuple[Any, ...], name: str) -> Iterator[FieldDescriptor]:
    for message in messages:
        for candidate in fields_for(name):
            if candidate in message.fields_by_name:
                yield message.fields_by_name[candidate]


def _describe(member: Schema, field: FieldDescriptor, *, is_nullable: bool) -> None:
    said = _comments()[field.full_name]
    example = _EXAMPLE.search(said)
    if example and member.get("type") == "string":
        member.setdefault("examples", [example[1]])
    if "description" not in member:
        if is_nullable:
            said = _ABSENT.sub("Null", said)
        if field.type == FieldDescriptor.TYPE_BYTES and "string" in _types(member):
            said += " As lower-case hexadecimal digits."
        member["description"] = _in_rest(" ".join([said, *_meanings(field.enum_type)]))


def _types(member: Schema) -> set[str]:
    return {one["type"] for one in (member, *member.get("anyOf", ())) if isinstance(one.get("type"), str)}


def _meanings(enum: EnumDescriptor | None) -> Iterator[str]:
    """Yield what each value of an enum means."""
    if enum is None:
        return
    for value in enum.values:
        if value.number:
            name = value_name(enum.name, value.name)
            yield f'"{name}": {_comments()[f"{enum.full_name}.{value.name}"]}'


def _in_rest(said: str) -> str:
    """Return a comment with the names and the marks of REST."""
    named = _CONSTANT.sub(lambda found: _constants().get(found[0], found[0]), said)
    return _PASSAGE.sub(lambda found: f"`{found[1]}`" if found[1] else found[0], named)


@cache
def _comments() -> Mapping[str, str]:
    serialised = files("foldtable").joinpath("descriptors.binpb").read_bytes()
    return comments_of(FileDescriptorSet.FromString(serialised))


@cache
def _constants() -> Mapping[str, str]:
    """Return REST's names of the values of all enums, in quotes, by their names in the contracts."""
    named = [name.split(".")[-2:] for name in _comments()]
    return {value: f'"{value_name(enum, value)}"' for enum, value in named if value.isupper()}
