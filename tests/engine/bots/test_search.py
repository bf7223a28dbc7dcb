"""Greedy sees one step, search sees what comes after it: a game of two moves in which the better start looks worse."""

from __future__ import annotations

from typing import Any

import pytest

from engine.bots.budget import Playouts
from engine.bots.levels import LEVELS
from engine.kernel.chance import Chance, SeededChance
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome, SeatResult
from engine.kernel.seats import Seat

ME, OTHER = Seat(0), Seat(1)


class Trap:
    """Whoever grabs looks better, until the other answers and wins; whoever waits wins. A coin is thrown and changes nothing."""

    def to_act(self, state: tuple[str, ...]) -> tuple[Seat, ...]:
        return ((ME,), (OTHER,), ())[len(state)]

    def legal_actions(self, state: tuple[str, ...], seat: Seat) -> LegalActions[Any, Any]:
        return LegalActions(actions=("grab", "wait") if not state else ("answer",))

    def policy(self, state: tuple[str, ...], seat: Seat) -> str:
        if seat not in self.to_act(state):
            raise LookupError(seat)
        return self.legal_actions(state, seat).actions[0]

    def decide(self, state: tuple[str, ...], seat: Seat, action: str, chance: Chance) -> tuple[str, ...]:
        chance.below(2)
        return (action,)

    def evolve(self, state: tuple[str, ...] | None, event: str) -> tuple[str, ...]:
        return (*(state or ()), event)

    def outcome(self, state: tuple[str, ...]) -> Outcome | None:
        if len(state) < 2:
            return None
        results = tuple(SeatResult(seat=seat, rank=1) for seat in (ME, OTHER))
        return Outcome(
            reason="DONE", rule="1", winners=(ME if state[0] == "wait" else OTHER,), results=results
        )

    def evaluate(self, state: tuple[str, ...], seat: Seat) -> float:
        return (0.4 if state == ("grab",) else -0.1) * (1 if seat == ME else -1)


def choice(level: str, playouts: int) -> tuple[str, Playouts]:
    budget = Playouts(playouts)
    return LEVELS[level].choose(Trap(), lambda number: (), ME, SeededChance(bytes(32), 0), budget), budget


def test_greedy_walks_into_the_trap_and_search_does_not() -> None:
    assert choice("greedy", 20)[0] == "grab"
    assert choice("search", 20)[0] == "wait"


def test_who_is_clearly_behind_drops_out_and_the_rest_of_the_budget_is_not_needed() -> None:
    action, budget = choice("search", 1000)
    assert action == "wait"
    assert sum(budget.another() for _ in range(1000)) > 950


@pytest.mark.parametrize("playouts", [0, 1])
def test_without_time_for_a_round_search_falls_back_on_one_step(playouts: int) -> None:
    assert choice("search", playouts)[0] == "grab"


def test_a_deal_is_asked_for_by_number_and_every_candidate_of_a_round_gets_the_same() -> None:
    asked: list[int] = []

    def deals(number: int) -> tuple[str, ...]:
        asked.append(number)
        return ()

    LEVELS["search"].choose(Trap(), deals, ME, SeededChance(bytes(32), 0), Playouts(6))
    one_step, rounds = asked[:4], asked[4:]
    assert sorted(set(one_step)) == [0, 1, 2]
    assert rounds == [0, 0, 1, 1, 2, 2]
