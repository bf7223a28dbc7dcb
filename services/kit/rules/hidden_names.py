"""What is withheld from an audience has a name in `hidden`, and for each audience `redeal` deals it in another way."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.kernel.knowledge import audiences
from engine.kernel.seats import Audience
from services.kit.check import Findings
from services.kit.rules.twins import name, twin
from services.kit.subject import Position, Subject

ENOUGH: Final = 20
"""Positions with something hidden from an audience of which at least one must be dealt in another way."""


class DealtAgain:
    """How often something is hidden from each audience, and from whom it was ever dealt in another way."""

    def __init__(self) -> None:
        self._hiding: Counter[Audience] = Counter()
        self._others: set[Audience] = set()

    def look(self, subject: Subject, position: Position) -> None:
        """Count a position for every audience; once it was dealt in another way, an audience needs no more looking at."""
        for audience in audiences(position.seats):
            if audience in self._others or not subject.game.hidden(position.state, audience):
                continue
            subject.where = f"{position}, for {name(audience)}"
            self._hiding[audience] += 1
            if twin(subject, position.state, audience, position.number) != position.state:
                self._others.add(audience)

    def judge(self, found: Findings) -> None:
        """Add a fault if an audience was never given another state, however often something was hidden from it."""
        copied = {
            audience: times
            for audience, times in self._hiding.items()
            if times >= ENOUGH and audience not in self._others
        }
        if copied:
            whom = ", ".join(name(audience) for audience in copied)
            found.add(
                f"`redeal` gives the true state in all of {min(copied.values())} positions in which something is hidden "
                f"from {whom}",
                do="deal everything again that `hidden` names; forks and bots know what `redeal` copies",
            )


def named(subject: Subject, position: Position, found: Findings) -> None:
    """Whoever is shown less of an event than it says has something hidden from it before the move or after it."""
    game = subject.game
    for audience in audiences(position.seats):
        subject.where = f"{position}, for {name(audience)}"
        withheld = [event for event in position.step.events if game.redact(event, audience) != event]
        if not withheld or game.hidden(position.state, audience):
            continue
        if position.before is not None and game.hidden(position.before, audience):
            continue  # the move has shown it
        found.add(
            f"`redact` withholds part of {type(withheld[0]).__name__} from {name(audience)}, "
            "and `hidden` names nothing that is hidden from it",
            do="name in `hidden` every place whose contents this audience does not know, and deal it again in `redeal`",
            where=subject.where,
            kind="unnamed",
        )
