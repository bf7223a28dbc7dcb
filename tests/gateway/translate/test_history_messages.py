"""What is said of the past of a match, and what a struct leaves out that its message has not."""

from __future__ import annotations

import pytest
from msgspec import UNSET, Raw, Struct

from foldtable.matches.v1 import history_pb2, match_pb2, match_service_pb2
from foldtable.rules.v1.payload_pb2 import Payload
from gateway.schemas.history import ReplayStep, VerifiedDraw
from gateway.translate import history_messages
from gateway.translate.struct_of import struct_of

Step = history_pb2.ReplayMatchResponse.Step


class Given(Struct):
    """A struct with a field that its message has not."""

    version: int
    colour: str


def test_what_a_message_lacks_is_left_out_where_the_struct_may_lack_it() -> None:
    assert history_messages.replay_step(Step(version=3)) == ReplayStep(version=3)
    found = history_messages.replay_step(
        Step(version=3, move=match_pb2.Move(version=3), view=Payload(json=b'{"a":1}'))
    )
    assert found.move is not UNSET
    assert (found.move.version, found.view) == (3, Raw(b'{"a":1}'))


def test_a_view_that_is_there_and_says_nothing_is_null() -> None:
    assert history_messages.replay_step(Step(version=3, view=Payload())).view == Raw(b"null")


def test_bytes_are_hexadecimal_and_what_may_be_absent_is_null() -> None:
    found = history_messages.verification(
        match_service_pb2.VerifyMatchResponse(
            ok=True,
            listed_draws=[history_pb2.VerifiedDraw(move=1, bound="6", value="2", message=b"\x01\xff")],
        )
    )
    assert found.difference_event is None
    assert found.listed_draws == [
        VerifiedDraw(move=1, number=0, bound="6", value="2", message="01ff", digest="")
    ]
    first = match_service_pb2.VerifyMatchResponse(difference_event=0)
    assert history_messages.verification(first).difference_event == 0


def test_a_call_brings_along_what_is_given() -> None:
    read = struct_of(Given, Step, given=("colour",))
    assert read(Step(version=2), colour="teal") == Given(2, "teal")


def test_a_field_that_no_message_answers_is_an_error_at_once() -> None:
    with pytest.raises(TypeError, match="has no field for colour"):
        struct_of(Given, Step)
