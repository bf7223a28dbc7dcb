"""Check the catalogues of a game: complete in every language, with the arguments of their records and no others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kernel.game import AnyGame
from engine.kernel.text.text import NONE, Text
from engine.kernel.text.texts import LANGUAGES
from services.kit.records.branches import unknown_branches, values_of
from services.kit.records.found import Found, check
from services.kit.records.icu_messages import Use, uses_of
from services.kit.records.required_keys import ANY, required
from services.kit.records.shared_keys import SHARED_KEYS
from services.kit.records.told_matches import texts_of
from services.kit.subject import Subject
from services.texts.formatting import sentence

Uses = Mapping[str, list[Use]]


def look_at_catalogues(subject: Subject, found: Found) -> None:
    """Compare the messages of every language with the types of the records."""
    try:
        catalogues = subject.game.texts.catalogues
    except ValueError as problem:
        found.add(str(problem), "make it one JSON object of strings, without a comma after the last one")
        return
    wanted = required(subject.game) | SHARED_KEYS
    values = values_of(subject.game)
    read: dict[str, Uses] = {}
    for language in LANGUAGES:
        found.here = f"{language}.json"
        catalogue = catalogues[language]
        found.looked("messages", len(catalogue))
        for key in sorted(wanted.keys() - catalogue.keys()):
            names = wanted[key]
            may_use = "" if names is ANY else f"; it may use {', '.join(sorted(names)) or 'no argument'}"
            found.add(f"the message {key} is missing", f"write it in every language{may_use}")
        for key in sorted(catalogue.keys() - wanted.keys()):
            found.add(f"no record has the message {key}", "remove it in every language, or correct its key")
        read[language] = _read(catalogue, found)
        _check_arguments(read[language], wanted, found)
        _check_branches(read[language], values, found)
    found.here = ""
    _check_same_arguments(read, found)


def _read(catalogue: Mapping[str, str], found: Found) -> Uses:
    """Return the uses of arguments in every message that can be read."""
    uses: dict[str, list[Use]] = {}
    for key, message in catalogue.items():
        try:
            uses[key] = uses_of(message)
        except (ValueError, IndexError) as problem:
            found.add(
                f"the message {key} is not ICU MessageFormat: {problem}", "correct its braces and branches"
            )
            continue
        if "<" in message:
            found.add(f"the message {key} contains `<`, which begins a tag in browsers", "say it in words")
        if message != message.strip() or "  " in message:
            found.add(f"the message {key} contains unnecessary spaces", "remove them")
    return uses


def _check_arguments(uses: Uses, wanted: Mapping[str, frozenset[str] | None], found: Found) -> None:
    for key, used in uses.items():
        names = wanted.get(key, ANY)
        unknown = set() if names is ANY else {use.name for use in used} - names
        if unknown:
            found.add(
                f"the message {key} uses {', '.join(sorted(unknown))}, which its record does not have",
                f"use only {', '.join(sorted(names or ())) or 'words'}, or add the argument in `Texts.more`",
            )


def _check_branches(uses: Uses, values: Mapping[str, Mapping[str, frozenset[str]]], found: Found) -> None:
    for key, used in uses.items():
        for name, branch in unknown_branches(used, values.get(key, {})):
            found.add(
                f"the message {key} selects {name} by {branch}, which is none of its values",
                f"write branches for {', '.join(sorted(values[key][name]))}",
            )


def _check_same_arguments(read: Mapping[str, Uses], found: Found) -> None:
    """What one language says, the others say too."""
    first, *others = LANGUAGES
    for key, used in read[first].items():
        names = {use.name for use in used}
        for language in others:
            theirs = {use.name for use in read[language].get(key, ())}
            if key in read[language] and theirs != names:
                found.add(
                    f"the message {key} uses {', '.join(sorted(names ^ theirs))} in only one of {first} and {language}",
                    "say the same in every language",
                )


def look_at_matches(subject: Subject, found: Found) -> None:
    """Format every text of the matches: the first of each key, and all those in which something is absent."""
    game, seen = subject.game, set[str]()
    for played in subject.matches:
        for move, step in enumerate(played.steps, start=1):
            found.here = played.at(move)
            for text in texts_of(game, step):
                found.looked("texts")
                if text.key not in seen or NONE in text.args.values():
                    seen.add(text.key)
                    check_text(game, text, found)
    found.here = ""


def check_text(game: AnyGame, text: Text, found: Found) -> None:
    """Add a fault if a text cannot be formatted in some language, or if what is absent would be printed as a word."""
    for language in LANGUAGES:
        if text.key not in game.texts.catalogues[language]:
            found.add(f"{language}.json has no message {text.key}", "write it in every language")
            continue
        for name in _absent(game, text, language):
            found.add(
                f"{text.key} in {language}: `{name}` may be absent, and the message does not select by that",
                f"write {{{name}, select, none {{…}} other {{…}}}}",
            )
        line = _sentence(game, language, text, found)
        if line is not None and (not line or "{" in line):
            found.add(
                f"{text.key} in {language} cannot be shown to a reader: {line!r}", "correct the message"
            )
    for inner in _inner(text):
        check_text(game, inner, found)


def _sentence(game: AnyGame, language: str, text: Text, found: Found) -> str | None:
    try:
        return sentence(game, language, text)
    except Exception as problem:  # noqa: BLE001 - icu4py names its errors differently from version to version
        found.add(f"{text.key} in {language} cannot be formatted: {problem}", "correct the message")
        return None


def _absent(game: AnyGame, text: Text, language: str) -> list[str]:
    """Return the absent arguments that a message uses without selecting by their absence."""
    uses = uses_of(game.texts.catalogues[language][text.key])
    return [
        name
        for name, arg in text.args.items()
        if arg == NONE
        and any(use.name == name for use in uses)
        and not any(use.name == name and use.kind == "select" and NONE in use.options for use in uses)
    ]


def _inner(text: Text) -> list[Text]:
    return [
        inner
        for arg in text.args.values()
        for inner in (arg if isinstance(arg, tuple) else (arg,))
        if isinstance(inner, Text)
    ]


TEXTS: Final = check(
    "texts",
    "every record has a message in every language, with its arguments",
    look_at_catalogues,
)
TOLD: Final = check(
    "told-matches",
    "all that happens can be said in every language, without holes",
    look_at_matches,
)
