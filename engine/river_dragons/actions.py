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
    """§5 Choose five different cards of the hand for slots 1 to 5, at most one of them a dragon. Final once accepted."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=32)]
    """In the order of the slots."""

    def __repr__(self) -> str:
        return "SubmitProgram(cards=<hidden>)"


class PlaceStone(Action, frozen=True, kw_only=True, tag="place_stone"):
    """§7.1 Put a stone on an island."""

    island: Annotated[IslandId, _name]


class PlaceStoneAt(Action, frozen=True, kw_only=True, tag="place_stone_at"):
    """§9 Expert side: put a stone with its centre on a point of the water; x to the right, y down."""

    x: Annotated[int, _coordinate]
    y: Annotated[int, _coordinate]


class ChoosePlank(Action, frozen=True, kw_only=True, tag="choose_plank"):
    """§7.2 Take a plank of the seat's own reserve; the choice is binding. A reserve holds at most one plank of a size (§7.3)."""

    size: PlankSize


class LayPlank(Action, frozen=True, kw_only=True, eq=False, tag="lay_plank"):
    """§7.2 Lay the chosen plank between two supports; their order makes no difference to the action."""

    a: Annotated[SupportId, _name]
    b: Annotated[SupportId, _name]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LayPlank) and {self.a, self.b} == {other.a, other.b}

    def __hash__(self) -> int:
        return hash(frozenset((self.a, self.b)))


class RemovePlank(Action, frozen=True, kw_only=True, tag="remove_plank"):
    """§7.3 Take a plank from the board into the seat's own reserve."""

    plank: Annotated[PlankId, _name]


class RemoveStone(Action, frozen=True, kw_only=True, tag="remove_stone"):
    """§7.3 Put a stone that carries no plank back into the supply."""

    support: Annotated[SupportId, _name]


class Step(Action, frozen=True, kw_only=True, tag="step"):
    """§7.4 Move the seat's own pawn to a free adjacent plank or to a village."""

    to: Annotated[Place, _name]


class Jump(Action, frozen=True, kw_only=True, tag="jump"):
    """§7.5 Jump over a pawn on an adjacent plank."""

    over: Annotated[Seat, msgspec.Meta(ge=0, le=5)]
    """The seat whose pawn is jumped over."""
    to: Annotated[Place, _name]


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
