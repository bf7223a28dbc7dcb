"""Printing a range of moves: for pipes and files, and as JSON for tools."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from textwrap import wrap
from typing import Any, Final

import msgspec

from engine.kernel.codec import encode
from engine.kernel.seats import Audience
from services.cli.console import printable
from services.cli.replay.recorded_match import GatewayFailed, NotShown, Recorded
from services.cli.replay.words import asked, event_lines, heading, next_up, scores
from services.free_text.rule import STEERING

Say = Callable[[str], None]
_ESCAPED_DEL: Final = "\\u007f"
"""`json.dumps` leaves this control character as it is."""

_GAP: Final = re.compile(r"\S {3,}\S|^ {8,}\S")
_HANGING: Final = "    "


class Show(StrEnum):
    """Which parts of a move are shown."""

    BOTH = "both"
    BOARD = "board"
    EVENTS = "events"


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """One move as a line of JSON for tools."""

    match_id: str
    game: str
    audience: Audience
    version: int
    seat: int | None
    """The seat that made the move; null for the start."""
    request_text: str
    """The request as a sentence; `(not shown)` if the audience may not know it."""
    request: Any
    """The request as it was sent; null if the audience may not know it."""
    event_texts: tuple[str, ...]
    """The events as sentences."""
    events: msgspec.Raw
    pending: tuple[Any, ...] | None
    """Who decides what next, and by which paragraph; null without a view."""
    outcome: Any
    """The outcome with all scores, after the last move of an ended match; else null."""
    view: Any
    """The view; null with `--show events`, and if the record has none."""


def print_moves(
    match: Recorded,
    audience: Audience,
    versions: range,
    show: Show,
    language: str,
    say: Say,
    *,
    width: int | None,
) -> str:
    """Print moves as text, their boards or both; return why there are no boards, empty if there are. Raises GatewayFailed.

    `width`: columns of the terminal; None for lines of any length.
    """
    missing = ""
    for version in versions:
        view, reason = _view(match, version, audience)
        missing = missing or reason
        for line in _lines(match, version, audience, show, language, view):
            for part in [line] if width is None else _broken(line, width):
                say(part)
    return missing


def _broken(line: str, width: int) -> list[str]:
    """Return a line of prose wrapped between words, with an indent; a drawing, which has gaps, as it is."""
    if len(line) <= width or _GAP.search(line):
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    following = indent + _HANGING if width > 2 * len(indent + _HANGING) else ""
    return wrap(line, max(width, 1), subsequent_indent=following, drop_whitespace=True) or [""]


def _lines(
    match: Recorded, version: int, audience: Audience, show: Show, language: str, view: Any
) -> Iterator[str]:
    if show is not Show.BOARD or view is None:
        yield f"{version:>4}  {heading(match, version, audience, language)}"
        yield from (f"      {line}" for line in event_lines(match, version, audience, language))
        if (line := next_up(match, version, view, language)) and (view is None or view.outcome is None):
            yield f"      {line}"
    if view is None:
        return
    if show is Show.BOARD:
        yield f"{version:>4}"
    if show is not Show.EVENTS:
        yield ""
        yield from printable(match.game.draw(view)).splitlines()
        yield ""
    if view.outcome is not None:
        yield from scores(match, view.outcome, language)


def print_json(
    match: Recorded, audience: Audience, versions: range, show: Show, language: str, say: Say
) -> str:
    """Print a JSON object per move, one per line; return why there are no views, empty if there are. Raises NotShown."""
    missing = ""
    for version in versions:
        view, reason = _view(match, version, audience)
        missing = missing or reason
        request = match.asked(version, audience)
        say(
            _harmless(
                Printed(
                    match_id=str(match.document.match_id),
                    game=match.game.id,
                    audience=audience,
                    version=version,
                    seat=match.document.moves[version - 1].seat,
                    request_text=asked(match, version, audience, language),
                    request=request,
                    event_texts=tuple(event_lines(match, version, audience, language)),
                    events=msgspec.Raw(encode(match.events(version, audience))),
                    pending=None if view is None else view.pending,
                    outcome=None if view is None else view.outcome,
                    view=None if show is Show.EVENTS else view,
                )
            )
        )
    return missing


def _harmless(record: Printed) -> str:
    """Return JSON in which characters that could control a terminal are escaped, which means the same in JSON."""
    text = encode(record).decode()
    return STEERING.sub(
        lambda found: _ESCAPED_DEL if found[0] == "\x7f" else json.dumps(found[0])[1:-1], text
    )


def _view(match: Recorded, version: int, audience: Audience) -> tuple[Any, str]:
    try:
        return match.view(version, audience), ""
    except GatewayFailed:
        raise  # there are views: output without them would be wrong
    except NotShown as problem:
        return None, str(problem)
