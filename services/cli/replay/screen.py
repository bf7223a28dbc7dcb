"""The screen of a given size for a place in a match."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from services.cli.console import printable
from services.cli.replay.browser import Browser, Show
from services.cli.replay.keys import HINT, help_lines
from services.cli.replay.lines import fitted, too_wide
from services.cli.replay.recorded_match import NotShown
from services.cli.replay.words import event_lines, heading, looking, next_up, scores, title
from services.movelog.records import Status

HEAD_LINES: Final = 2
PARTS: Final = 6
EVENTS_PART: Final = 2
"""Beside a board the events get at most two sixths of the screen."""
SCORES_PART: Final = 4
"""With the scores, at the end, at most four."""
LEAST_EVENTS: Final = 3


def frame(browser: Browser, width: int, height: int) -> list[Text]:
    """Return exactly `height` lines of at most `width` columns; keep the browser's scrolling within bounds."""
    body = max(height - HEAD_LINES - 1, 0)
    lines = [*_head(browser), *_body(browser, width, body)][: max(height - 1, 0)]
    lines += [Text()] * (height - 1 - len(lines))
    lines.append(_foot(browser))
    return [_cropped(line, width) for line in lines[-height:]]


def _head(browser: Browser) -> list[Text]:
    where = f"move {browser.version} of {browser.last}, {looking(browser.audience)}"
    return [Text(title(browser.match), style="bold"), Text(where, style="reverse")]


def _body(browser: Browser, width: int, height: int) -> list[Text]:
    if browser.help:
        return _window(browser, fitted(help_lines(), width), height)
    board, words = _board(browser), _words(browser)
    browser.pan = min(browser.pan, max(0, too_wide(board, width)))
    board = fitted(board, width, pan=browser.pan)
    match browser.show:
        case Show.BOARD:
            return _window(browser, board, height)
        case Show.EVENTS:
            return _window(browser, fitted(words, width), height)
        case Show.BOTH:
            room = height * (SCORES_PART if _is_over(browser) else EVENTS_PART) // PARTS
            beside = _shortened(words, width, max(room, LEAST_EVENTS))
            rule = Text("─" * width, style="dim")
            return [*_window(browser, board, height - len(beside) - 1), rule, *map(Text, beside)]


def _shortened(words: list[str], width: int, room: int) -> list[str]:
    """Return lines that fit into the room, always including the last one (who is next)."""
    lines, closing = fitted(words[:-1], width), fitted(words[-1:], width)
    if len(lines) + len(closing) <= room:
        return lines + closing
    kept = max(room - len(closing) - 1, 0)
    return [*lines[:kept], f"({len(lines) - kept} more lines: b shows them all)", *closing]


def _board(browser: Browser) -> list[str]:
    try:
        drawn = browser.match.game.draw(browser.view())
    except NotShown as problem:
        drawn = f"({problem})"
    return printable(drawn).splitlines()


def _words(browser: Browser) -> list[str]:
    """Return the request, its events and who is next; at the end of a match the scores come first."""
    match, version, audience = browser.match, browser.version, browser.audience
    language = browser.language
    asked = heading(match, version, audience, language)
    events = event_lines(match, version, audience, language)
    try:
        view = browser.view()
    except NotShown:
        view = None
    results = [] if view is None or view.outcome is None else list(scores(match, view.outcome, language))
    lines = [asked, *results, *(f"  {event}" for event in events), next_up(match, version, view, language)]
    return [line for line in lines if line]


def _is_over(browser: Browser) -> bool:
    return browser.match.document.status is Status.ENDED and browser.version == browser.last


def _window(browser: Browser, lines: list[str], height: int) -> list[Text]:
    """Return the lines that fit, and one that says what is above and below them."""
    height = max(height, 0)
    browser.page = max(height - 1, 1)
    if len(lines) <= height:
        browser.top = 0
        return [*map(Text, lines), *[Text()] * (height - len(lines))]
    room = max(height - 1, 0)
    browser.top = min(browser.top, len(lines) - room)
    seen = lines[browser.top : browser.top + room]
    where = f"(lines {browser.top + 1} to {browser.top + room} of {len(lines)}: ↑ ↓ PgUp PgDn)"
    return [*map(Text, seen), Text(where, style="dim")][:height]


def _foot(browser: Browser) -> Text:
    if browser.question is not None:
        return Text(f"{browser.question.label}{browser.question.typed}_", style="bold")
    if browser.message:
        return Text(printable(browser.message), style="bold")
    return Text(HINT, style="dim")


def _cropped(line: Text, width: int) -> Text:
    line = line.copy()
    line.truncate(width, overflow="ellipsis", pad=True)
    return line
