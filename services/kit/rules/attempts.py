"""Actions that were not offered, tried at every kind of decision: other answers to it, other actions, and with a field changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import msgspec

from engine.kernel.chance import Chance, Draw
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.legal import LegalActions
from engine.kernel.seats import Seat, seat_audience
from services.kit.subject import Position, Subject

POSITIONS: Final = 150
TRIES: Final = 32
"""For each seat that is tried in a position."""
_SEEN: Final = 600
"""Moves whose actions are tried elsewhere."""
_ANSWERED: Final = 300
"""Positions whose legal actions are tried where the same is to be decided."""
_ANSWERS: Final = 40
"""Legal actions of such a position; of more, every so manyth."""
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


@lru_cache(maxsize=1)  # several checks ask, one after the other
def attempts(subject: Subject) -> tuple[Attempt, ...]:
    """Try actions that were not offered: to a seat that is to act, and to one that is not."""
    return tuple(_attempts(subject))


def _attempts(subject: Subject) -> Iterator[Attempt]:
    pool = Pool(subject)
    for position in subject.decisions(POSITIONS):
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
        done = _different(one.step.action for one in subject.moves(_SEEN))
        self._actions: Sequence[Any] = done
        self._answers = self._answers_in(subject)
        values: dict[tuple[Any, str], dict[bytes, Any]] = {}
        for action in _different(chain(done, *self._answers.values())):
            for field in action.__struct_fields__:
                value = getattr(action, field)
                values.setdefault((tag(action), field), {})[encode(value)] = value
        self._values = values
        """The values of a field in all actions of a kind, by how they are written."""

    def _answers_in(self, subject: Subject) -> dict[str, tuple[Any, ...]]:
        """Return legal actions of all matches by the decision that they answer."""
        found: dict[str, list[Any]] = {}
        for position in subject.decisions(_ANSWERED):
            for asked in self._game.pending(position.state)[:1]:
                legal = self._game.legal_actions(position.state, asked.seat).actions
                step = max(1, -(-len(legal) // _ANSWERS))
                found.setdefault(asked.decision, []).extend(legal[::step])
        return {decision: _different(answers) for decision, answers in found.items()}

    def not_offered(self, state: Any, seat: Seat, chance: Chance) -> Iterator[Any]:
        """Yield actions that are not listed for the seat; those of a template's kind may be in its domain, and accepted."""
        legal = self._game.legal_actions(state, seat)
        asked = [one.decision for one in self._game.pending(state) if one.seat == seat]
        answers = self._answers.get(asked[0], ()) if asked else ()
        shown = encode(self._game.view(state, seat_audience(seat)))
        for _ in range(TRIES):
            how = chance.below(4)
            near = bool(legal.actions) and how < 2
            known = legal.actions if near else answers if answers and how == 2 else self._actions
            action = known[chance.below(len(known))]
            if near or not chance.below(3):
                action = self._changed(action, shown, chance)
            if action is not None and action not in legal.actions:
                yield action

    def _changed(self, action: Any, shown: bytes, chance: Chance) -> Any | None:
        """Return the action with another value in one field, if there can be such an action: rather one that the seat sees."""
        fields = action.__struct_fields__
        if not fields:
            return None
        field = fields[chance.below(len(fields))]
        value = getattr(action, field)
        known = self._values.get((tag(action), field), {})
        there = [one for text, one in known.items() if text in shown] if chance.below(4) else []
        others: list[Any] = there or [*known.values()]
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


def _different(actions: Iterable[Any]) -> tuple[Any, ...]:
    return tuple({encode(action): action for action in actions}.values())


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
