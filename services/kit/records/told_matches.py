"""Everything that matches give words to."""

from __future__ import annotations

from collections.abc import Iterator

from engine.kernel.game import AnyGame
from engine.kernel.seats import PUBLIC
from engine.kernel.text.text import Text
from engine.match.playout import Step


def texts_of(game: AnyGame, step: Step) -> Iterator[Text]:
    """Yield the texts of a move and of the state after it: log lines for the public and for a referee, buttons, prompts, the end."""
    for event in step.events:
        yield game.texts.event(event)
        yield game.texts.event(game.redact(event, PUBLIC))
    if step.action is not None and step.seat is not None:
        yield game.texts.action(step.action)
        yield game.texts.chosen(step.seat, step.action)
    for pending in game.pending(step.state):
        yield game.texts.decision(pending)
    for seat in game.to_act(step.state)[:1]:
        yield from map(game.texts.template, game.legal_actions(step.state, seat).templates)
    outcome = game.outcome(step.state)
    if outcome is not None:
        yield game.texts.end(outcome)
        for result in outcome.results:
            yield from map(game.texts.score_line, result.breakdown)
