"""The language of sentences on the command line: `--lang`, else the locale's, else English.

Sentences come from the games' catalogues: events, actions, decisions, refusals, and how a match ended. The command line's
own output (headings, progress, errors), ids and codes are not translated.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final

import typer


class Language(StrEnum):
    """The languages of the catalogues, `engine.kernel.text.texts.LANGUAGES`."""

    EN = "en"
    IT = "it"
    FR = "fr"
    PL = "pl"


LOCALE: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The environment variables of the locale; the first that is set counts, as POSIX specifies."""
Lang = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        case_sensitive=False,
        help="Language of the game's sentences; by default the locale's, else English. JSON is English by default.",
    ),
]


def language_of(
    lang: Language | None, *, as_json: bool = False, environment: Mapping[str, str] = os.environ
) -> str:
    """Return the requested language; without one, English for scripts, and the locale's language for people."""
    if lang is None:
        lang = Language.EN if as_json else _of_locale(environment)
    return lang.value


def _of_locale(environment: Mapping[str, str]) -> Language:
    locale = next((environment[name] for name in LOCALE if environment.get(name)), "")
    language = re.split(r"[-_.@]", locale)[0].lower()
    return Language(language) if language in {*Language} else Language.EN
