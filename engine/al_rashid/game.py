"""The game record of Al-Rashid: the functions and types that every game provides."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from engine.al_rashid.actions import AlRashidAction
from engine.al_rashid.agents.evaluation import evaluate
from engine.al_rashid.agents.policy import policy
from engine.al_rashid.box.catalogue import COMPONENTS, Components
from engine.al_rashid.box.components import SEAT_COUNTS
from engine.al_rashid.deciding import decide
from engine.al_rashid.errors import Code
from engine.al_rashid.events import AlRashidEvent
from engine.al_rashid.evolve import evolve
from engine.al_rashid.knowledge import hidden, redeal
from engine.al_rashid.layout.boards import LAYOUT
from engine.al_rashid.layout.hints import hint
from engine.al_rashid.layout.pieces import pieces
from engine.al_rashid.layout.template_hints import template_hint
from engine.al_rashid.legal import legal_actions, pending, sample
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.rules.leaving import leave
from engine.al_rashid.rules.scoring import outcome
from engine.al_rashid.rules.setup import start
from engine.al_rashid.state import State
from engine.al_rashid.templates import AlRashidTemplate
from engine.al_rashid.text.drawing import draw
from engine.al_rashid.text.texts import TEXTS
from engine.al_rashid.versions import VERSIONS
from engine.al_rashid.view import AlRashidView, redact, view
from engine.kernel.game import Game, Types

GAME: Final[Game[AlRashidOptions, State, AlRashidAction, AlRashidEvent, AlRashidView]] = Game(
    id="al_rashid",
    title="Al-Rashid",
    edition="Al-Rashid, Yemaia 2012, Italian rulebook",
    versions=VERSIONS,
    rules_version=VERSIONS[0].version,
    seat_counts=SEAT_COUNTS,
    types=Types(
        options=AlRashidOptions,
        state=State,
        action=AlRashidAction,
        event=AlRashidEvent,
        template=AlRashidTemplate,
        view=AlRashidView,
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
