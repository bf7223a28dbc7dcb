"""Everything that random matches give words to."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import PUBLIC
from engine.kernel.text.text import Text
from engine.match.playout import random_match

MATCHES = 3


def texts_of_a_match(game: AnyGame, random: Random) -> Iterator[Text]:
    """Whole matches: events for the public and for a referee, buttons, prompts, refusals, the end."""
    for _ in range(MATCHES):
        secret, choices = random.randbytes(32), SeededChance(random.randbytes(32), 1)
        options, seats = game.types.options(), random.choice(game.seat_counts)
        for step in random_match(game, options, seats, secret, choices):
            for event in step.events:
                yield game.texts.event(event)
                yield game.texts.event(game.redact(event, PUBLIC))
            if step.action is not None:
                assert step.seat is not None
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
