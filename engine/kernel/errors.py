"""The errors of the rules.

RuleViolation   the move is well-formed but forbidden now; any other exception from `decide` is a bug
Unreadable      the bytes are not an action, an event, or options of this game
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Self

Fact = str | int | tuple[str, ...] | tuple[int, ...]


class RefusalCode(StrEnum):
    """A code of a refusal, with its entry in the catalogue of errors."""

    rules: tuple[str, ...]
    """Paragraphs and rulings that it enforces; empty for codes that all games share."""
    meaning: str
    """One or two sentences for developers. Names in backticks are facts."""

    def __new__(cls, code: str, rules: str, meaning: str) -> Self:
        """`rules` are separated by commas, as in "6.1, R9"."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.rules = tuple(rules.split(", ")) if rules else ()
        member.meaning = meaning
        return member


class TableCode(RefusalCode):
    """Refusals that all games share. A game's own codes are in its errors.py."""

    NOT_YOUR_TURN = ("NOT_YOUR_TURN", "", "The seat has no open decision.")
    WRONG_DECISION = (
        "WRONG_DECISION",
        "",
        "The seat must make another decision first. Facts: `expected` names it.",
    )
    MATCH_OVER = ("MATCH_OVER", "", "The match has ended, so no action is possible.")
    SEAT_COUNT = (
        "SEAT_COUNT",
        "",
        "The game does not support this number of players. Facts: `seats` requested, `allowed`.",
    )
    SEAT_UNKNOWN = (
        "SEAT_UNKNOWN",
        "",
        "The match has no such seat. Facts: `seat`, and `seats`, the number of seats.",
    )
    NO_CERTAIN_END = (
        "NO_CERTAIN_END",
        "",
        "With this option a match might never end. It requires a clock with which absent players forfeit, and no bots. Facts: `missing`.",
    )
    UNDO_NOT_ALLOWED = (
        "UNDO_NOT_ALLOWED",
        "",
        "The match cannot be undone that far. Facts: `reason`, and `seq`, the move that prevents it.",
    )
    NOTHING_TO_UNDO = (
        "NOTHING_TO_UNDO",
        "",
        "Going back to that version changes nothing. Facts: `to`, the requested version.",
    )
    NOTHING_TO_REDO = ("NOTHING_TO_REDO", "", "No move was taken back since the last move that counts.")
    ABORT_NOT_ALLOWED = (
        "ABORT_NOT_ALLOWED",
        "",
        "The seat may not propose to call the match off. Facts: `reason`.",
    )
    PAUSE_NOT_ALLOWED = (
        "PAUSE_NOT_ALLOWED",
        "",
        "The seat may not propose to pause the match, or not end its pause. Facts: `reason`.",
    )
    MATCH_PAUSED = ("MATCH_PAUSED", "", "The match is paused: nobody moves before it is resumed.")
    NOT_PAUSED = ("NOT_PAUSED", "", "The match is not paused.")
    TIME_NOT_ADDED = ("TIME_NOT_ADDED", "", "No time can be added to these clocks. Facts: `reason`.")
    REPLACEMENT_NOT_ALLOWED = (
        "REPLACEMENT_NOT_ALLOWED",
        "",
        "The table cannot be asked for another player for this seat. Facts: `reason`.",
    )
    PROPOSAL_OPEN = ("PROPOSAL_OPEN", "", "A proposal is open and must be answered first.")
    NOTHING_TO_PLAY = (
        "NOTHING_TO_PLAY",
        "",
        "The match has no open decision at that version, so it cannot be forked there.",
    )
    NO_PROPOSAL = ("NO_PROPOSAL", "", "No such proposal waits for this seat's answer.")
    NOT_AWAY = (
        "NOT_AWAY",
        "",
        "The seat's player is present, or has left for good, so the player cannot return.",
    )


class RuleViolation(Exception):  # noqa: N818 - the rulebook's word
    """The rulebook forbids this move.

    `code` is stable and listed, `rule` is the paragraph, `facts` contain only what the acting seat may know.
    """

    def __init__(self, code: RefusalCode, *, rule: str, field: str | None = None, **facts: Fact) -> None:
        """`field` is the JSON name of the part of the action that is wrong, if a single part is."""
        super().__init__(code, rule, facts)
        self.code = code
        self.rule = rule
        self.field = field
        self.facts = facts

    def __str__(self) -> str:
        facts = "; ".join(f"{name} {_fact_text(value)}" for name, value in self.facts.items())
        return f"{self.code} (§{self.rule}){': ' if facts else ''}{facts}"


def _fact_text(fact: Fact) -> str:
    return ", ".join(map(str, fact)) if isinstance(fact, tuple) else str(fact)


class Unreadable(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The bytes do not have the expected form. `pointer` is the JSON path of the wrong part, such as `$.cards[2]`."""

    def __init__(self, detail: str, *, pointer: str = "$") -> None:
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer


MAX_IN_ONE_LINE: Final = 500
"""Most characters of an error in a sentence."""


def in_one_line(problem: BaseException) -> str:
    """Return what was raised, for a sentence that tells of it. An error that cannot say what it is does no harm."""
    try:
        text = str(problem)
    except BaseException as another:  # noqa: BLE001 - the text of an error is code of others, too
        text = f"its text cannot be made: {type(another).__name__}"
    line = " ".join(f"{type(problem).__name__}: {text[: 2 * MAX_IN_ONE_LINE]}".split())
    return line if len(line) <= MAX_IN_ONE_LINE else f"{line[:MAX_IN_ONE_LINE]} …"
