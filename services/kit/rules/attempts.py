"""Actions that were not offered, tried in many positions: of other positions, of other seats, and with a field changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from engine.kernel.chance import Chance, Draw
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.legal import LegalActions
from engine.kernel.seats import Seat
from services.kit.subject import Position, Subject

POSITIONS: Final = 150
TRIES: Final = 16
"""For each seat that is tried in a position."""
_SEEN: Final = 600
"""Moves whose actions are tried elsewhere."""
_TRYING: Final = 1 << 34
"""The move number under which the attempts are drawn."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """An action that was not offered to a seat, and what came of it."""

    position: Position
    seat: Seat
    action: Any
    draws: tuple[Draw, ...]
    refusal: RuleViolation | None
    """None: it was accepted, or something else was raised."""
    problem: Exception | SystemExit | None
    """What `decide` raised, unless it is a refusal."""
    changed: bool
    """Whether the state is another afterwards, although it was refused."""


def attempts(subject: Subject) -> Iterator[Attempt]:
    """Try actions that were not offered: to a seat that is to act, and to one that is not."""
    pool = Pool(subject)
    for position in subject.positions(POSITIONS):
        chance = subject.chance(position.number, _TRYING)
        waited_for = subject.game.to_act(position.state)
        idle = [Seat(seat) for seat in range(position.seats) if seat not in waited_for]
        for seats in (waited_for, idle):
            if seats:
                seat = seats[chance.below(len(seats))]
                for action in pool.not_offered(position.state, seat, chance):
                    yield _tried(subject, position, seat, action)


def offered(legal: LegalActions[Any, Any], action: Any) -> bool:
    """Return whether an action is listed, or of the kind of a template: which of those are in its domain, only `decide` knows."""
    return action in legal.actions or tag(action) in {tag(template) for template in legal.templates}


def tag(record: Any) -> Any:
    """Return the tag of an action or a template."""
    return record.__struct_config__.tag


class Pool:
    """Actions of whole matches, as they are and with a field changed."""

    def __init__(self, subject: Subject) -> None:
        self._game: AnyGame = subject.game
        seen = {encode(one.step.action): one.step.action for one in subject.moves(_SEEN)}
        self._actions: Sequence[Any] = tuple(seen.values())
        values: dict[tuple[Any, str], dict[bytes, Any]] = {}
        for action in self._actions:
            for field in action.__struct_fields__:
                value = getattr(action, field)
                values.setdefault((tag(action), field), {})[encode(value)] = value
        self._values = {place: tuple(known.values()) for place, known in values.items()}

    def not_offered(self, state: Any, seat: Seat, chance: Chance) -> Iterator[Any]:
        """Yield actions that are not listed for the seat; those of a template's kind may be in its domain, and accepted."""
        legal = self._game.legal_actions(state, seat)
        for _ in range(TRIES):
            near = bool(legal.actions) and chance.below(2)
            known = legal.actions if near else self._actions
            action = known[chance.below(len(known))]
            if near or not chance.below(3):
                action = self._changed(action, chance)
            if action is not None and action not in legal.actions:
                yield action

    def _changed(self, action: Any, chance: Chance) -> Any | None:
        """Return the action with another value in one field, if there can be such an action."""
        fields = action.__struct_fields__
        if not fields:
            return None
        field = fields[chance.below(len(fields))]
        value = getattr(action, field)
        others: list[Any] = list(self._values.get((tag(action), field), ()))
        if isinstance(value, bool):
            others.append(not value)
        elif isinstance(value, int):
            others += [value + 1, value - 1, 10_000]
        elif isinstance(value, tuple) and value:
            others += [value[1:], (*value, value[0]), value[::-1]]
        elif value is not None:
            others += ["nobody", None]
        if not others:
            return None
        changed = msgspec.structs.replace(action, **{field: others[chance.below(len(others))]})
        try:
            return self._game.action_codec.decode(encode(changed))
        except Unreadable:
            return None


def _tried(subject: Subject, position: Position, seat: Seat, action: Any) -> Attempt:
    state = position.state
    before = encode(state)
    chance = subject.chance(position.played.number, position.move + 1)
    refusal = problem = None
    try:
        subject.game.decide(state, seat, action, chance)
    except RuleViolation as violation:
        refusal = violation
    except (Exception, SystemExit) as raised:  # noqa: BLE001 - the checks report it
        problem = raised
    return Attempt(
        position=position,
        seat=seat,
        action=action,
        draws=tuple(chance.draws),
        refusal=refusal,
        problem=problem,
        changed=refusal is not None and encode(state) != before,
    )
