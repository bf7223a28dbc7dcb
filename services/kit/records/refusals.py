"""Check that whatever the rules refuse can be said to the player, in every language and with its facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.kernel.chance import Chance, SeededChance
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.text.text import NONE
from engine.kernel.text.texts import LANGUAGES
from services.kit.records.found import Found, check
from services.kit.records.icu_messages import uses_of
from services.kit.records.required_keys import facts
from services.kit.records.sources import Raised, refusals
from services.kit.records.texts import check_text
from services.kit.subject import CHOICES, Played, Subject

TRIES: Final = 8
"""Actions of other moments that are tried at each moment of a match."""


def look(subject: Subject, found: Found) -> None:
    """Read where refusals are made, then provoke some with actions of other moments."""
    for raised in refusals(subject.package.python_package):
        found.here = raised.where
        found.looked("places that refuse")
        _check_place(subject.game, raised, found)
    provoked: dict[str, RuleViolation] = {}
    for played in subject.matches:
        for where, violation in violations(subject, played):
            found.here = where
            if str(violation) not in provoked:
                provoked[str(violation)] = violation
                check_text(subject.game, subject.game.texts.refusal(violation), found)
    found.looked("refusals", len(provoked))
    found.here = ""


def _check_place(game: AnyGame, raised: Raised, found: Found) -> None:
    known = game.codes.__members__.get(raised.code)
    if known is not None and (unnamed := raised.facts - facts(known)):
        found.add(
            f"{raised.code} comes with {', '.join(sorted(unnamed))}, which its meaning does not name",
            "name every fact in backticks in the meaning of the code",
        )
    if not raised.whole:
        return
    for language in LANGUAGES:
        message = game.texts.catalogues[language].get(f"refusal.{raised.code}")
        if message is None:
            continue  # `texts` says that it is missing
        uses = uses_of(message)
        optional = {use.name for use in uses if use.kind == "select" and NONE in use.options}
        if lacking := {use.name for use in uses} - optional - raised.facts:
            found.add(
                f"{raised.code} is raised without {', '.join(sorted(lacking))}, which its message in {language} needs",
                "pass the fact to RuleViolation, or select by its absence in the message",
            )


def violations(subject: Subject, played: Played) -> Iterator[tuple[str, RuleViolation]]:
    """Yield what the rules say to actions of other moments of a match, each with where it was said."""
    whims = subject.chance(played.number, CHOICES + 1)
    pool: list[Any] = [step.action for step in played.steps if step.action is not None]
    for move, step in enumerate(played.steps, start=1):
        for seat in subject.game.to_act(step.state)[:1]:
            for action in _some(pool, whims):
                try:
                    subject.game.decide(step.state, seat, action, SeededChance(bytes(32), 1))
                except RuleViolation as violation:
                    yield played.at(move), violation


def _some(pool: list[Any], whims: Chance) -> list[Any]:
    return [pool[whims.below(len(pool))] for _ in range(TRIES)] if len(pool) > 1 else pool


REFUSALS: Final = check("refusals", "every refusal can be said in every language, with its facts", look)
