"""A smallest game for the kernel's tests: heap pebbles, hide some in a fist; who reaches the goal wins."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kernel.chance import Chance
from engine.kernel.errors import RefusalCode, RuleViolation, TableCode
from engine.kernel.game import Game, Types
from engine.kernel.hints import Hint, TemplateHint
from engine.kernel.layout import SEAT_MARKS, Layout
from engine.kernel.legal import LegalActions
from engine.kernel.outcome import Outcome, SeatResult
from engine.kernel.pending import Pending
from engine.kernel.recorder import Recorder
from engine.kernel.records import Action, Event, Options, Template, View
from engine.kernel.rules_versions import FIRST, RulesVersion
from engine.kernel.seats import Audience, Seat
from engine.kernel.text.texts import SHARED, Texts


class Code(RefusalCode):
    TOO_MANY = ("TOO_MANY", "2", "More pebbles than a hand holds.")
    NO_SUCH_FIST = ("NO_SUCH_FIST", "4", "No such fist to look into.")


class PebbleOptions(Options, frozen=True, kw_only=True):
    goal: int = 10


class Heap(Action, frozen=True, kw_only=True, tag="heap"):
    """§2 One to three pebbles."""

    pebbles: int


class Skip(Action, frozen=True, kw_only=True, tag="skip"):
    """§2 No pebble at all."""


class Palm(Action, frozen=True, kw_only=True, tag="palm"):
    """§4 One to three pebbles into the empty fist, unseen. The turn goes on."""

    pebbles: int


class Show(Action, frozen=True, kw_only=True, tag="show"):
    """§4 The fist is opened over the heap. The turn goes on."""


class Peek(Action, frozen=True, kw_only=True, tag="peek"):
    """§4 Look into the next player's fist. The turn goes on."""


class Begun(Event, frozen=True, kw_only=True, tag="begun"):
    goal: int
    first: Seat
    seats: int


class Heaped(Event, frozen=True, kw_only=True, tag="heaped"):
    seat: Seat
    pebbles: int
    found: int = 0
    """A pebble found by luck; added in a later version."""


class Palmed(Event, frozen=True, kw_only=True, tag="palmed"):
    seat: Seat
    pebbles: int | None = None
    """Absent for everybody else."""


class Shown(Event, frozen=True, kw_only=True, tag="shown"):
    seat: Seat
    pebbles: int


class Peeked(Event, frozen=True, kw_only=True, tag="peeked"):
    seat: Seat
    at: Seat
    pebbles: int | None = None
    """Absent for everybody else."""


class Left(Event, frozen=True, kw_only=True, tag="left"):
    """The fist is opened, its pebbles are gone."""

    seat: Seat


class Won(Event, frozen=True, kw_only=True, tag="won"):
    seat: Seat


class Fist(msgspec.Struct, frozen=True, kw_only=True):
    pebbles: int = 0
    seen_by: tuple[Seat, ...] = ()


EMPTY = Fist()


class State(msgspec.Struct, frozen=True, kw_only=True):
    goal: int
    seats: int
    active: Seat
    heap: int = 0
    fists: tuple[Fist, ...]
    winner: Seat | None = None


class PebbleView(View, frozen=True, kw_only=True):
    heap: int
    fists: tuple[int | None, ...]
    """0 is empty; absent for who does not know."""


class Any3(Template, frozen=True, kw_only=True, tag="heap"):
    up_to: int


def draw(view: PebbleView) -> str:
    return f"heap of {view.heap}"


def start(options: PebbleOptions, seats: int, chance: Chance, rules_version: str) -> tuple[Event, ...]:
    return (Begun(goal=options.goal, first=Seat(chance.below(seats)), seats=seats),)


def with_fist(state: State, seat: Seat, fist: Fist) -> State:
    fists = (*state.fists[:seat], fist, *state.fists[seat + 1 :])
    return msgspec.structs.replace(state, fists=fists)


def next_seat(state: State, seat: Seat) -> Seat:
    return Seat((seat + 1) % state.seats)


def evolve(state: State | None, event: Any) -> State:
    if isinstance(event, Begun):
        return State(goal=event.goal, seats=event.seats, active=event.first, fists=(EMPTY,) * event.seats)
    assert state is not None
    if isinstance(event, Heaped):
        heap, active = state.heap + event.pebbles + event.found, Seat((event.seat + 1) % state.seats)
        return msgspec.structs.replace(state, heap=heap, active=active)
    if isinstance(event, Palmed):
        return with_fist(state, event.seat, Fist(pebbles=event.pebbles))
    if isinstance(event, Shown):
        state = with_fist(state, event.seat, EMPTY)
        return msgspec.structs.replace(state, heap=state.heap + event.pebbles)
    if isinstance(event, Peeked):
        fist = state.fists[event.at]
        return with_fist(state, event.at, msgspec.structs.replace(fist, seen_by=(*fist.seen_by, event.seat)))
    if isinstance(event, Left):
        return with_fist(state, event.seat, EMPTY)
    return msgspec.structs.replace(state, winner=event.seat if isinstance(event, Won) else state.winner)


def decide(state: State, seat: Seat, action: Any, chance: Chance) -> tuple[Event, ...]:
    if seat != state.active:
        raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="2", waited_for=(state.active,))
    if isinstance(action, Skip):
        return (Heaped(seat=seat, pebbles=0),)
    if isinstance(action, Show | Peek | Palm):
        return (_sleight(state, seat, action),)
    if not 1 <= action.pebbles <= 3:
        raise RuleViolation(Code.TOO_MANY, rule="2", field="pebbles", limit=3)
    turn: Recorder[State, Any] = Recorder(state, evolve)
    turn.record(Heaped(seat=seat, pebbles=action.pebbles, found=chance.below(2)))
    if turn.state.heap >= state.goal:
        turn.record(Won(seat=seat))
    return turn.events


def _sleight(state: State, seat: Seat, action: Palm | Show | Peek) -> Palmed | Shown | Peeked:
    if action not in legal_actions(state, seat).actions:
        raise RuleViolation(Code.NO_SUCH_FIST, rule="4")
    if isinstance(action, Palm):
        return Palmed(seat=seat, pebbles=action.pebbles)
    if isinstance(action, Show):
        return Shown(seat=seat, pebbles=state.fists[seat].pebbles)
    at = next_seat(state, seat)
    return Peeked(seat=seat, at=at, pebbles=state.fists[at].pebbles)


def leave(state: State, seat: Seat, _chance: Chance) -> tuple[Event, ...]:
    return (Left(seat=seat), Won(seat=Seat((seat + 1) % state.seats)))


def pending(state: State) -> tuple[Pending, ...]:
    if state.winner is not None:
        return ()
    return (Pending(seat=state.active, decision="heap", rule="2", id=f"heap:{state.heap}"),)


def legal_actions(state: State, seat: Seat) -> LegalActions[Any, Any3]:
    if state.winner is not None or seat != state.active:
        return LegalActions()
    sleights: list[Any] = [Palm(pebbles=number) for number in (1, 2, 3)]
    if state.fists[seat].pebbles:
        sleights = [Show()]
    other = state.fists[next_seat(state, seat)]
    if other.pebbles and seat not in other.seen_by:
        sleights.append(Peek())
    return LegalActions(actions=(Skip(), *(Heap(pebbles=number) for number in (1, 2, 3)), *sleights))


def sample(state: State, seat: Seat, chance: Chance) -> Any:
    actions = legal_actions(state, seat).actions
    return actions[chance.below(len(actions))]


def policy(state: State, seat: Seat) -> Any:
    """Nothing for the seat, and the next one's turn."""
    if seat not in (one.seat for one in pending(state)):
        raise LookupError(seat)
    return Skip()


def evaluate(state: State, seat: Seat) -> float:
    """Nobody stands better than anybody; what an evaluation says is tested with the games."""
    del state, seat
    return 0.0


def knows(state: State, seat: int, audience: Audience) -> bool:
    fist = state.fists[seat]
    return not fist.pebbles or audience.sees_seat(Seat(seat)) or audience.seat in fist.seen_by


def view(state: State, audience: Audience) -> PebbleView:
    fists = [fist.pebbles if knows(state, seat, audience) else None for seat, fist in enumerate(state.fists)]
    return PebbleView(heap=state.heap, fists=tuple(fists))


def redact(event: Any, audience: Audience) -> Any:
    if isinstance(event, Palmed | Peeked) and not audience.sees_seat(event.seat):
        return msgspec.structs.replace(event, pebbles=None)
    return event


def hidden(state: State, audience: Audience) -> tuple[str, ...]:
    return tuple(f"fist:{seat}" for seat in range(state.seats) if not knows(state, seat, audience))


def redeal(state: State, audience: Audience, chance: Chance) -> State:
    """Every number of pebbles that fits into a fist is equally likely."""
    for seat, fist in enumerate(state.fists):
        if not knows(state, seat, audience):
            palmed = msgspec.structs.replace(fist, pebbles=1 + chance.below(3))
            state = with_fist(state, Seat(seat), palmed)
    return state


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
    versions=(RulesVersion(version=FIRST, since="2026-01-01", changes="The first rules.", rulings=None),),
    rules_version=FIRST,
    seat_counts=(2, 3),
    types=Types(
        options=PebbleOptions,
        state=State,
        action=Heap | Skip | Palm | Show | Peek,
        event=Begun | Heaped | Palmed | Shown | Peeked | Left | Won,
        template=Any3,
        view=PebbleView,
        components=None,
    ),
    components=None,
    texts=Texts(package=SHARED),
    layout=Layout(boards=(), mats=(), seats=SEAT_MARKS),
    codes=Code,
    set_up=start,
    decide=decide,
    evolve=evolve,
    leave=leave,
    pending=pending,
    legal_actions=legal_actions,
    sample=sample,
    policy=policy,
    evaluate=evaluate,
    view=view,
    pieces=lambda view: (),
    hint=lambda view, action: Hint(group="pebbles"),
    template_hint=lambda view, template: TemplateHint(group="pebbles", steps=()),
    draw=draw,
    redact=redact,
    outcome=outcome,
    hidden=hidden,
    redeal=redeal,
    rules_of=lambda state: FIRST,
    upcasters={"piled": lift_old_heap},
)


@pytest.fixture(scope="session")
def pebbles() -> Game[Any, Any, Any, Any, Any]:
    return PEBBLES
