"""Every record of every game has words in four languages, and no message asks for what its record does not hold."""

from __future__ import annotations

from random import Random

import pytest

from engine.kernel.game import AnyGame
from engine.kernel.text.text import NONE, Text
from engine.kernel.text.texts import LANGUAGES
from engine.registry import GAMES, newest
from services.texts.formatting import sentence
from tests.engine.text.required_keys import ANY, required
from tests.engine.text.shared_keys import SHARED_KEYS
from tests.engine.text.told_matches import texts_of_a_match
from tests.support.icu_messages import uses_of

GAMES_AND_LANGUAGES = [
    pytest.param(newest(name), language, id=f"{name}-{language}") for name in GAMES for language in LANGUAGES
]
EVERY_GAME = pytest.mark.parametrize("game", [pytest.param(newest(name), id=name) for name in GAMES])
UNKNOWN = "⟨unknown⟩"


@pytest.mark.parametrize(("game", "language"), GAMES_AND_LANGUAGES)
def test_every_record_has_a_message_and_every_message_a_record(game: AnyGame, language: str) -> None:
    there = set(game.texts.catalogues[language])
    wanted = set(required(game)) | set(SHARED_KEYS)
    assert sorted(wanted - there) == []
    assert sorted(there - wanted) == []


@pytest.mark.parametrize(("game", "language"), GAMES_AND_LANGUAGES)
def test_a_message_uses_no_argument_that_its_record_does_not_have(game: AnyGame, language: str) -> None:
    wanted = required(game) | SHARED_KEYS
    wrong = {
        key: unknown
        for key, message in game.texts.catalogues[language].items()
        if (names := wanted.get(key, ANY)) is not ANY
        and (unknown := {use.name for use in uses_of(message)} - names)
    }
    assert wrong == {}


@pytest.mark.parametrize(("game", "language"), GAMES_AND_LANGUAGES)
def test_messages_are_written_for_both_libraries(game: AnyGame, language: str) -> None:
    """A straight apostrophe quotes in ICU; `<` begins a tag in the browser's library."""
    for key, message in game.texts.catalogues[language].items():
        uses_of(message)
        assert "<" not in message, key
        assert message == message.strip(), key
        assert "  " not in message, key


@EVERY_GAME
def test_every_language_uses_the_same_arguments(game: AnyGame) -> None:
    """What one language says, the others say too."""
    names = {
        language: {key: {use.name for use in uses_of(message)} for key, message in catalogue.items()}
        for language, catalogue in game.texts.catalogues.items()
    }
    different = {
        key: {language: sorted(names[language][key]) for language in LANGUAGES}
        for key in names["en"]
        if len({frozenset(names[language][key]) for language in LANGUAGES}) > 1
    }
    assert different == {}


@EVERY_GAME
def test_everything_that_a_match_says_can_be_read(game: AnyGame) -> None:
    """Nothing absent is printed as a word: a message selects by what may be absent."""
    seen: set[str] = set()
    for text in texts_of_a_match(game, Random(7)):
        if text.key in seen and NONE not in text.args.values():
            continue
        seen.add(text.key)
        check_absent(game, text)
        for language in LANGUAGES:
            line = sentence(game, language, text)
            assert line, text
            assert "{" not in line, text


def check_absent(game: AnyGame, text: Text) -> None:
    for language in LANGUAGES:
        uses = uses_of(game.texts.catalogues[language][text.key])
        for name, arg in text.args.items():
            of_this = [use for use in uses if use.name == name]
            if arg == NONE and of_this:
                assert any(use.kind == "select" and NONE in use.options for use in of_this), (
                    f"{text.key} in {language}: {name} may be absent, and nothing selects by it"
                )
    for arg in text.args.values():
        for inner in arg if isinstance(arg, tuple) else (arg,):
            if isinstance(inner, Text):
                check_absent(game, inner)
