"""A person who knows no codes can choose every action: by group, by what to touch, by cost; templates step by step."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.hints import ChooseStep, NumberStep, PointStep
from engine.kernel.seats import seat_audience
from engine.registry import newest
from tests.engine.layout.filling import filled, reaches, suggested
from tests.engine.layout.tables import EVERY_TABLE, boards_of, luck, match, places_of

EVERY_MATCH = pytest.mark.parametrize("number", range(3))


def tag_of(record: msgspec.Struct) -> str:
    return str(record.__struct_config__.tag)


@EVERY_TABLE
@EVERY_MATCH
def test_every_legal_action_has_a_group_and_its_targets_are_on_the_table(
    name: str, options: dict[str, Any], number: int
) -> None:
    for game, _, seats, state in match(name, options, number, moves=300):
        messages = game.texts.catalogues["en"]
        places = set(places_of(game, options, seats))
        for seat in game.to_act(state):
            view = game.view(state, seat_audience(seat))
            there = places | {piece.id for piece in game.pieces(view)}
            for action in game.legal_actions(state, seat).actions:
                hint = game.hint(view, action)
                assert hint.group in game.texts.groups, action
                assert f"group.{hint.group}" in messages, action
                assert set(hint.targets) <= there, (action, set(hint.targets) - there)
                assert all(cost.amount > 0 and f"component.{cost.resource}" in messages for cost in hint.cost)


@EVERY_TABLE
@EVERY_MATCH
def test_no_action_is_both_listed_and_described_by_a_template(
    name: str, options: dict[str, Any], number: int
) -> None:
    for game, _, _, state in match(name, options, number, moves=300):
        for seat in game.to_act(state):
            legal = game.legal_actions(state, seat)
            assert legal, "a seat that must act can"
            assert not {tag_of(one) for one in legal.templates} & {tag_of(one) for one in legal.actions}


@EVERY_TABLE
@EVERY_MATCH
def test_a_template_is_filled_in_step_by_step(name: str, options: dict[str, Any], number: int) -> None:
    """Every legal action can be reached by its steps, and the suggested one is legal."""
    for place, (game, _, seats, state) in enumerate(match(name, options, number, moves=300)):
        for seat in game.to_act(state):
            view = game.view(state, seat_audience(seat))
            there = set(places_of(game, options, seats)) | {piece.id for piece in game.pieces(view)}
            boards = {board.id for board in boards_of(game, options, seats)}
            hints = {
                tag_of(one): game.template_hint(view, one)
                for one in game.legal_actions(state, seat).templates
            }
            for tag, hint in hints.items():
                assert hint.group in game.texts.groups
                assert hint.steps
                limits = {limit.name for limit in hint.limits}
                for step in hint.steps:
                    match_step(step, there, boards, limits, game.texts.catalogues["en"])
                ready = suggested(tag, hint)
                if ready is not None:
                    assert accepts(game, state, seat, ready), (tag, ready)
            for whim in range(3):
                action = game.sample(state, seat, luck(number, place * 10 + whim))
                asked = hints.get(tag_of(action))
                if asked is not None:
                    assert reaches(asked, msgspec.json.decode(encode(action))), action


def match_step(step: Any, there: set[str], boards: set[str], limits: set[str], messages: Any) -> None:
    match step:
        case ChooseStep():
            assert step.choices
            assert all(one.target in there for one in step.choices if one.target)
            assert all(f"component.{one.name}" in messages for one in step.choices if one.name)
            assert {one.limit for one in step.choices if one.limit} <= limits
        case NumberStep():
            assert step.least <= step.suggested <= step.most
            assert not step.name or f"component.{step.name}" in messages
            assert not step.limit or step.limit in limits
        case PointStep():
            assert step.board in boards


def accepts(game: Any, state: Any, seat: Any, action: dict[str, Any]) -> bool:
    try:
        read = game.action_codec.decode(msgspec.json.encode(action))
        return bool(game.decide(state, seat, read, luck(0, 1)))
    except RuleViolation:
        return False


@EVERY_TABLE
def test_most_fillings_of_a_template_are_legal(name: str, options: dict[str, Any]) -> None:
    """Where steps and limits say everything, whatever keeps them is legal; a payment may also be worth too little or too much."""
    tried = accepted = 0
    for place, (game, _, _, state) in enumerate(match(name, options, 1, moves=300)):
        for seat in game.to_act(state):
            view = game.view(state, seat_audience(seat))
            for template in game.legal_actions(state, seat).templates:
                action = filled(tag_of(template), game.template_hint(view, template), luck(7, place))
                if action is None:
                    continue
                legal = accepts(game, state, seat, action)
                tried += 1
                accepted += legal
                assert legal or tag_of(template) == "pay", action
    assert accepted or not tried


def test_games_name_their_groups_once() -> None:
    for name in ("al_rashid", "river_dragons", "river_of_gold"):
        groups = newest(name).texts.groups
        assert groups
        assert len(groups) == len(set(groups))
