"""Check that a person who knows no codes can choose every action: by its group, by what to touch, by its cost; templates step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import msgspec

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.hints import ChooseStep, Hint, NumberStep, PointStep, Step, TemplateHint
from engine.kernel.seats import Seat, seat_audience
from services.kit.records.filling import fields, reaches, suggested
from services.kit.records.found import Found, check, tag_of
from services.kit.records.tables import boards_of, places_of
from services.kit.subject import CHOICES, Played, Subject

WHIMS: Final = 3
"""Actions that are sampled at each decision."""
TEXT: Final = "add it to `Texts` and a message in every language"


@dataclass(frozen=True)
class _Table:
    """What hints may name at one moment."""

    subject: Subject
    there: frozenset[str]
    """Ids of places and pieces."""
    boards: frozenset[str]
    found: Found

    def has_text(self, key: str) -> bool:
        return key in self.subject.game.texts.catalogues["en"]


def look(subject: Subject, found: Found) -> None:
    """Look at every open decision of all matches."""
    groups = subject.game.texts.groups
    if len(groups) != len(set(groups)):
        found.add("`Texts.groups` names a group twice", "name each once")
    for played in subject.matches:
        boards = frozenset(board.id for board in boards_of(subject.game, played.options, played.seats))
        places = frozenset(places_of(subject.game, played.options, played.seats))
        for move, step in enumerate(played.steps, start=1):
            found.here = played.at(move)
            for seat in subject.game.to_act(step.state):
                found.looked("decisions")
                view = subject.game.view(step.state, seat_audience(seat))
                there = places | {piece.id for piece in subject.game.pieces(view)}
                table = _Table(subject, there, boards, found)
                _check_decision(table, played, move, step.state, seat, view)
    found.here = ""


def _check_decision(table: _Table, played: Played, move: int, state: Any, seat: Seat, view: Any) -> None:
    game, found = table.subject.game, table.found
    legal = game.legal_actions(state, seat)
    both = {tag_of(one) for one in legal.templates} & {tag_of(one) for one in legal.actions}
    for tag in sorted(both):
        found.add(f"{tag} is both listed and described by a template", "list it, or describe it")
    for action in legal.actions:
        found.looked("actions")
        _check_hint(table, tag_of(action), game.hint(view, action))
    hints = {tag_of(one): game.template_hint(view, one) for one in legal.templates}
    for tag, hint in hints.items():
        found.looked("templates")
        _check_group(table, tag, hint.group)
        _check_form(table, tag, hint)
        ready = suggested(tag, hint)
        if ready is not None and (why := refused(table.subject, state, seat, ready)):
            found.add(
                f"what the hint of {tag} suggests is refused: {why}",
                "suggest a legal action, or let a step choose",
            )
    if hints:
        for whim in range(WHIMS):
            action = game.sample(
                state, seat, table.subject.chance(played.number, CHOICES + move * WHIMS + whim)
            )
            _check_reached(table, hints.get(tag_of(action)), action)


def _check_group(table: _Table, tag: str, group: str) -> None:
    if group not in table.subject.game.texts.groups or not table.has_text(f"group.{group}"):
        table.found.add(f"{tag} is in the group {group!r}, which has no text", TEXT)


def _check_hint(table: _Table, tag: str, hint: Hint) -> None:
    _check_group(table, tag, hint.group)
    for target in hint.targets:
        if target not in table.there:
            table.found.add(
                f"{tag} is offered at {target}, which is neither a place nor a piece of this table",
                "name ids of the layout's places or of the pieces that the seat sees",
            )
    for cost in hint.cost:
        if cost.amount < 1:
            table.found.add(f"{tag} costs {cost.amount} {cost.resource}", "leave out what costs nothing")
        if not table.has_text(f"component.{cost.resource}"):
            table.found.add(f"{tag} costs {cost.resource}, which has no text", TEXT)


def _check_form(table: _Table, tag: str, hint: TemplateHint) -> None:
    if not hint.steps:
        table.found.add(f"the template {tag} has no steps", "name a step for every field of the action")
    names = [limit.name for limit in hint.limits]
    for pointer in fields(hint):
        if not pointer.startswith("/"):
            table.found.add(
                f"a step of {tag} fills {pointer!r}, which is no JSON Pointer", "begin it with `/`"
            )
    for limit in hint.limits:
        if names.count(limit.name) > 1 or (limit.most is not None and limit.least > limit.most):
            table.found.add(
                f"the limit {limit.name} of {tag} contradicts itself or another", "name each limit once"
            )
    for step in hint.steps:
        for what in step_faults(step, table.there, table.boards, frozenset(names), table.has_text):
            table.found.add(f"a step of {tag} {what}", "correct its hint")


def step_faults(
    step: Step, there: frozenset[str], boards: frozenset[str], limits: frozenset[str], has_text: Any
) -> list[str]:
    """Return what is wrong with a step of a template's hint."""
    match step:
        case ChooseStep():
            return [
                *(["has no choices"] if not step.choices else []),
                *(
                    f"is chosen at {one.target}, which is not there"
                    for one in step.choices
                    if one.target and one.target not in there
                ),
                *(
                    f"names {one.name}, which has no text"
                    for one in step.choices
                    if one.name and not has_text(f"component.{one.name}")
                ),
                *(
                    f"counts against {one.limit}, which is no limit"
                    for one in step.choices
                    if one.limit and one.limit not in limits
                ),
            ]
        case NumberStep():
            return [
                *(
                    [f"suggests {step.suggested}, which is not from {step.least} to {step.most}"]
                    if not step.least <= step.suggested <= step.most
                    else []
                ),
                *(
                    [f"names {step.name}, which has no text"]
                    if step.name and not has_text(f"component.{step.name}")
                    else []
                ),
                *(
                    [f"counts against {step.limit}, which is no limit"]
                    if step.limit and step.limit not in limits
                    else []
                ),
            ]
        case PointStep():
            return [f"touches the board {step.board}, which is not there"] if step.board not in boards else []


def _check_reached(table: _Table, hint: TemplateHint | None, action: Any) -> None:
    if hint is None:
        return
    table.found.looked("samples")
    try:
        reached = reaches(hint, msgspec.json.decode(encode(action)))
    except (KeyError, IndexError, TypeError, AttributeError) as problem:
        table.found.add(
            f"a step of {tag_of(action)} fills a field that the action does not have: {problem!r}",
            "correct its pointer",
        )
        return
    if not reached:
        table.found.add(
            f"{tag_of(action)} can be sampled, and the steps of its hint do not lead to it: {encode(action).decode()}",
            "let the steps offer every action of the template",
        )


def refused(subject: Subject, state: Any, seat: Seat, action: dict[str, Any]) -> str | None:
    """Return why the rules refuse an action that was filled in; None if they accept it."""
    try:
        read = subject.game.action_codec.decode(msgspec.json.encode(action))
        subject.game.decide(state, seat, read, subject.chance(0, 1))
    except RuleViolation as violation:
        return str(violation)
    except Unreadable as problem:
        return f"{problem.pointer} {problem.detail}"
    return None


HINTS: Final = check(
    "hints",
    "every action has a group and targets; templates can be filled in",
    look,
)
