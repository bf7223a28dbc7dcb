"""Sets of legal actions too large to list: programs, and points in the water."""

from __future__ import annotations

import msgspec

from engine.kernel.records import Template
from engine.river_dragons.box.components import Card
from engine.river_dragons.box.sites import Point


class ProgramTemplate(Template, frozen=True, kw_only=True, tag="submit_program"):
    """§5 All ordered choices of `slots` different `cards` are legal, with at most `max_dragons` dragons."""

    cards: tuple[Card, ...]
    """The hand."""
    slots: int
    max_dragons: int


class Circle(msgspec.Struct, frozen=True, kw_only=True):
    """A point to keep away from."""

    x: int
    y: int
    min_distance: int
    """Least distance of the stone's centre; exactly this far is legal."""


class Capsule(msgspec.Struct, frozen=True, kw_only=True):
    """A straight segment to keep away from."""

    x1: int
    y1: int
    x2: int
    y2: int
    min_distance: int
    """Least distance of the stone's centre; exactly this far is legal."""


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """Where the centre of a stone may be: inside `water`, and far enough from its edge, all circles and all capsules."""

    water: tuple[Point, ...]
    """Corners of a convex polygon, clockwise on the screen."""
    edge_min_distance: int
    """Least distance to every side of the polygon; exactly this far is legal."""
    circles: tuple[Circle, ...]
    """Villages and stones."""
    capsules: tuple[Capsule, ...]
    """Planks: their axes."""


class StoneTemplate(Template, frozen=True, kw_only=True, tag="place_stone_at"):
    """§9 All integer points of the region are legal."""

    region: Region


RiverDragonsTemplate = ProgramTemplate | StoneTemplate
