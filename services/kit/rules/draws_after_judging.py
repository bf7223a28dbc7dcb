"""Nothing is drawn for a move that is refused, and what only looks at a state always says the same of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.knowledge import audiences
from engine.kernel.seats import Seat
from services.kit.check import Check, Findings, Result, record_text
from services.kit.rules.attempts import attempts
from services.kit.subject import Position, Subject

POSITIONS: Final = 150


def _run(subject: Subject) -> Result:
    found = Findings()
    refused = looked_at = 0
    for attempt in attempts(subject):
        refused += attempt.refusal is not None
        if attempt.refusal is not None and attempt.draws:
            found.add(
                f"{record_text(attempt.action)} of seat {attempt.seat} is refused with {attempt.refusal.code} after a draw",
                do="judge first and draw last: whoever may draw for a move that is refused can try for a better draw",
                where=str(attempt.position),
                kind=str(attempt.refusal.code),
            )
    for position in subject.positions(POSITIONS, open_only=False):
        looked_at += 1
        _says_the_same(subject, position, found)
    return found.result(f"{refused:,} refusals, {looked_at} positions")


def _says_the_same(subject: Subject, position: Position, found: Findings) -> None:
    """Equal states get equal answers, whether they were read from storage or not."""
    again = subject.game.state_codec.decode(encode(position.state))
    for (name, first), (_, second) in zip(
        _answers(subject, position, position.state), _answers(subject, position, again), strict=True
    ):
        if encode(first) != encode(second):
            found.add(
                f"`{name}` does not give the same for two equal states",
                do="compute it from the state alone: without chance, a clock, or the order of a set",
                where=str(position),
                kind=name,
            )


def _answers(subject: Subject, position: Position, state: Any) -> Iterator[tuple[str, Any]]:
    game = subject.game
    yield "pending", game.pending(state)
    yield "outcome", game.outcome(state)
    waited_for = game.to_act(state)
    for seat in map(Seat, range(position.seats)):
        yield "legal_actions", game.legal_actions(state, seat)
        if seat in waited_for:
            yield "policy", game.policy(state, seat)
            yield "evaluate", game.evaluate(state, seat)
    for audience in audiences(position.seats):
        yield "view", game.view(state, audience)
        yield "hidden", game.hidden(state, audience)


CHECK: Final = Check(
    name="draws-after-judging", asks="a refused move draws nothing, and looking draws nothing", run=_run
)
