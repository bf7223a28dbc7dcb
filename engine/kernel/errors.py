"""How the rulebook says no.

RuleViolation   the move is well-formed and forbidden now; anything else that escapes `decide` is our bug
Unreadable      the bytes are not an action, an event, or options of this game
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

Fact = str | int | tuple[str, ...] | tuple[int, ...]


class RefusalCode(StrEnum):
    """A code of a refusal, with what the catalogue of errors says of it."""

    rules: tuple[str, ...]
    """Paragraphs and rulings it is given for; empty for what every game knows."""
    meaning: str
    """One or two sentences for a developer; facts are named in backticks."""

    def __new__(cls, code: str, rules: str, meaning: str) -> Self:
        """`rules` are separated by commas, as in "6.1, R9"."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.rules = tuple(rules.split(", ")) if rules else ()
        member.meaning = meaning
        return member


class TableCode(RefusalCode):
    """Refusals every game knows. A game's own codes stand in its errors.py."""

    NOT_YOUR_TURN = ("NOT_YOUR_TURN", "", "The seat has no open decision.")
    WRONG_DECISION = (
        "WRONG_DECISION",
        "",
        "The seat must decide something else first. Facts: `expected` names the decision.",
    )
    MATCH_OVER = ("MATCH_OVER", "", "Nothing can be done any more.")
    SEAT_COUNT = ("SEAT_COUNT", "", "The game is not for that many. Facts: `seats` asked for, `allowed`.")
    SEAT_UNKNOWN = ("SEAT_UNKNOWN", "", "No such seat at this table. Facts: `seat`, `seats` at the table.")
    UNDO_NOT_ALLOWED = (
        "UNDO_NOT_ALLOWED",
        "",
        "The match cannot go back so far. Facts: `reason` says why, `seq` which move is in the way.",
    )
    NOTHING_TO_UNDO = (
        "NOTHING_TO_UNDO",
        "",
        "Going back to that version takes nothing back. Facts: `to`, the version asked for.",
    )
    NOTHING_TO_REDO = ("NOTHING_TO_REDO", "", "Nothing was taken back since the last move that counts.")
    ABORT_NOT_ALLOWED = (
        "ABORT_NOT_ALLOWED",
        "",
        "The seat may not ask for the match to be called off. Facts: `reason` says why.",
    )
    PROPOSAL_OPEN = ("PROPOSAL_OPEN", "", "One proposal is open; it is answered first.")
    NOTHING_TO_PLAY = (
        "NOTHING_TO_PLAY",
        "",
        "At this table nobody has anything to decide, so there is nothing to fork.",
    )
    NO_PROPOSAL = ("NO_PROPOSAL", "", "No such proposal is open for this seat to answer.")
    NOT_AWAY = (
        "NOT_AWAY",
        "",
        "The seat plays for itself, or has left for good: there is nothing to come back to.",
    )


class RuleViolation(Exception):  # noqa: N818 - the rulebook's word
    """The rulebook forbids this move.

    `code` is stable and listed, `rule` the paragraph, `facts` hold only what the asking seat may know.
    """

    def __init__(self, code: RefusalCode, *, rule: str, field: str | None = None, **facts: Fact) -> None:
        """`field` is the part of the action that is wrong (JSON name), where one part is."""
        super().__init__(code, rule, facts)
        self.code = code
        self.rule = rule
        self.field = field
        self.facts = facts

    def __str__(self) -> str:
        facts = "; ".join(f"{name} {_told(value)}" for name, value in self.facts.items())
        return f"{self.code} (§{self.rule}){': ' if facts else ''}{facts}"


def _told(fact: Fact) -> str:
    return ", ".join(map(str, fact)) if isinstance(fact, tuple) else str(fact)


class Unreadable(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The bytes are not what was announced. `pointer` is the JSON path of the culprit, such as `$.cards[2]`."""

    def __init__(self, detail: str, *, pointer: str = "$") -> None:
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer
