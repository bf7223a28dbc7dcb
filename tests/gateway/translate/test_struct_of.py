"""What a message says, a struct says, whatever the message: by names, kinds and presence, and by nothing else."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Meta, Raw, Struct

from foldtable.matches.v1 import clock_pb2, match_pb2
from foldtable.platform.v1 import account_pb2, webhook_pb2
from foldtable.rules.v1 import payload_pb2, table_pb2
from gateway.contract.names import enum_names, enum_values
from gateway.schemas import answers
from gateway.translate import (
    account_messages,
    clock_messages,
    lobby_messages,
    messages,
    webhook_messages,
)
from gateway.translate.struct_of import struct_of

NOON = Timestamp(seconds=1_767_225_600, nanos=123_456_000)
AT_NOON = "2026-01-01T00:00:00.123456Z"


class Seen(Struct, kw_only=True):
    """A part of a match, in the words of REST."""

    title: str
    created_at: str
    status: Literal["waiting", "running", "ended"]
    visibility: Literal["private", "unlisted", "public"]
    secret: str | None
    rematch_of: str | None
    undo_timeout_seconds: int
    to_act: list[int]
    options: Annotated[Raw, Meta(extra={"absent": b"{}"})]


seen = struct_of(Seen, match_pb2.Match)


def test_every_kind_of_field_is_read() -> None:
    message = match_pb2.Match(
        title="Friday",
        create_time=NOON,
        status=match_pb2.MATCH_STATUS_RUNNING,
        visibility=match_pb2.MATCH_VISIBILITY_PUBLIC,
        secret=b"\x01\xff",
        rematch_of="earlier",
        undo_timeout=Duration(seconds=60),
        to_act=[1, 0],
        options=b'{"variant":"expert"}',
    )
    assert msgspec.json.decode(msgspec.json.encode(seen(message))) == {
        "title": "Friday",
        "created_at": AT_NOON,
        "status": "running",
        "visibility": "public",
        "secret": "01ff",
        "rematch_of": "earlier",
        "undo_timeout_seconds": 60,
        "to_act": [1, 0],
        "options": {"variant": "expert"},
    }


def test_what_a_message_does_not_say_is_null_or_what_every_match_of_an_older_server_is() -> None:
    told = seen(match_pb2.Match(status=match_pb2.MATCH_STATUS_WAITING))
    assert (told.secret, told.rematch_of, told.visibility, bytes(told.options)) == (
        None,
        None,
        "private",
        b"{}",
    )


def test_what_may_be_absent_is_told_from_nought() -> None:
    row = match_pb2.Move(seat=0, record_time=NOON)
    assert messages.move(row).seat == 0
    row.ClearField("seat")
    assert messages.move(row).seat is None
    assert bytes(messages.move(row).action) == b"null"
    assert bytes(messages.move(row).events) == b"[]"


def test_a_payload_passes_through() -> None:
    row = match_pb2.Move(record_time=NOON, events=payload_pb2.Payload(json=b'[{"type":"jumped"}]'))
    assert bytes(messages.move(row).events) == b'[{"type":"jumped"}]'


def test_messages_within_messages_are_read_too() -> None:
    message = table_pb2.Outcome(reason="MAX_POINTS", winners=[1])
    message.results.add(seat=1, rank=1, score=7).breakdown.add(reason="BOATS", rule="§9", points=7)
    message.results.add(seat=0, rank=2)
    outcome = messages.outcome(message)
    assert outcome.winners == [1]
    assert [(result.seat, result.score) for result in outcome.results] == [(1, 7), (0, None)]
    assert outcome.results[0].breakdown[0].points == 7


def test_a_length_of_time_is_whole_seconds_or_exact_as_the_struct_wants() -> None:
    clock = clock_pb2.Clock(
        kind=clock_pb2.CLOCK_KIND_BUDGET, time=Duration(seconds=90), absent=clock_pb2.ABSENT_RULE_BOT
    )
    assert clock_messages.clock(clock).seconds == 90
    clocks = clock_pb2.Clocks(as_of=NOON)
    clocks.seats.add(seat=0, left=Duration(seconds=2, nanos=345_600_000))
    assert clock_messages.clocks(clocks).seats[0].left_seconds == 2.346


def test_what_is_computed_and_what_is_given_comes_from_outside() -> None:
    attempt = webhook_pb2.Attempt(duration=Duration(nanos=70_000_000), status=503)
    delivery = webhook_pb2.Delivery(state=webhook_pb2.DELIVERY_STATE_PENDING, attempts=[attempt])
    assert webhook_messages.delivery(delivery).attempts[0].duration_ms == 70
    credential = account_pb2.Credential(kind=account_pb2.CREDENTIAL_KIND_SEAT, seat=0)
    assert account_messages.credential(credential, []).seat == 0
    assert (
        messages.match(
            match_pb2.Match(match_id="m", game="g", status=match_pb2.MATCH_STATUS_ENDED)
        ).links.game
        == "/v1/games/g"
    )


def test_a_value_newer_than_this_gateway_is_an_error_and_not_a_guess() -> None:
    with pytest.raises(KeyError):
        seen(match_pb2.Match(status=77))  # type: ignore[arg-type]


class Unheard(Struct, kw_only=True):
    """A struct with a field that no match has."""

    title: str
    colour: str


class OtherWords(Struct, kw_only=True):
    """A struct that knows other states."""

    status: Literal["waiting", "running", "paused"]


@pytest.mark.parametrize(("struct", "named"), [(Unheard, "colour"), (OtherWords, "paused")])
def test_a_struct_that_does_not_fit_is_an_error_when_the_function_is_made(struct: Any, named: str) -> None:
    with pytest.raises(TypeError, match=named):
        struct_of(struct, match_pb2.Match)


def test_enums_are_named_as_rest_names_them_there_and_back() -> None:
    kinds = table_pb2.Audience.Kind.DESCRIPTOR
    assert enum_names(kinds) == {1: "seat", 2: "public", 3: "referee"}
    assert {enum_values(kinds)[name]: name for name in enum_values(kinds)} == enum_names(kinds)
    assert enum_values(lobby_messages.lobby_pb2.WatchRole.DESCRIPTOR).keys() == {"spectator", "referee"}


def test_a_field_of_a_match_is_written_in_the_contract_and_in_the_struct_only() -> None:
    """What is read by another rule is named where the function is made: links, and what became of a seat."""
    plain = set(answers.Match.__struct_fields__) - {"links", "seats"}
    assert struct_of(answers.Match, match_pb2.Match, given=("links", "seats"))(
        match_pb2.Match(status=match_pb2.MATCH_STATUS_WAITING), links=None, seats=[]
    )
    assert {"title", "created_at", "updated_at", "visibility"} <= plain
