"""River of Gold as the functions and types that every game provides; a good place to start reading."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from engine.kernel.game import Game, Types
from engine.river_of_gold.actions import RiverOfGoldAction
from engine.river_of_gold.agents.evaluation import evaluate
from engine.river_of_gold.agents.policy import policy
from engine.river_of_gold.box.catalogue import COMPONENTS, Components
from engine.river_of_gold.box.components import SEAT_COUNTS
from engine.river_of_gold.deciding import decide
from engine.river_of_gold.errors import Code
from engine.river_of_gold.events import RiverOfGoldEvent
from engine.river_of_gold.evolve import evolve
from engine.river_of_gold.knowledge import hidden, redeal
from engine.river_of_gold.layout.boards import LAYOUT
from engine.river_of_gold.layout.hints import hint
from engine.river_of_gold.layout.pieces import pieces
from engine.river_of_gold.layout.template_hints import template_hint
from engine.river_of_gold.legal import legal_actions, pending, sample
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.rules.course import start
from engine.river_of_gold.rules.leaving import leave
from engine.river_of_gold.rules.scoring import outcome
from engine.river_of_gold.rules.setup import check_options
from engine.river_of_gold.state import State
from engine.river_of_gold.templates import RiverOfGoldTemplate
from engine.river_of_gold.text.drawing import draw
from engine.river_of_gold.text.texts import TEXTS
from engine.river_of_gold.versions import VERSIONS
from engine.river_of_gold.view import RiverOfGoldView, redact, view

GAME: Final[Game[RiverOfGoldOptions, State, RiverOfGoldAction, RiverOfGoldEvent, RiverOfGoldView]] = Game(
    id="river_of_gold",
    title="River of Gold",
    edition="River of Gold, Office Dog, Italian, French and Polish rulebooks",
    versions=VERSIONS,
    rules_version=VERSIONS[0].version,
    seat_counts=SEAT_COUNTS,
    types=Types(
        options=RiverOfGoldOptions,
        state=State,
        action=RiverOfGoldAction,
        event=RiverOfGoldEvent,
        template=RiverOfGoldTemplate,
        view=RiverOfGoldView,
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
    check_options=check_options,
)
