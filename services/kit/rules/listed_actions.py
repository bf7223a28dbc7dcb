"""What is offered to a seat is accepted, and a seat that is to act is offered something."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from services.kit.check import Check, Findings, Result, record_text
from services.kit.rules.attempts import offered
from services.kit.subject import Position, Subject

POSITIONS: Final = 400
ACTIONS: Final = 24
"""Listed actions that are tried in a position; of more, every so manyth."""
SAMPLES: Final = 4
_SAMPLING: Final = 1 << 35
"""The move number under which the samples are drawn."""


def _run(subject: Subject) -> Result:
    found = Findings()
    tried = 0
    for position in subject.positions(POSITIONS):
        game, state = subject.game, position.state
        waited_for = game.to_act(state)
        for seat in range(position.seats):
            legal = game.legal_actions(state, Seat(seat))
            if seat not in waited_for:
                if legal:
                    found.add(
                        f"`legal_actions` offers something to seat {seat}, which has no open decision",
                        do="return `LegalActions()` for seats that `pending` does not name",
                        where=str(position),
                        kind="idle",
                    )
                continue
            if not legal:
                found.add(
                    f"seat {seat} has an open decision, and `legal_actions` offers nothing for it",
                    do="list an action for it, if only to pass, or do not let the decision open",
                    where=str(position),
                    kind="nothing",
                )
                continue
            if len({encode(action) for action in legal.actions}) != len(legal.actions):
                found.add(
                    "`legal_actions` lists an action twice",
                    do="list every action once",
                    where=str(position),
                    kind="twice",
                )
            step = max(1, -(-len(legal.actions) // ACTIONS))
            for action in legal.actions[::step]:
                tried += 1
                _must_accept(subject, position, Seat(seat), action, "a listed action", found)
            tried += _samples(subject, position, Seat(seat), found)
    return found.result(f"{tried:,} actions in {len(subject.matches)} matches")


def _samples(subject: Subject, position: Position, seat: Seat, found: Findings) -> int:
    """What `sample` draws is offered and accepted. Return how many were drawn."""
    legal = subject.game.legal_actions(position.state, seat)
    chance = subject.chance(position.number, _SAMPLING)
    for _ in range(SAMPLES):
        action = subject.game.sample(position.state, seat, chance)
        if not offered(legal, action):
            found.add(
                f"`sample` gives {record_text(action)}, which `legal_actions` does not offer",
                do="draw in `sample` from `legal_actions`: from the list, or from the domain of a template",
                where=str(position),
                kind="sample",
            )
        _must_accept(subject, position, seat, action, "an action of `sample`", found)
    return SAMPLES


def _must_accept(
    subject: Subject, position: Position, seat: Seat, action: Any, what: str, found: Findings
) -> None:
    chance = subject.chance(position.played.number, position.move + 1)
    try:
        events = subject.game.decide(position.state, seat, action, chance)
    except RuleViolation as refusal:
        found.add(
            f"{what} of seat {seat} is refused: {record_text(action)}: {refusal}",
            do="list only what `decide` accepts: let `legal_actions` ask the same function that `decide` asks",
            where=str(position),
            kind=f"refused {refusal.code}",
        )
        return
    if not events:
        found.add(
            f"{what} of seat {seat} has no event: {record_text(action)}",
            do="return at least one event for everything that is accepted: a move is what its events say",
            where=str(position),
            kind="no event",
        )


CHECK: Final = Check(name="listed-actions", asks="every listed action is accepted", run=_run)
