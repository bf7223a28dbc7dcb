"""Where in a round the match is: a tagged union, and what follows each part of a card.

§7 Carrying out cards. What a card says must be done if it is possible; nobody may pass. `stone2`, `plank2` and
`move2` have two parts, and each part of `stone2` and `plank2` stands on its own [R7]. A stone, a plank or a removal
that is not possible is lost, and nothing happens. A step or a jump that is not possible makes the pawn fall: it goes
back to its own village, and the card is over [R9].
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final

import msgspec

from engine.kernel.seats import Seat
from engine.river_dragons.box.components import CARD_PARTS, Card, Plank
from engine.river_dragons.events import EndReason


class Decision(StrEnum):
    """The kinds of decisions (§11)."""

    PROGRAM = "program"
    """The player chooses five cards (§5)."""
    STONE = "stone"
    """The player chooses where a stone goes (§7.1)."""
    PLANK_SIZE = "plank_size"
    """The player chooses which plank to lay (§7.2)."""
    PLANK_PAIR = "plank_pair"
    """The player chooses where the plank lies (§7.2)."""
    REMOVE = "remove"
    """The player chooses what to take from the board (§7.3)."""
    STEP = "step"
    """The player chooses where the pawn goes (§7.4)."""
    JUMP = "jump"
    """The player chooses which pawn to jump over, and where to land (§7.5)."""


class _Phase(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Where in the round the match is."""


class Programming(_Phase, frozen=True, kw_only=True, tag="programming"):
    """§5 Everybody chooses a program."""


class Resolving(_Phase, frozen=True, kw_only=True, tag="resolving"):
    """§4 Between two cards, slots or rounds. This phase exists only while a move is carried out: no decision is open in it."""


class PlacingStone(_Phase, frozen=True, kw_only=True, tag="placing_stone"):
    """§7.1"""

    seat: Seat
    card: Card
    part: int
    """Which of the card's parts, counted from 1; likewise below."""


class ChoosingPlank(_Phase, frozen=True, kw_only=True, tag="choosing_plank"):
    """§7.2 (1)"""

    seat: Seat
    card: Card
    part: int


class LayingPlank(_Phase, frozen=True, kw_only=True, tag="laying_plank"):
    """§7.2 (2)"""

    seat: Seat
    card: Card
    part: int
    plank: Plank
    """The choice is binding; the plank is still in the reserve."""


class Removing(_Phase, frozen=True, kw_only=True, tag="removing"):
    """§7.3"""

    seat: Seat
    card: Card
    part: int


class Stepping(_Phase, frozen=True, kw_only=True, tag="stepping"):
    """§7.4"""

    seat: Seat
    card: Card
    part: int


class Jumping(_Phase, frozen=True, kw_only=True, tag="jumping"):
    """§7.5"""

    seat: Seat
    card: Card
    part: int


class Ended(_Phase, frozen=True, kw_only=True, tag="ended"):
    """§8"""

    reason: EndReason
    winners: tuple[Seat, ...]


Executing = PlacingStone | ChoosingPlank | LayingPlank | Removing | Stepping | Jumping
"""§7 The phases in which a seat carries out a part of a card and has a decision to make."""
Phase = Programming | Resolving | Executing | Ended

PROGRAMMING: Final = Programming()
RESOLVING: Final = Resolving()

_OPENING: Final[dict[Card, type[PlacingStone | ChoosingPlank | Removing | Stepping | Jumping]]] = {
    Card.STONE1: PlacingStone,
    Card.STONE2: PlacingStone,
    Card.PLANK1: ChoosingPlank,
    Card.PLANK2: ChoosingPlank,
    Card.REMOVE: Removing,
    Card.MOVE1: Stepping,
    Card.MOVE2: Stepping,
    Card.JUMP: Jumping,
}
DECISIONS: Final[dict[type[Phase], Decision]] = {
    PlacingStone: Decision.STONE,
    ChoosingPlank: Decision.PLANK_SIZE,
    LayingPlank: Decision.PLANK_PAIR,
    Removing: Decision.REMOVE,
    Stepping: Decision.STEP,
    Jumping: Decision.JUMP,
}
"""§11 The kind of decision that is open in the phases of one seat."""


@lru_cache(maxsize=128)  # there are 96 for six seats, and they never change
def opening(seat: Seat, card: Card, part: int) -> Phase:
    """§7 Return the phase of the first decision for a part of a seat's card."""
    return _OPENING[card](seat=seat, card=card, part=part)


def after_part(phase: Phase) -> Phase:
    """§7 Return the phase after a part of the open card is done or lost: its next part, or the next card."""
    if isinstance(phase, Executing) and phase.part < CARD_PARTS[phase.card]:
        return opening(phase.seat, phase.card, phase.part + 1)
    return RESOLVING


def laying(phase: Phase, plank: Plank) -> Phase:
    """§7.2 Return the phase after a plank has been chosen."""
    if not isinstance(phase, ChoosingPlank):
        raise TypeError(f"no plank is being chosen while {type(phase).__name__}")
    return LayingPlank(seat=phase.seat, card=phase.card, part=phase.part, plank=plank)


def decision_of(phase: Executing) -> Decision:
    """§11 Return the kind of decision that is open."""
    return DECISIONS[type(phase)]
