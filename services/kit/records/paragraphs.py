"""Check that every paragraph that is named can be read, and that every code of a refusal is declared."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

import msgspec

from engine.kernel.errors import RefusalCode, TableCode
from engine.kernel.game import AnyGame
from engine.kernel.text.paragraphs import FILE, shared
from services.kit.building.build import folder_of
from services.kit.building.paragraphs import rules_of, rulings_of
from services.kit.records.found import Found, check
from services.kit.records.sources import refusals
from services.kit.subject import Subject

_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]{1,61}[A-Z0-9]")
_MEANING: Final = re.compile(r"[A-Z`].*\.", re.DOTALL)
_CITED: Final = re.compile(r"§(\d+(?:\.\d+)?)|\[([A-Z]\d+)\]")
WRITE: Final = "write the paragraph in the docstring of the rule or in RULINGS.md, and run `foldtable check-game {} --build`"


def look(subject: Subject, found: Found) -> None:
    """Look at the codes, at what paragraphs say of each other, at the sources, then at what matches name."""
    game = subject.game
    written = game.texts.paragraphs.keys()
    found.looked("paragraphs", len(written))
    do = WRITE.format(subject.id)
    for code in game.codes:
        found.looked("codes")
        _check_code(code, written, do, found)
    for number, paragraph in game.texts.paragraphs.items():
        for cited in ("".join(one) for one in _CITED.findall(paragraph.text)):
            if cited not in written:
                found.add(f"paragraph {number} refers to {cited}, which is no paragraph", do)
    _check_stored(subject, do, found)
    _check_sources(subject, found)
    for played in subject.matches:
        for move, step in enumerate(played.steps, start=1):
            found.here = played.at(move)
            for what, rule in named(game, step.events, step.state):
                if rule not in written:
                    found.add(f"{what} names paragraph {rule!r}, which paragraphs.json does not have", do)
    found.here = ""


def _check_code(code: RefusalCode, written: Collection[str], do: str, found: Found) -> None:
    if code.name != code.value or not _CODE.fullmatch(code):
        found.add(
            f"the code {code.value} is not of the form UPPER_CASE, or differs from its name {code.name}",
            "give name and value the same words",
        )
    if code.value in {one.value for one in TableCode}:
        found.add(f"{code.value} is a code that every game has", "use TableCode's, or choose another name")
    if not code.rules:
        found.add(f"{code.value} names no paragraph", 'name the paragraphs that it enforces, as in "6.1, R9"')
    if not _MEANING.fullmatch(code.meaning):
        found.add(f"{code.value} has no meaning in whole sentences", "say in a sentence or two what it means")
    for rule in code.rules:
        if rule not in written:
            found.add(f"{code.value} names paragraph {rule!r}, which paragraphs.json does not have", do)


def _check_stored(subject: Subject, do: str, found: Found) -> None:
    """What is stored is what the docstrings and RULINGS.md say, if the package is in a folder and stores them by itself."""
    if subject.package.python_package.startswith("engine."):
        return  # those of our games are collected by `make docs`, and a test of theirs compares them
    folder = folder_of(subject.package.python_package)
    now = {**rules_of(folder), **rulings_of(folder), **shared()}
    was = subject.game.texts.paragraphs
    for number in sorted(now.keys() | was.keys()):
        if now.get(number) != was.get(number):
            found.add(f"text/{FILE} is not what is written of paragraph {number}", do, kind="stale")


def _check_sources(subject: Subject, found: Found) -> None:
    """A refusal whose paragraph is written out names one that its code lists."""
    codes = subject.game.codes.__members__
    for raised in refusals(subject.package.python_package):
        code = codes.get(raised.code)
        found.here = raised.where
        if code is not None and raised.rule is not None and raised.rule not in code.rules:
            found.add(
                f"{raised.code} is raised by paragraph {raised.rule}, which the code does not list",
                "add the paragraph to the code's, or raise another code",
            )
    found.here = ""


def named(game: AnyGame, events: tuple[Any, ...], state: Any) -> Iterator[tuple[str, str]]:
    """Yield every paragraph that a move and the state after it name, with what names it."""
    for pending in game.pending(state):
        yield f"the decision {pending.decision}", pending.rule
    for record in (*events, game.outcome(state)):
        yield from ((type(record).__name__, rule) for rule in _rules_in(msgspec.to_builtins(record)))


def _rules_in(value: Any) -> Iterator[str]:
    """Yield every text in a field `rule`, wherever it is."""
    match value:
        case dict():
            if isinstance(value.get("rule"), str):
                yield value["rule"]
            for inner in value.values():
                yield from _rules_in(inner)
        case list() | tuple():
            for inner in value:
                yield from _rules_in(inner)


PARAGRAPHS: Final = check(
    "paragraphs",
    "every paragraph that is named can be read, every code has a meaning",
    look,
)
