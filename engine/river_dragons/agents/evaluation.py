"""How good the position is for a seat, as far as the seat knows: how much shorter its way home is than the others' (§7, §8).

    lead       = shortest way of the others - own way after the rest of the own program
    evaluation = lead / (|lead| + 6)

Ways are counted in parts of cards (ways.py). The own program is carried out along the own way, as if nobody interfered
(§5, §7): a stone where the first one is missing, a plank where the first can be laid, steps as far as there are planks. A
step with nowhere to go leads back, and a jump ends at the start (§7). A dragon not yet revealed is worth half a part
(§6). For the other seats, the evaluation reads the board and never a program.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.seats import Seat
from engine.river_dragons.agents.ways import OBSTACLE, PLANK, STEP, STONE, length, way
from engine.river_dragons.box.components import CARD_PARTS, DRAGON_TARGET, PLANK_SIZES, Card
from engine.river_dragons.phases import Executing, LayingPlank
from engine.river_dragons.state import State

SCALE: Final = 6.0
"""The lead, in parts, that is worth half as much as winning."""
DRAGON: Final = 0.5
LONG_PLANK: Final = 0.04
"""§7.2 What a chosen plank costs by its size: a plank longer than needed will be missing later."""


def evaluate(state: State, seat: Seat) -> float:
    """Return a number between -1 and 1, higher is better; it has no meaning for a match that is over."""
    others = [length(state, other) for other in state.present if other != seat]
    own = _after_program(state, seat)
    lead = min(others, default=0.0) - own
    return lead / (abs(lead) + SCALE)


def _after_program(state: State, seat: Seat) -> float:
    """§5 Return how much of the own way is left when the rest of the program has been carried out."""
    walk = _Walk(state, seat)
    phase = state.phase
    if isinstance(phase, Executing) and phase.seat == seat:
        if isinstance(phase, LayingPlank):
            walk.lay(phase.plank.size, LONG_PLANK * phase.plank.size)
        else:
            walk.part(phase.card)
        for _ in range(phase.part, CARD_PARTS[phase.card]):
            walk.part(phase.card)
    program = state.programs[seat] or ()
    if seat in state.queue:
        walk.card(program[state.slot - 1])
    for card in program[state.slot :]:
        walk.card(card)
    return walk.left()


class _Walk:
    """The own pawn on its way, with nobody else on the board."""

    def __init__(self, state: State, seat: Seat) -> None:
        legs = way(state, seat)
        self._stones = [leg.stone for leg in legs]
        self._planks = [leg.plank for leg in legs]
        self._obstacles = [leg.obstacle for leg in legs]
        self._legs = legs
        self._at = 0
        """The number of legs the pawn has completed."""
        self._extra = 0.0 if legs else length(state, seat)

    def card(self, card: Card) -> None:
        """§7"""
        if card in DRAGON_TARGET:
            self._extra -= DRAGON
            return
        for _ in range(CARD_PARTS[card]):
            self.part(card)

    def part(self, card: Card) -> None:
        match card:
            case Card.STONE1 | Card.STONE2:
                _clear_first(self._stones)
            case Card.PLANK1 | Card.PLANK2:
                self.lay(PLANK_SIZES[-1])
            case Card.REMOVE:
                _clear_first(self._obstacles)
            case Card.MOVE1 | Card.MOVE2:
                self._step()
            case Card.JUMP:
                self._at = 0

    def lay(self, longest: int, price: float = 0.0) -> None:
        """§7.2 Lay the first plank that can be laid and is not too short."""
        self._extra += price
        for number, (leg, missing) in enumerate(zip(self._legs, self._planks, strict=True)):
            standing = not self._stones[number] and not (number and self._stones[number - 1])
            if missing and standing and not self._obstacles[number] and leg.smallest <= longest:
                self._planks[number] = False
                return

    def _step(self) -> None:
        """§7.4"""
        if self._at < len(self._legs) and not self._planks[self._at]:
            self._at += 1
        elif self._at:
            self._at -= 1

    def left(self) -> float:
        """Return how many parts are missing and steps remain; a village behind a plank takes one more step."""
        total = self._extra
        total += STONE * sum(self._stones) + PLANK * sum(self._planks) + OBSTACLE * sum(self._obstacles)
        return total + STEP * sum([leg.steps for leg in self._legs[self._at :]])


def _clear_first(flags: list[bool]) -> None:
    if True in flags:
        flags[flags.index(True)] = False
