"""The key bindings. The help is made from the same table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from services.cli.replay.browser import Browser, Question, seat_key

SIDEWAYS: Final = 8
"""Columns by which a wide drawing is scrolled."""
LONGEST_ANSWER: Final = 200


class Binding(msgspec.Struct, frozen=True):
    """Some keys, what they do, and their line in the help."""

    keys: tuple[str, ...]
    act: Callable[[Browser], None]
    help: str
    shown: str = ""
    """The keys as the help writes them; empty: their own names."""


BINDINGS: Final = (
    Binding(("n", "right", " ", "enter"), Browser.forward, "next move", "n  →  space"),
    Binding(("p", "left", "backspace"), Browser.back, "previous move", "p  ←"),
    Binding(("t",), Browser.next_turn, "next turn: where another seat begins to act"),
    Binding(("T",), Browser.previous_turn, "previous turn"),
    Binding(("d",), Browser.next_decision, "next move of a seat: the one you look as, or the one you name"),
    Binding(("D",), Browser.previous_decision, "previous move of a seat"),
    Binding(("g", ":"), Browser.ask_move, "go to a move", "g"),
    Binding(("f", "home"), Browser.first, "first move", "f  Home"),
    Binding(("l", "end"), Browser.to_last, "last move", "l  End"),
    Binding(("/",), Browser.ask_event, "search in requests and events"),
    Binding(("m",), Browser.find_next, "next match of the search"),
    Binding(("M",), Browser.find_previous, "previous match of the search"),
    Binding(("a",), Browser.ask_audience, "look as a seat, the public, or the referee"),
    *(
        Binding((str(seat),), seat_key(seat), "look as that seat" if seat == 0 else "", "0 to 9")
        for seat in range(10)
    ),
    Binding(("P",), Browser.look_as_public, "look as the public"),
    Binding(("R",), Browser.look_as_referee, "look as the referee: everything"),
    Binding(("b",), Browser.toggle, "board and events, the board alone, the events alone"),
    Binding(("down", "j"), lambda browser: browser.scroll(1), "a line down", "↓  j"),
    Binding(("up", "k"), lambda browser: browser.scroll(-1), "a line up", "↑  k"),
    Binding(("page down",), lambda browser: browser.scroll(browser.page), "a page down", "PgDn"),
    Binding(("page up",), lambda browser: browser.scroll(-browser.page), "a page up", "PgUp"),
    Binding((">",), lambda browser: browser.shift(SIDEWAYS), "a board that is too wide: to the right"),
    Binding(("<",), lambda browser: browser.shift(-SIDEWAYS), "and back to the left"),
    Binding(("r",), Browser.look_again, "load a running match again"),
    Binding(("?", "h"), Browser.toggle_help, "this help", "?"),
    Binding(("q", "closed"), Browser.quit, "quit", "q"),
)
_ACTS: Final = {key: binding.act for binding in BINDINGS for key in binding.keys}
HINT: Final = (
    "? help  q quit  n next  p previous  t turn  d decision  g go to  a look as  b board/events  / find"
)


def help_lines() -> list[str]:
    """Return the help, a line per binding."""
    return [f"{binding.shown or binding.keys[0]:>12}  {binding.help}" for binding in BINDINGS if binding.help]


def press(browser: Browser, key: str) -> None:
    """Do the action of a key; an unknown key does nothing."""
    browser.message = ""
    if browser.question is not None and key != "closed":
        _type(browser, browser.question, key)
    elif browser.help and key not in {"q", "closed"}:
        browser.help = False
    elif (act := _ACTS.get(key)) is not None:
        act(browser)


def _type(browser: Browser, question: Question, key: str) -> None:
    """Add a character, delete one, cancel, or submit the line."""
    match key:
        case "enter":
            browser.question = None
            question.answer(question.typed)
        case "escape":
            browser.question = None
        case "backspace":
            question.typed = question.typed[:-1]
        case _ if len(key) == 1 and key.isprintable() and len(question.typed) < LONGEST_ANSWER:
            question.typed += key
