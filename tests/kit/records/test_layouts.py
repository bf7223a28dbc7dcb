"""The checks of layouts, pieces and hints find what cannot be drawn, and what a person could not choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from engine.kernel.hints import Cost, Hint, Limit, NumberStep, PointStep, TemplateHint
from engine.kernel.layout import SEAT_MARKS, Board, Box, Group, Path, Place, SeatMarks
from engine.registry import newest
from services.kit.records.hints import HINTS
from services.kit.records.layouts import LAYOUT
from services.kit.records.pieces import PIECES
from tests.kit.records.planted import SIMPLE, WITH_TEMPLATES, faults, subject

GAME = newest(SIMPLE)
OTHER = newest(WITH_TEMPLATES)


def place(name: str, x: int = 50, **more: Any) -> Place:
    return Place(id=name, kind="field", x=x, y=50, width=10, height=10, **more)


def said_of(*places: Place, **more: Any) -> list[str]:
    """What the check of layouts says of one board."""
    board = Board(id="b", view_box=Box(x=0, y=0, width=100, height=100), places=places, **more)
    return faults(LAYOUT, subject(layout=msgspec.structs.replace(GAME.layout, boards=(board,), mats=())))


def test_places_must_be_inside_and_apart() -> None:
    assert said_of(place("a"), place("c", x=98)) == ["the place c of b is not inside its view box"]
    assert said_of(place("a"), place("c")) == [
        "the places a and c of b are at the same spot, so one hides the other"
    ]
    assert said_of(place("a", shape="polygon")) == ["the place a of b is a polygon with 0 corners"]


def test_a_place_must_have_one_id() -> None:
    assert said_of(place("a"), place("a", x=20))[0] == "with 2 seats two places have the id a"


def test_groups_and_paths_must_lead_somewhere() -> None:
    assert said_of(place("a", group="g")) == ["places of b name the group g, which it does not have"]
    assert said_of(place("a"), groups=(Group(id="g", kind="region"),)) == ["the group g of b has no places"]
    (told,) = said_of(place("a"), paths=(Path(a="a", b="z", kind="road"),))
    assert told == "a path of b from a to z leads nowhere: there is no place z"


def test_boards_must_depend_on_what_exists() -> None:
    told = said_of(place("a"), options={"weather": "rain"}, seats=(17,))
    assert told[:2] == [
        "the board b depends on the option weather, which the game does not have",
        "the board b is for 17 seats, and the game is not",
    ]
    assert any("there is no board and no mat" in one for one in told)


def test_two_boards_must_have_two_ids() -> None:
    board = GAME.layout.boards[0]
    twice = msgspec.structs.replace(GAME.layout, boards=(board, board))
    assert f"two boards or mats have the id {board.id}" in faults(LAYOUT, subject(layout=twice))


def test_seats_must_have_marks_of_their_own() -> None:
    alike = msgspec.structs.replace(GAME.layout, seats=(SEAT_MARKS[0],) * max(GAME.seat_counts))
    assert faults(LAYOUT, subject(layout=alike)) == [
        "two seats have the colour #0072b2",
        "two seats have the symbol circle",
    ]
    few = msgspec.structs.replace(
        GAME.layout, seats=SEAT_MARKS[:1], seats_with=(SeatMarks(players=2, marks=SEAT_MARKS[:1]),)
    )
    assert faults(LAYOUT, subject(layout=few)) == [
        f"there are marks for 1 seats, and up to {max(GAME.seat_counts)} play",
        "with 2 players there are 1 marks",
    ]


def with_first_piece(**changes: Any) -> list[str]:
    """What is said if the first piece of every table is another."""

    def pieces(view):
        first, *others = GAME.pieces(view)
        return (msgspec.structs.replace(first, **{"id": "odd", **changes}), *others)

    return faults(PIECES, subject(pieces=pieces))


def test_pieces_must_lie_somewhere_and_have_names() -> None:
    assert with_first_piece(place="moon") == ["the piece odd lies at moon, which is no place of this table"]
    assert with_first_piece(component="ufo")[0] == (
        "the piece odd has no name: en.json has no message component.ufo"
    )
    assert with_first_piece(kind="", count=0, seat=9) == [
        "the piece odd is of no kind",
        "the piece odd lies there 0 times",
        "the piece odd belongs to seat 9, which is not in the match",
    ]


def test_pieces_must_have_ids_of_their_own() -> None:
    told = faults(PIECES, subject(pieces=lambda view: GAME.pieces(view)[:1] * 2))
    assert told[0].startswith("two pieces have the id ")
    somewhere = GAME.layout.boards[0].places[0].id
    assert f"the piece {somewhere} has the id of a place" in with_first_piece(id=somewhere)


def test_actions_must_be_offered_at_what_is_there() -> None:
    def hint(view, action):
        return Hint(group="weather", targets=("moon",), cost=(Cost(resource="sand", amount=0),))

    told = faults(HINTS, subject(hint=hint))
    assert told[0].endswith("is in the group 'weather', which has no text")
    assert told[1].endswith("is offered at moon, which is neither a place nor a piece of this table")
    assert told[2].endswith("costs 0 sand")
    assert told[3].endswith("costs sand, which has no text")


def test_a_group_is_named_once() -> None:
    texts = replace(GAME.texts, groups=(*GAME.texts.groups, GAME.texts.groups[0]))
    assert faults(HINTS, subject(texts=texts)) == ["`Texts.groups` names a group twice"]


def said_of_template(**changes: Any) -> list[str]:
    """What is said if the hint of every template is changed."""

    def template_hint(view, template):
        hint = OTHER.template_hint(view, template)
        return (
            msgspec.structs.replace(hint, **changes) if changes else TemplateHint(group=hint.group, steps=())
        )

    return faults(HINTS, subject(WITH_TEMPLATES, template_hint=template_hint))


def test_a_template_must_have_steps() -> None:
    assert any(told.endswith(" has no steps") for told in said_of_template())


def test_steps_must_be_well_formed() -> None:
    number = NumberStep(field="x", least=1, most=3, suggested=4, name="sand", limit="purse")
    point = PointStep(field_x="/x", field_y="/y", board="moon")
    told = said_of_template(steps=(number, point), limits=(Limit(name="all", least=2, most=1),))
    assert told[0] == "a step of submit_program fills 'x', which is no JSON Pointer"
    assert told[1].endswith("contradicts itself or another")
    assert told[2].endswith("suggests 4, which is not from 1 to 3")
    assert told[3].endswith("names sand, which has no text")
    assert told[4].endswith("counts against purse, which is no limit")
    assert any(
        one.endswith("touches the board moon, which is not there") for one in said_of_template(steps=(point,))
    )


def test_a_suggestion_must_be_legal() -> None:
    told = said_of_template(steps=(NumberStep(field="/weather", least=0, most=1, suggested=0),))
    assert any("suggests is refused: $.weather is not known here" in one for one in told)


def test_steps_must_lead_to_every_action() -> None:
    told = said_of_template(limits=(Limit(name="never", least=1),))
    assert any("can be sampled, and the steps of its hint do not lead to it: " in one for one in told)


def test_no_action_is_listed_and_described() -> None:
    def legal_actions(state, seat):
        legal = OTHER.legal_actions(state, seat)
        if not legal.templates:
            return legal
        return msgspec.structs.replace(legal, actions=(*legal.actions, OTHER.policy(state, seat)))

    told = faults(HINTS, subject(WITH_TEMPLATES, legal_actions=legal_actions))
    assert any(one.endswith(" is both listed and described by a template") for one in told)


def test_a_table_on_which_nothing_ever_lies_is_a_fault() -> None:
    assert faults(PIECES, subject(pieces=lambda view: ())) == [
        "the layout has places, and `pieces` puts nothing on any of them in any match"
    ]
