"""Views as numbers: the viewing seat first, and every place with a meaning. The form of rows, the kit asks."""

from __future__ import annotations

import msgspec
import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.features import Row, numbered
from engine.kernel.seats import Seat, seat_audience
from engine.match.playout import random_match
from engine.registry import game, part


def features_of(game_id, options, seats):
    return part(game_id, "features")(msgspec.convert(options, game(game_id).types.options), seats)


def views(game_id, options, seats, every=7):
    """Views of a random match, each by another seat."""
    rules = game(game_id)
    chosen = msgspec.convert(options, rules.types.options)
    steps = random_match(rules, chosen, seats, b"features" * 4, SeededChance(b"features" * 4, 1 << 32))
    for number, step in enumerate(steps):
        if number % every == 0 or rules.outcome(step.state) is not None:
            seat = Seat(number % seats)
            yield rules.view(step.state, seat_audience(seat)), seat


def told(features, view, seat):
    """A row by its names."""
    return dict(zip(features.named(view), features.row(view, seat), strict=True))


def test_the_viewing_seat_comes_first() -> None:
    features = features_of("river_of_gold", {}, 4)
    for view, seat in views("river_of_gold", {}, 4):
        row = told(features, view, seat)
        for other in range(4):
            player = view.seats[(seat + other) % 4]
            assert row[f"player {other}'s koku"] == pytest.approx(player.koku / 25)
            known = {
                name for name, value in row.items() if name.startswith(f"player {other}'s cards:") and value
            }
            assert known == {f"player {other}'s cards: {card}" for card in player.hand}
            assert bool(known) == (other == 0 and bool(player.hand))


def test_al_rashid_shows_goods_pieces_and_known_tiles() -> None:
    features = features_of("al_rashid", {}, 3)
    seen_values = 0
    for view, seat in views("al_rashid", {}, 3):
        row = told(features, view, seat)
        own = view.seats[seat]
        assert row["player 0's goods: silk"] == pytest.approx(own.goods.silk / 20)
        assert row["player 0's tiles: red 3"] == pytest.approx(own.hand.tiles.red_3 / 16)
        assert row["player 1's tiles: red 3"] == row["player 2's tiles: red 3"] == 0
        for territory in view.territories:
            for tile in territory.mercenaries:
                values = [row[f"tile {tile.id}'s value: {value}"] for value in (2, 3, 4)]
                assert values == [float(tile.value == value) for value in (2, 3, 4)]
                seen_values += tile.value is not None
        for area in (*view.palaces, *view.territories):
            for stack in area.stacks:
                other = (stack.seat - seat) % 3
                assert row[f"player {other}'s pieces in {area.id}: sage"] == pytest.approx(stack.sages / 6)
    assert seen_values


@pytest.mark.parametrize("variant", ["islands", "expert"])
def test_river_dragons_shows_stones_planks_and_pawns(variant) -> None:
    """On the expert side stones are named by their place on the board."""
    features = features_of("river_dragons", {"variant": variant}, 2)
    laid = 0
    for view, seat in views("river_dragons", {"variant": variant}, 2):
        row = told(features, view, seat)
        slots = {
            stone.id: f"S{n:02}" if variant == "expert" else stone.id
            for n, stone in enumerate(view.stones, 1)
        }
        assert {name for name in row if name.startswith("stone: ") and row[name]} == {
            f"stone: {slot}" for slot in slots.values()
        }
        lengths = {name: value for name, value in row.items() if name.startswith("plank's length") and value}
        assert sorted(lengths.values()) == pytest.approx(
            sorted(plank.plank.size / 6 for plank in view.planks)
        )
        for plank in view.planks:
            a, b = sorted(slots.get(end, end) for end in (plank.a, plank.b))
            assert lengths[f"plank's length: {a}~{b}"] == pytest.approx(plank.plank.size / 6)
        laid += len(view.planks)
        start = view.seats[seat].start
        at_home = view.seats[seat].pawn == start
        assert bool(row[f"player 0's pawn on: {start}"] and not row["player 0's pawn on a plank"]) == at_home
    assert laid


def test_a_row_notes_what_it_writes() -> None:
    names: list[str] = []
    row = Row(names)
    colours = numbered(["red", "blue"])
    row.number("turn", 3, 4)
    row.number("more than most", 9, 4)
    row.one_of("colour", "blue", colours)
    row.one_of("no colour", None, colours)
    row.any_of("colours", ["red", "blue"], colours)
    row.numbers("counts", [1, 5], 4, colours)
    row.places("places", {1: 0.5}, ["a", "b"])
    row.flag("over", [])
    assert row.values == [0.75, 1, 0, 1, 0, 0, 1, 1, 0.25, 1, 0, 0.5, 0]
    assert len(names) == len(row.values)
    assert names[2:4] == ["colour: red", "colour: blue"]
