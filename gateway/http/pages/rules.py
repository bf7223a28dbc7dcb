"""What each paragraph of a game's rules says, as an HTML page; the anchor of a paragraph is its id."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Final

from gateway.http.pages.html import document, prose
from gateway.schemas.games import Paragraph

_REFERENCE: Final = re.compile(r"\[([A-Z]\d+)\]|§(\d+(?:\.\d+)*)")


def page(title: str, paragraphs: Iterable[Paragraph]) -> str:
    """Return an HTML document with a section for each paragraph."""
    paragraphs = list(paragraphs)
    known = {each.id for each in paragraphs}
    return document(f"Rules of {title}", "".join(_section(each, known) for each in paragraphs))


def _section(paragraph: Paragraph, known: set[str]) -> str:
    here = escape(paragraph.id, quote=True)

    def linked(found: re.Match[str]) -> str:
        there = found[1] or found[2]
        return f'<a href="#{there}">{found[0]}</a>' if there in known else found[0]

    text = _REFERENCE.sub(linked, prose(paragraph.text))
    return f'<section id="{here}"><h2><a href="#{here}">{here}</a> {escape(paragraph.title)}</h2><p>{text}</p></section>'
