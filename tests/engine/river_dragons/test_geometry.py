"""The integer predicates against exact fractions, and at their limits."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.river_dragons.box.geometry import (
    distance_rounded_up,
    nearer_than_to_segment,
    root_rounded_up,
    segments_cross_properly,
    segments_nearer_than,
)

SMALL = st.integers(-12, 12)
POINT = st.tuples(SMALL, SMALL)
LIMIT = st.integers(1, 12)
MANY = settings(max_examples=400, derandomize=True, deadline=None)


def distance_squared(p, a, b) -> Fraction:
    """Square of the distance of P from the segment AB, with a true division."""
    (px, py), (ax, ay), (bx, by) = p, a, b
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    along = Fraction((px - ax) * dx + (py - ay) * dy, square) if square else Fraction(0)
    along = min(max(along, Fraction(0)), Fraction(1))
    return (px - ax - along * dx) ** 2 + (py - ay - along * dy) ** 2


def meet(a, b, c, d) -> bool:
    """Do AB and CD share a point? By solving for it."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a, b, c, d
    turn = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if turn == 0:
        return any(
            distance_squared(p, *s) == 0 for p, s in ((a, (c, d)), (b, (c, d)), (c, (a, b)), (d, (a, b)))
        )
    s = Fraction((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx), turn)
    t = Fraction((cx - ax) * (by - ay) - (cy - ay) * (bx - ax), turn)
    return 0 <= s <= 1 and 0 <= t <= 1


@MANY
@given(p=POINT, a=POINT, b=POINT, limit=LIMIT)
def test_a_points_distance_from_a_segment_is_compared_exactly(p, a, b, limit) -> None:
    assert nearer_than_to_segment(*p, *a, *b, limit) == (distance_squared(p, a, b) < limit * limit)


@MANY
@given(a=POINT, b=POINT, c=POINT, d=POINT, limit=LIMIT)
def test_the_distance_of_two_segments_is_compared_exactly(a, b, c, d, limit) -> None:
    least = min(
        distance_squared(a, c, d),
        distance_squared(b, c, d),
        distance_squared(c, a, b),
        distance_squared(d, a, b),
    )
    expected = meet(a, b, c, d) or least < limit * limit
    assert segments_nearer_than(*a, *b, *c, *d, limit) == expected


@MANY
@given(a=POINT, b=POINT, c=POINT, d=POINT)
def test_crossing_does_not_depend_on_order_or_direction(a, b, c, d) -> None:
    answers = {
        segments_cross_properly(*one, *other)
        for first, second in ((a + b, c + d), (c + d, a + b))
        for one in (first, first[2:] + first[:2])
        for other in (second, second[2:] + second[:2])
    }
    assert len(answers) == 1


def test_touching_ends_are_near_and_do_not_cross_properly() -> None:
    assert not segments_cross_properly(0, 0, 10, 0, 5, 0, 5, 10)
    assert segments_nearer_than(0, 0, 10, 0, 5, 0, 5, 10, 1)


def test_exactly_the_limit_is_not_nearer() -> None:
    assert not segments_nearer_than(0, 0, 10, 0, 0, 7, 10, 7, 7)
    assert segments_nearer_than(0, 0, 10, 0, 0, 7, 10, 7, 8)


@MANY
@given(st.integers(0, 10**9))
def test_roots_are_rounded_up(square) -> None:
    root = root_rounded_up(square)
    assert root * root >= square
    assert root == 0 or (root - 1) ** 2 < square


def test_the_distance_of_pinks_village_and_i14_is_1670() -> None:
    """§14"""
    assert distance_rounded_up(-2850, 0, -1188, 160) == 1670
