"""The language of sentences on the command line: `--lang`, else the locale's, else English.

Sentences come from the games' catalogues: events, actions, decisions, refusals, and how a match ended. What the command line
itself says (headings, progress, its own errors), ids and codes stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Annotated, Final

import click
import typer

from engine.kernel.text.texts import LANGUAGES

ENGLISH: Final = "en"
LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables of the locale; the first that is set counts, as everywhere in POSIX."""
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        click_type=click.Choice(LANGUAGES, case_sensitive=False),
        help="Language of the game's sentences; by default the locale's, else English. JSON is English by default.",
    ),
]


def language_of(
    lang: str | None, *, as_json: bool = False, environment: Mapping[str, str] = os.environ
) -> str:
    """Return the language that was asked for; without one, English for scripts, and the locale's language for people."""
    if lang is not None:
        return lang
    return ENGLISH if as_json else _of_locale(environment)


def _of_locale(environment: Mapping[str, str]) -> str:
    locale = next((environment[name] for name in LOCALE if environment.get(name)), "")
    language = locale.partition(".")[0].partition("@")[0].partition("_")[0].lower()
    return language if language in LANGUAGES else ENGLISH
