"""Bodies become messages by the names of their fields; what cannot be made so is known before anybody asks."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from google.protobuf.duration_pb2 import Duration
from msgspec import Raw
from pydantic import Field

from foldtable.matches.v1 import lobby_pb2, match_pb2, undo_pb2
from foldtable.matches.v1.match_service_pb2 import CreateMatchRequest, JoinMatchRequest
from foldtable.rules.v1.payload_pb2 import Payload
from gateway.schemas import requests
from gateway.schemas.inputs import PassedOn, RequestBody
from gateway.translate.lobby_messages import create_match
from gateway.translate.message_of import message_of


def test_what_is_said_of_a_new_match_stands_in_the_message() -> None:
    body = requests.CreateMatchRequest(
        game="river_dragons",
        seats=3,
        players=["ada", "bo"],
        seating=[
            requests.SeatPlan(kind="bot", level="greedy"),
            requests.SeatPlan(player="ada").model_copy(update={"data": Raw(b'{"colour":"teal"}')}),
        ],
        visibility="unlisted",
        start="on_demand",
        title="Friday night",
        undo="free",
        undo_timeout_seconds=60,
        bot_pace_seconds=1.5,
        clock=requests.ClockSettings(kind="budget", seconds=600, increment_seconds=5),
        request_id="turn-1",
    ).model_copy(update={"options": Raw(b'{"a" : 1}')})
    assert create_match(body, request_id="by the header") == CreateMatchRequest(
        request_id="by the header",
        game="river_dragons",
        seats=3,
        options=Payload(json=b'{"a" : 1}'),
        players=["ada", "bo"],
        seating=[
            lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_BOT, level="greedy"),
            lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_CLOSED, player="ada", data=b'{"colour":"teal"}'),
        ],
        visibility=match_pb2.MATCH_VISIBILITY_UNLISTED,
        start=match_pb2.START_RULE_ON_DEMAND,
        title="Friday night",
        undo=match_pb2.UNDO_RULE_FREE,
        undo_timeout=Duration(seconds=60),
        bot_pace=Duration(seconds=1, nanos=500_000_000),
        clock=match_pb2.Match(
            clock={  # type: ignore[arg-type]  # a message may be given by its fields
                "kind": "CLOCK_KIND_BUDGET",
                "time": Duration(seconds=600),
                "increment": Duration(seconds=5),
                "absent": "ABSENT_RULE_POLICY",
                "away_after": 2,
            }
        ).clock,
    )


class Joined(RequestBody):
    seat: Annotated[int | None, Field(ge=0)] = None
    data: Annotated[Raw | None, PassedOn()] = None


def test_what_is_absent_is_absent_and_zero_is_not() -> None:
    fill = message_of(JoinMatchRequest, Joined)
    assert not fill(Joined()).HasField("seat")
    assert fill(Joined(seat=0)).HasField("seat")
    assert fill(Joined().model_copy(update={"data": Raw(b"null")}), match_id="m") == JoinMatchRequest(
        match_id="m", data=b"null"
    )


class Renamed(RequestBody):
    nickname: str


class OfAnotherType(RequestBody):
    to: str


class WithAnotherValue(RequestBody):
    visibility: Literal["private", "secret"]


class InDays(RequestBody):
    undo_timeout_seconds: str


class InText(RequestBody):
    options: str


@pytest.mark.parametrize(
    ("message", "model"),
    [
        (JoinMatchRequest, Renamed),
        (undo_pb2.UndoRequest, OfAnotherType),
        (CreateMatchRequest, WithAnotherValue),
        (CreateMatchRequest, InDays),
        (CreateMatchRequest, InText),
    ],
)
def test_a_field_that_the_message_cannot_take_is_found_at_once(
    message: type, model: type[RequestBody]
) -> None:
    with pytest.raises(TypeError):
        message_of(message, model)
    message_of(message, model, besides=tuple(model.model_fields))  # which the caller reads itself
