"""Everything together: the functions and types that every game has. `Game` in `engine.interface` says what each owes."""

from __future__ import annotations

from operator import attrgetter
from typing import Final, assert_never

from engine.interface import Chance, Game, Recorder, Seat, Types

from example_game.actions import GameAction, Keep, Place, Tip
from example_game.agents.evaluation import evaluate
from example_game.agents.policy import policy
from example_game.box import COMPONENTS, SEAT_COUNTS, Components
from example_game.errors import Code
from example_game.events import GameEvent
from example_game.evolve import evolve
from example_game.hints import hint, template_hint
from example_game.knowledge import hidden, redeal
from example_game.layout import LAYOUT
from example_game.legal import legal_actions, pending, sample
from example_game.options import GameOptions
from example_game.pieces import pieces
from example_game.rules.ending import outcome
from example_game.rules.leaving import leave
from example_game.rules.placing import place
from example_game.rules.setup import start
from example_game.rules.tipping import keep, tip
from example_game.rules.turn import Turn, check_turn
from example_game.state import State
from example_game.templates import GameTemplate
from example_game.text.drawing import draw
from example_game.text.texts import TEXTS
from example_game.versions import VERSIONS
from example_game.view import GameView, redact, view


def decide(state: State, seat: Seat, action: GameAction, chance: Chance) -> tuple[GameEvent, ...]:
    """Judge an action and carry it out, with everything that follows, up to the next decision."""
    check_turn(state, seat, action)
    turn: Turn = Recorder(state, evolve)
    match action:
        case Place():
            place(turn, seat, action, chance)
        case Tip():
            tip(turn, seat, action)
        case Keep():
            keep(turn, seat)
        case _:
            assert_never(action)
    return turn.events


GAME: Final[Game[GameOptions, State, GameAction, GameEvent, GameView]] = Game(
    id="example_game",
    title="Example Game",
    edition="Three Bowls, the rules in this package",
    versions=VERSIONS,
    rules_version=VERSIONS[0].version,
    seat_counts=SEAT_COUNTS,
    types=Types(
        options=GameOptions,
        state=State,
        action=GameAction,
        event=GameEvent,
        template=GameTemplate,
        view=GameView,
        components=Components,
    ),
    components=COMPONENTS,
    texts=TEXTS,
    layout=LAYOUT,
    codes=Code,
    set_up=start,
    decide=decide,
    evolve=evolve,
    leave=leave,
    pending=pending,
    legal_actions=legal_actions,
    sample=sample,
    view=view,
    pieces=pieces,
    hint=hint,
    template_hint=template_hint,
    draw=draw,
    redact=redact,
    outcome=outcome,
    hidden=hidden,
    redeal=redeal,
    policy=policy,
    evaluate=evaluate,
    rules_of=attrgetter("rules_version"),
)
