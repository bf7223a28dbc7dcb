"""The log lines of the server's own events and requests: whatever stands in one of them is a message of every language."""

from __future__ import annotations

import pytest

from engine.kernel.text.texts import LANGUAGES
from engine.match.commands import MatchPaused, PausedBy
from engine.match.texts import MATCH_TEXTS, REQUESTS, SERVER_EVENTS, event_text
from engine.registry import newest
from services.texts.formatting import sentence

GAME = newest("al_rashid")


@pytest.mark.parametrize("record", [*SERVER_EVENTS, *REQUESTS], ids=lambda record: record.__name__)
def test_the_texts_within_a_line_have_a_message_in_every_language(record: type) -> None:
    named = {key for keys in MATCH_TEXTS.arguments(record).values() for key in keys}
    for language in LANGUAGES:
        assert named - GAME.texts.catalogues[language].keys() == set(), language


@pytest.mark.parametrize(
    ("by", "line"),
    [(PausedBy.TENANT, "The match is paused."), (PausedBy.CONSENT, "The match is paused by agreement.")],
)
def test_a_pause_says_who_agreed_on_it(by: PausedBy, line: str) -> None:
    assert sentence(GAME, "en", event_text(GAME, MatchPaused(by=by, seat=None))) == line
