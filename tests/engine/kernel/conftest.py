"""A smallest game for the kernel's tests: heap pebbles; who reaches the goal wins."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec
import pytest

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.game import Game, Types
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome, SeatResult
from engine.kernel.pending import Pending
from engine.kernel.recorder import Recorder
from engine.kernel.records import Action, Event, Options, Template, View
from engine.kernel.seats import Seat


class Code(StrEnum):
    TOO_MANY = "TOO_MANY"


class PebbleOptions(Options, frozen=True, kw_only=True):
    goal: int = 10


class Heap(Action, frozen=True, kw_only=True, tag="heap"):
    """§2 One to three pebbles."""

    pebbles: int


class Skip(Action, frozen=True, kw_only=True, tag="skip"):
    """§2 No pebble at all."""


class Begun(Event, frozen=True, kw_only=True, tag="begun"):
    goal: int
    first: Seat
    seats: int


class Heaped(Event, frozen=True, kw_only=True, tag="heaped"):
    seat: Seat
    pebbles: int
    found: int = 0
    """A pebble found by luck; added in a later version."""


class Left(Event, frozen=True, kw_only=True, tag="left"):
    seat: Seat


class Won(Event, frozen=True, kw_only=True, tag="won"):
    seat: Seat


class State(msgspec.Struct, frozen=True, kw_only=True):
    goal: int
    seats: int
    active: Seat
    heap: int = 0
    winner: Seat | None = None


class PebbleView(View, frozen=True, kw_only=True):
    heap: int


class Any3(Template, frozen=True, kw_only=True, tag="heap"):
    up_to: int


class Notes:
    def action(self, action: Any, /) -> str:
        return f"heap {action.pebbles}" if isinstance(action, Heap) else "skip"

    def event(self, event: Any, /) -> str:
        return type(event).__name__

    def view(self, view: Any, /) -> str:
        return f"heap of {view.heap}"


def start(options: PebbleOptions, seats: int, chance: Chance) -> tuple[Event, ...]:
    return (Begun(goal=options.goal, first=Seat(chance.below(seats)), seats=seats),)


def evolve(state: State | None, event: Any) -> State:
    if isinstance(event, Begun):
        return State(goal=event.goal, seats=event.seats, active=event.first)
    assert state is not None
    if isinstance(event, Heaped):
        heap, active = state.heap + event.pebbles + event.found, Seat((event.seat + 1) % state.seats)
        return msgspec.structs.replace(state, heap=heap, active=active)
    return msgspec.structs.replace(state, winner=event.seat if isinstance(event, Won) else state.winner)


def decide(state: State, seat: Seat, action: Heap | Skip, chance: Chance) -> tuple[Event, ...]:
    if seat != state.active:
        raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="2", waited_for=(state.active,))
    if isinstance(action, Skip):
        return (Heaped(seat=seat, pebbles=0),)
    if not 1 <= action.pebbles <= 3:
        raise RuleViolation(Code.TOO_MANY, rule="2", field="pebbles", limit=3)
    turn: Recorder[State, Any] = Recorder(state, evolve)
    turn.record(Heaped(seat=seat, pebbles=action.pebbles, found=chance.below(2)))
    if turn.state.heap >= state.goal:
        turn.record(Won(seat=seat))
    return turn.events


def leave(state: State, seat: Seat, _chance: Chance) -> tuple[Event, ...]:
    return (Left(seat=seat), Won(seat=Seat((seat + 1) % state.seats)))


def pending(state: State) -> tuple[Pending, ...]:
    if state.winner is not None:
        return ()
    return (Pending(seat=state.active, decision="heap", rule="2", id=f"heap:{state.heap}"),)


def legal_actions(state: State, seat: Seat) -> LegalActions[Heap | Skip, Any3]:
    if state.winner is not None or seat != state.active:
        return LegalActions()
    return LegalActions(actions=(Skip(), *(Heap(pebbles=number) for number in (1, 2, 3))))


def outcome(state: State) -> Outcome | None:
    if state.winner is None:
        return None
    return Outcome(
        reason="GOAL",
        rule="3",
        winners=(state.winner,),
        results=tuple(
            SeatResult(seat=Seat(seat), rank=1 if seat == state.winner else 2) for seat in range(state.seats)
        ),
    )


def lift_old_heap(raw: dict[str, Any]) -> dict[str, Any]:
    """`piled {who, n}` was the shape before `heaped`."""
    return {"type": "heaped", "seat": raw["who"], "pebbles": raw["n"]}


PEBBLES: Game[Any, Any, Any, Any, Any] = Game(
    id="pebbles",
    title="Pebbles",
    edition="first",
    rules_version="1",
    seat_counts=(2, 3),
    types=Types(
        options=PebbleOptions,
        state=State,
        action=Heap | Skip,
        event=Begun | Heaped | Left | Won,
        template=Any3,
        view=PebbleView,
        components=None,
    ),
    components=None,
    notation=Notes(),
    start=start,
    decide=decide,
    evolve=evolve,
    leave=leave,
    pending=pending,
    legal_actions=legal_actions,
    sample=lambda state, seat, chance: legal_actions(state, seat).actions[chance.below(4)],
    view=lambda state, _audience: PebbleView(heap=state.heap),
    redact=lambda event, _audience: event,
    outcome=outcome,
    upcasters={"piled": lift_old_heap},
)


@pytest.fixture(scope="session")
def pebbles() -> Game[Any, Any, Any, Any, Any]:
    return PEBBLES
