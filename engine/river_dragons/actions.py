"""The actions a seat may send. The rules, not these types, refuse ids that name nothing on the board."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from engine.kernel.records import Action
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import MAX_NAME, Card, IslandId, Place, PlankId, PlankSize, SupportId

_name: Final = msgspec.Meta(max_length=MAX_NAME)
_coordinate: Final = msgspec.Meta(ge=-100_000, le=100_000, description="Board units, origin in the centre.")


class SubmitProgram(Action, frozen=True, kw_only=True, tag="submit_program"):
    """The player submits a program: five different cards of the hand for slots 1 to 5, at most one of them a dragon.

    It is final once it is accepted (§5).
    """

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=32)]
    """The five cards, in the order of the slots."""

    def __repr__(self) -> str:
        return "SubmitProgram(cards=<hidden>)"


class PlaceStone(Action, frozen=True, kw_only=True, tag="place_stone"):
    """The player puts a stone on an island (§7.1)."""

    island: Annotated[IslandId, _name]
    """The id of the island, such as `I07`."""


class PlaceStoneAt(Action, frozen=True, kw_only=True, tag="place_stone_at"):
    """The player puts a stone with its centre on a point of the water, on the expert side (§9)."""

    x: Annotated[int, _coordinate]
    """Where the stone's centre is, in board units to the right of the centre of the board."""
    y: Annotated[int, _coordinate]
    """Where the stone's centre is, in board units below the centre of the board."""


class ChoosePlank(Action, frozen=True, kw_only=True, tag="choose_plank"):
    """The player chooses a plank of the own reserve; the choice is binding (§7.2)."""

    size: PlankSize
    """The size of the plank, 1 to 6. A reserve holds at most one plank of a size (§7.3)."""


class LayPlank(Action, frozen=True, kw_only=True, eq=False, tag="lay_plank"):
    """The player lays the chosen plank between two supports, in whichever order they are named (§7.2)."""

    a: Annotated[SupportId, _name]
    """The id of one support: a village, an island with a stone, or a stone of the expert side."""
    b: Annotated[SupportId, _name]
    """The id of the other support."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LayPlank) and {self.a, self.b} == {other.a, other.b}

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct without `eq` answers `!=` by identity, whatever `==` says

    def __hash__(self) -> int:
        return hash(frozenset((self.a, self.b)))


class RemovePlank(Action, frozen=True, kw_only=True, tag="remove_plank"):
    """The player takes a plank from the board into the own reserve (§7.3)."""

    plank: Annotated[PlankId, _name]
    """The id of the plank on the board, such as `I07~I16`."""


class RemoveStone(Action, frozen=True, kw_only=True, tag="remove_stone"):
    """The player puts a stone that carries no plank back into the supply (§7.3)."""

    support: Annotated[SupportId, _name]
    """The id of the stone: that of its island, or its own on the expert side."""


class Step(Action, frozen=True, kw_only=True, tag="step"):
    """The player moves the own pawn one step: to a free adjacent plank or to a village (§7.4)."""

    to: Annotated[Place, _name]
    """The id of the plank or village where the pawn goes."""


class Jump(Action, frozen=True, kw_only=True, tag="jump"):
    """The player's pawn jumps over a pawn on an adjacent plank (§7.5)."""

    over: Annotated[Seat, msgspec.Meta(ge=0, le=5)]
    """The seat whose pawn is jumped over, counted from 0."""
    to: Annotated[Place, _name]
    """The id of the plank or village where the pawn lands."""


RiverDragonsAction = (
    SubmitProgram
    | PlaceStone
    | PlaceStoneAt
    | ChoosePlank
    | LayPlank
    | RemovePlank
    | RemoveStone
    | Step
    | Jump
)
