"""The two libraries that format our messages say the same: ICU in the services, intl-messageformat in browsers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from engine.kernel.text.texts import LANGUAGES
from engine.registry import GAMES, newest
from services.kit.records.icu_messages import uses_of
from services.kit.records.told_matches import texts_of
from services.kit.subject import Subject
from services.texts.formatting import formatted, sentence
from tests.support.documents import ROOT
from tests.support.node import MODULES, SCRIPTS, printed_by

NUMBERS = (0, 1, 2, 5, 12, 22, 1.5)
"""Every plural form of the four languages is among them."""
COUNTED = {"number", "plural", "selectordinal"}


def said_in_javascript(folder: Path, **task: Any) -> dict[str, list[str]]:
    (folder / "node_modules").symlink_to(MODULES)
    shutil.copy(ROOT / "docs" / "examples" / "texts.mjs", folder)
    shutil.copy(SCRIPTS / "texts_in_javascript.mjs", folder)
    (folder / "task.json").write_text(json.dumps(task))
    printed: dict[str, list[str]] = printed_by(
        "texts_in_javascript.mjs", folder=folder, TASK=str(folder / "task.json")
    )
    return printed


def ways_to_fill(message: str) -> Iterator[dict[str, int | float | str]]:
    """Each number for all that is counted, with each branch of each select, the others staying as they are."""
    uses = uses_of(message)
    counted = {use.name for use in uses if use.kind in COUNTED}
    selected = {use.name: use.options for use in uses if use.kind == "select"}
    words: dict[str, int | float | str] = {use.name: f"⟨{use.name}⟩" for use in uses}
    for number in NUMBERS if counted else NUMBERS[:1]:
        filled = {**words, **dict.fromkeys(counted, number)}
        yield filled
        for name, options in selected.items():
            yield from ({**filled, name: option} for option in options)


def test_both_libraries_format_every_message_alike(tmp_path: Path) -> None:
    messages = [
        (language, message, args)
        for game in GAMES
        for language in LANGUAGES
        for message in newest(game).texts.catalogues[language].values()
        for args in ways_to_fill(message)
    ]
    here = [formatted(language, message, args) for language, message, args in messages]
    there = said_in_javascript(tmp_path, messages=messages, texts=[], catalogues={})["messages"]
    different = [
        (asked, ours, theirs)
        for asked, ours, theirs in zip(messages, here, there, strict=True)
        if ours != theirs
    ]
    assert different[:5] == []
    assert len(messages) > 1_000


def test_whole_sentences_of_matches_are_alike(tmp_path: Path) -> None:
    catalogues = {
        f"{game}-{language}": {"language": language, "messages": newest(game).texts.catalogues[language]}
        for game in GAMES
        for language in LANGUAGES
    }
    asked, here = [], []
    for name in GAMES:
        seen: set[bytes] = set()
        steps = [step for played in Subject(name).matches for step in played.steps]
        for text in (text for step in steps for text in texts_of(newest(name), step)):
            encoded = msgspec.json.encode(text)
            if encoded in seen:
                continue
            seen.add(encoded)
            for language in LANGUAGES:
                asked.append((f"{name}-{language}", msgspec.to_builtins(text)))
                here.append(sentence(newest(name), language, text))
    there = said_in_javascript(tmp_path, messages=[], texts=asked, catalogues=catalogues)["texts"]
    different = [pair for pair in zip(here, there, strict=True) if pair[0] != pair[1]]
    assert different[:5] == []
