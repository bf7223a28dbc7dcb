"""In which language a caller wants texts: `?lang=it`, or what a browser says in `Accept-Language` (RFC 9110 §12.5.4).

A request that says neither gets no texts, and costs nothing more. Whatever was chosen is in `Content-Language`.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import Depends
from starlette.requests import Request
from starlette.types import Scope

from gateway.headers import header
from gateway.http.header_parameters import sent_header
from gateway.http.kept_answers import keeping_short
from gateway.schemas.fields import LANGUAGES, Language
from gateway.schemas.inputs import LANGUAGE

KEYS: Final = "keys"
"""The language of texts without sentences."""
MAX_RANGES: Final = 32
"""More of them in one header are not read."""
ACCEPT_LANGUAGE: Final = sent_header(
    "Accept-Language", "Adds texts in the first of these languages that there is; `lang` takes precedence."
)

_SCOPE_KEY: Final = "foldtable.language"


def language_of(request: Request, lang: str | None) -> str:
    """Return the language of the texts, "keys", or empty for none."""
    if lang is None:
        accepted = header(request, b"accept-language")
        lang = "" if accepted is None else negotiated(accepted)
    request.scope[_SCOPE_KEY] = lang
    return lang


@keeping_short
def negotiated(accepted: str) -> str:
    """Return the language that a header prefers among ours; empty if it names none of them.

    `*` chooses nothing: who does not care for a language did not ask for texts.
    """
    best, best_quality = "", 0.0
    for part in accepted.split(",", MAX_RANGES)[:MAX_RANGES]:
        wanted, _, weight = part.partition(";")
        language = wanted.strip().lower().partition("-")[0]
        quality = _quality(weight)
        if language in LANGUAGES and quality > best_quality:
            best, best_quality = language, quality
    return best


def _quality(weight: str) -> float:
    name, _, value = weight.strip().partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def language_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return the headers of a response whose texts could be in several languages."""
    language: str = scope.get(_SCOPE_KEY, "")
    if not language or language == KEYS:
        return []
    return [(b"content-language", language.encode("ascii"))]


def without_texts(scope: Scope) -> None:
    """Remember that a response has no texts in it, although they were asked for."""
    if scope.get(_SCOPE_KEY):
        scope[_SCOPE_KEY] = ""


async def _asked(
    request: Request,
    lang: Annotated[Language | None, LANGUAGE] = None,
    _accepted: Any = ACCEPT_LANGUAGE,
) -> str:
    return language_of(request, lang)


AskedLanguage = Annotated[str, Depends(_asked)]
"""The language of the texts, for operations that are solved by FastAPI."""
