"""Structs and messages say the same, field by field, for every game of the registry."""

from __future__ import annotations

import os
from enum import StrEnum

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import Unreadable
from engine.kernel.seats import PUBLIC, REFEREE, Seat, seat_audience
from engine.match.playout import random_match
from engine.registry import GAMES, game
from foldtable.river_dragons.v1 import actions_pb2, components_pb2, options_pb2, templates_pb2
from foldtable.rules.v1 import payload_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_TYPED
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.wire.forms import Form
from services.rules.wire.payloads import payloads_of
from services.rules.wire.typed_codec import TypedCodec, TypesDisagree

TYPED = Form(PAYLOAD_FORM_TYPED)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_struct_of_a_game_agrees_with_its_message(game_id: str) -> None:
    payloads_of(game(game_id)).check()


@pytest.mark.parametrize("game_id", GAMES)
@settings(max_examples=int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", "20")))
@given(seed=st.binary(min_size=32, max_size=32))
def test_what_a_match_says_survives_the_typed_form(game_id: str, seed: bytes) -> None:
    the_game = game(game_id)
    payloads = payloads_of(the_game)
    seats = the_game.seat_counts[seed[0] % len(the_game.seat_counts)]
    audiences = (PUBLIC, REFEREE, seat_audience(Seat(0)))
    match = random_match(the_game, the_game.types.options(), seats, seed, SeededChance(seed, 0))
    for number, step in zip(range(60), match, strict=False):
        for audience in audiences:
            events = tuple(the_game.redact(event, audience) for event in step.events)
            assert payloads.read_events(payloads.events(events, TYPED)) == events
        if step.action is not None:
            assert payloads.read_action(payloads.action(step.action, TYPED)) == step.action
        if number % 10 == 0:
            view = the_game.view(step.state, PUBLIC)
            message = payloads._view_codec.to_message(view)
            assert encode(payloads._view_codec.from_message(message)) == encode(view)


def test_a_card_that_the_message_names_and_the_struct_does_not_is_unreadable() -> None:
    codec = payloads_of(game("river_dragons"))._action_codec
    message = actions_pb2.Action(submit_program=actions_pb2.SubmitProgram(cards=[components_pb2.CARD_JUMP]))
    message.submit_program.cards.append(99)
    with pytest.raises(Unreadable) as refusal:
        codec.from_message(message)
    assert refusal.value.pointer == "$.cards[1]"


def test_an_action_without_any_kind_is_unreadable() -> None:
    codec = payloads_of(game("river_dragons"))._action_codec
    with pytest.raises(Unreadable):
        codec.from_message(actions_pb2.Action())


def test_options_left_out_are_the_defaults() -> None:
    payload = payload_pb2.Payload()
    payload.typed.Pack(options_pb2.Options())
    assert payloads_of(game("river_dragons")).read_options(payload) == game("river_dragons").types.options()


def test_another_message_in_the_place_of_an_action_is_refused() -> None:
    payload = payload_pb2.Payload()
    payload.typed.Pack(options_pb2.Options())
    with pytest.raises(Refused) as refusal:
        payloads_of(game("river_dragons")).read_action(payload)
    assert refusal.value.reason is Reason.MALFORMED_MOVE
    assert "foldtable.river_dragons.v1.Action" in refusal.value.message


def test_bytes_that_are_no_message_are_refused() -> None:
    payload = payload_pb2.Payload()
    payload.typed.Pack(actions_pb2.Action())
    payload.typed.value = b"\xff\xff\xff"
    with pytest.raises(Refused) as refusal:
        payloads_of(game("river_dragons")).read_action(payload)
    assert refusal.value.reason is Reason.MALFORMED_MOVE


class Colour(StrEnum):
    BLUE = "blue"


class FewerColours(msgspec.Struct, frozen=True):
    colour: Colour
    size: int


class WithoutSize(msgspec.Struct, frozen=True):
    colour: Colour


class Sized(msgspec.Struct, frozen=True):
    x: str
    y: int


@pytest.mark.parametrize(
    ("struct", "message", "culprit"),
    [
        pytest.param(FewerColours, components_pb2.Plank, "BLACK", id="a value is missing in the enum"),
        pytest.param(WithoutSize, components_pb2.Plank, "size", id="a field is missing in the struct"),
        pytest.param(Sized, components_pb2.Point, "Point.x", id="a field has another type"),
        pytest.param(Sized, templates_pb2.Template, "Template", id="a struct is no union"),
    ],
)
def test_types_that_disagree_are_named(struct: type, message: type, culprit: str) -> None:
    with pytest.raises(TypesDisagree, match=culprit):
        TypedCodec(struct, message)


# ── a number or a word ─────────────────────────────────────────────────────────────────────────────

DRAGONS = game("river_dragons")


def limited(**limit: int) -> options_pb2.Options:
    return options_pb2.Options(
        variant=components_pb2.VARIANT_ISLANDS, round_limit=options_pb2.RoundLimit(**limit)
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"{}", options_pb2.Options(variant=components_pb2.VARIANT_ISLANDS), id="left out"),
        pytest.param(b'{"round_limit":7}', limited(rounds=7), id="a number"),
        pytest.param(b'{"round_limit":"none"}', limited(no_limit=options_pb2.NO_LIMIT_NONE), id="a word"),
    ],
)
def test_an_option_that_is_a_number_or_a_word_or_left_out(data: bytes, message: options_pb2.Options) -> None:
    codec = TypedCodec(DRAGONS.types.options, options_pb2.Options)
    options = DRAGONS.options_codec.decode(data)
    assert codec.to_message(options) == message
    assert codec.from_message(message) == options


@pytest.mark.parametrize(
    "limit",
    [
        pytest.param({}, id="neither"),
        pytest.param({"rounds": 0}, id="a number out of range"),
        pytest.param({"no_limit": options_pb2.NO_LIMIT_UNSPECIFIED}, id="the word for absent"),
        pytest.param({"no_limit": 7}, id="a word of a newer server, which must not be read as seven rounds"),
    ],
)
def test_neither_a_number_nor_a_word_of_these_is_refused_with_its_place(limit: dict[str, int]) -> None:
    codec = TypedCodec(DRAGONS.types.options, options_pb2.Options)
    with pytest.raises(Unreadable) as refusal:
        codec.from_message(limited(**limit))
    assert refusal.value.pointer == "$.round_limit"
