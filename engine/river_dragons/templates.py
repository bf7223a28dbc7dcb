"""Sets of legal actions too large to list: programs, and points in the water."""

from __future__ import annotations

import msgspec

from engine.kernel.records import Template
from engine.river_dragons.box.components import Card
from engine.river_dragons.box.sites import Point


class ProgramTemplate(Template, frozen=True, kw_only=True, tag="submit_program"):
    """The programs that are legal: all ordered choices of `slots` different `cards`, with at most `max_dragons` dragons (§5)."""

    cards: tuple[Card, ...]
    """The cards of the hand."""
    slots: int
    """How many cards a program has."""
    max_dragons: int
    """How many of them may be dragons."""


class Circle(msgspec.Struct, frozen=True, kw_only=True):
    """A point to keep away from: the centre of a village or of a stone."""

    x: int
    """Where the point is, in board units to the right of the centre of the board."""
    y: int
    """Where the point is, in board units below the centre of the board."""
    min_distance: int
    """How many board units the stone's centre must be away; exactly this far is legal."""


class Capsule(msgspec.Struct, frozen=True, kw_only=True):
    """A straight segment to keep away from: the axis of a plank."""

    x1: int
    """Where one end is, in board units to the right of the centre of the board."""
    y1: int
    """Where one end is, in board units below the centre of the board."""
    x2: int
    """Where the other end is, in board units to the right of the centre of the board."""
    y2: int
    """Where the other end is, in board units below the centre of the board."""
    min_distance: int
    """How many board units the stone's centre must be away; exactly this far is legal."""


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """Where the centre of a stone may be: inside the water, and far enough from its edge, all circles and all capsules."""

    water: tuple[Point, ...]
    """The corners of the water, which is a convex polygon, clockwise on the screen."""
    edge_min_distance: int
    """How many board units the stone's centre must be away from every side of the water; exactly this far is legal."""
    circles: tuple[Circle, ...]
    """The villages and stones to keep away from."""
    capsules: tuple[Capsule, ...]
    """The planks to keep away from."""


class StoneTemplate(Template, frozen=True, kw_only=True, tag="place_stone_at"):
    """The stones that are legal on the expert side: all integer points of the region (§9)."""

    region: Region
    """Where the stone's centre may be."""


RiverDragonsTemplate = ProgramTemplate | StoneTemplate
