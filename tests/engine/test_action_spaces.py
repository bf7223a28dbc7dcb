"""Actions as numbers: what is special to a game. That every legal action has exactly one word, the kit asks."""

from __future__ import annotations

from itertools import permutations

import msgspec

from engine.al_rashid.actions import DeclareVisit, EndTurn, Fight
from engine.al_rashid.box.components import Squad
from engine.kernel.action_space import NOTHING_YET, name_of
from engine.kernel.chance import SeededChance
from engine.kernel.seats import seat_audience
from engine.match.playout import random_match
from engine.registry import game, part
from engine.river_dragons.actions import RemoveStone
from engine.river_dragons.agents.action_space import Points, Programs
from engine.river_dragons.box.components import DRAGON_TARGET, Card
from engine.river_dragons.box.sites import WATER
from engine.river_dragons.cells import BOARD_SIZE, CELLS, FIRST, Square, cells_of, holds_a_point, square_of
from engine.river_dragons.events import ProgramSubmitted
from engine.river_dragons.templates import Capsule, Circle, ProgramTemplate, Region, StoneTemplate
from engine.river_dragons.water import contains


def space_of(game_id, options, seats):
    chosen = msgspec.convert(options, game(game_id).types.options)
    return part(game_id, "action_space")(chosen, seats)


def tables(game_id, options, seats, number):
    """Every table of a random match with a seat to act, and what it then did."""
    rules = game(game_id)
    chosen = msgspec.convert(options, rules.types.options)
    secret = bytes([number]) * 32
    before = None
    for step in random_match(rules, chosen, seats, secret, SeededChance(secret, 1 << 32)):
        if step.seat is not None:
            yield before, step.seat, step.action
        before = step.state


def test_the_name_of_an_action_is_its_tag_and_its_fields() -> None:
    """Fields with their default stay away, so that a new field renames nothing."""
    assert name_of(RemoveStone(support="S01")) == "remove_stone(support=S01)"
    assert name_of(Fight(tiles=Squad(red_3=2))) == "fight(tiles=(red_3=2))"
    assert name_of(DeclareVisit(office="impostor", note=True)) == "declare_visit(office=impostor, note=true)"
    assert name_of(ProgramSubmitted(seat=1, cards=("jump", "stone1"))) == (
        "program_submitted(seat=1, cards=[jump, stone1])"
    )
    assert name_of(EndTurn()) == "end_turn"


def all_words(choices, begun=NOTHING_YET):
    """Spell everything that can be spelled."""
    offered = choices.following(begun)
    if not offered:
        return [begun]
    return [word for index in offered for word in all_words(choices, (*begun, index))]


def test_a_program_is_any_order_of_different_cards_with_at_most_one_dragon() -> None:
    """§5"""
    hand = (Card.STONE1, Card.MOVE1, Card.JUMP, Card.DRAGON_RED, Card.DRAGON_BLUE)
    choices = Programs(ProgramTemplate(cards=hand, slots=3, max_dragons=1), first=100)
    expected = {cards for cards in permutations(hand, 3) if sum(card in DRAGON_TARGET for card in cards) <= 1}
    words = all_words(choices)
    assert {choices.action(word).cards for word in words} == expected
    assert len(words) == len(expected)


def test_the_way_to_a_point_leads_there_and_back() -> None:
    far = FIRST + BOARD_SIZE - 1
    for x, y in [(FIRST, FIRST), (far, far), (0, 0), (-2850, 17), (1425, -2468), (3149, 2727)]:
        assert square_of(cells_of(x, y)) == Square(x, y, 1)
    assert all(FIRST <= corner.x <= far and FIRST <= corner.y <= far for corner in WATER)


def test_a_square_is_open_exactly_if_a_legal_point_is_in_it() -> None:
    """§9 — looked at point by point, where shapes leave gaps of any width between them."""
    region = Region(
        water=WATER,
        edge_min_distance=140,
        circles=(
            Circle(x=0, y=0, min_distance=300),
            Circle(x=420, y=0, min_distance=125),
            Circle(x=0, y=430, min_distance=121),
        ),
        capsules=(Capsule(x1=-500, y1=-330, x2=500, y2=-330, min_distance=40),),
    )
    middle = 40
    square = square_of((middle,))
    seen = set()
    for size in (3, 9, 27):
        for x in range(square.x, square.x + square.size, 81):
            for y in range(square.y, square.y + square.size, 81):
                cut = Square(x, y, size)
                brute = any(contains(region, x + i, y + j) for i in range(size) for j in range(size))
                assert holds_a_point(region, cut) == brute, cut
                seen.add((size, brute))
    assert len(seen) == 6


def test_a_single_legal_point_is_found() -> None:
    """§9 — all of the water is taken but one point, to which every step leads."""
    around = tuple(
        Circle(x=round(x), y=round(y), min_distance=500)
        for x, y in ((500, 0), (-500, 0), (0, 500), (0, -500))
    )
    region = Region(
        water=WATER,
        edge_min_distance=140,
        circles=(*around, *_everywhere_else()),
        capsules=(),
    )
    choices = Points(StoneTemplate(region=region), first=0)
    word = cells_of(0, 0)
    assert choices.following(NOTHING_YET) == [word[0]]
    assert all_words(choices) == [word]
    assert (choices.action(word).x, choices.action(word).y) == (0, 0)
    assert all(0 <= index < CELLS for index in word)


def _everywhere_else():
    """Discs that cover the water but for what the four in the middle cover."""
    for x in range(-3200, 3201, 400):
        for y in range(-2800, 2801, 400):
            if max(abs(x), abs(y)) >= 800:
                yield Circle(x=x, y=y, min_distance=420)
    for x in (-500, 500):
        for y in (-500, 500):
            yield Circle(x=x, y=y, min_distance=420)


def test_stones_of_the_expert_side_keep_within_the_numbering() -> None:
    """[F2] Their own names count on for the whole match; here they are called by their place on the board."""
    rules, space = game("river_dragons"), space_of("river_dragons", {"variant": "expert"}, 2)
    slots = [name for name in space.names if name.startswith("remove_stone")]
    assert slots == [f"remove_stone(support=S{number:02})" for number in range(1, 28)]
    for state, seat, _ in tables("river_dragons", {"variant": "expert"}, 2, 1):
        view = rules.view(state, seat_audience(seat))
        if any(stone.id == "S28" for stone in view.stones):
            at = [stone.id for stone in view.stones].index("S28")
            (index,) = space.word(RemoveStone(support="S28"), view)
            assert space.names[index] == slots[at]
            return
    raise AssertionError("no stone was replaced in this match: take another number")
