"""What an audience receives, on any channel, is the same in all states that it cannot tell apart.

Texts are no channel of their own: they are made of their record alone, so equal records have equal texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.knowledge import audiences
from engine.kernel.seats import Audience, Seat
from engine.match.replay import fold
from services.kit.check import Check, Findings, Result
from services.kit.rules.attempts import Pool
from services.kit.rules.twins import name, parted, twin, twins
from services.kit.subject import Position, Subject

POSITIONS: Final = 500
MOVES: Final = 400
ACTIONS: Final = 12
"""Legal actions of a position whose hints are compared."""
REFUSED: Final = 4
"""Refused actions of a position that are compared."""
_TRYING: Final = 1 << 41
_OTHER: Final = 1 << 42
"""Move numbers: of the refused actions, and of the other moves and draws."""
DO: Final = (
    "build it from what this audience may know alone; if it is right, let `redeal` keep what it is made of"
)
DO_EVENT: Final = "leave out of `redact` whatever this audience may not see"


def _run(subject: Subject) -> Result:
    found = Findings()
    pool = Pool(subject)
    states = 0
    for position, audience, other in twins(subject, POSITIONS):
        if other == position.state:
            continue
        states += 1
        pairs = zip(
            _received(subject, pool, position, position.state, audience),
            _received(subject, pool, position, other, audience),
            strict=False,
        )
        for (channel, first), (_, second) in pairs:
            if first != second or encode(first) != encode(second):
                found.add(
                    f"{channel} tells {name(audience)} what is hidden from it: {parted(first, second)}",
                    do=DO,
                    where=subject.where,
                    kind=channel,
                )
                break  # later channels are made of earlier ones
    events = _starts(subject, found)
    for position in subject.moves(MOVES):
        events += _other_move(subject, position, found)
    return found.result(f"{states} pairs of states, {events} pairs of moves")


def _received(
    subject: Subject, pool: Pool, position: Position, state: Any, audience: Audience
) -> Iterator[tuple[str, Any]]:
    """Yield each channel with what the audience receives on it."""
    game = subject.game
    view = game.view(state, audience)
    yield "`view`", view
    yield "`pieces`", game.pieces(view)
    yield "`draw`", game.draw(view)
    yield "`pending`", game.pending(state)
    yield "`outcome`", game.outcome(state)
    seat = audience.seat
    if seat is None:
        return
    legal = game.legal_actions(state, seat)
    yield "`legal_actions`", legal
    for action in legal.actions[:ACTIONS]:
        yield "`hint`", game.hint(view, action)
    for template in legal.templates:
        yield "`template_hint`", game.template_hint(view, template)
    yield "`evaluate`", game.evaluate(state, seat)
    if legal:
        yield "`policy`", game.policy(state, seat)
    chance = subject.chance(position.number, _TRYING)
    for action in islice(pool.not_offered(state, seat, chance), REFUSED):
        yield "a refusal", _answer(subject, position, state, seat, action)


def _answer(subject: Subject, position: Position, state: Any, seat: Seat, action: Any) -> Any:
    """Return everything that a seat is told of an action that is refused."""
    try:
        subject.game.decide(state, seat, action, subject.chance(position.number, _OTHER))
    except RuleViolation as refusal:
        return (str(refusal.code), refusal.rule, refusal.field, dict(refusal.facts))
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - `unlisted-actions` reports it
        return type(problem).__name__
    return "accepted"


def _starts(subject: Subject, found: Findings) -> int:
    """Two setups with other draws. Return how many pairs could not be told apart."""
    game, told_apart = subject.game, 0
    for played in subject.matches:
        subject.where = where = played.at(1)
        events = game.start(played.options, played.seats, subject.chance(played.number, _OTHER))
        first = (played.steps[0].events, played.steps[0].state)
        told_apart += _compared(
            subject, played.seats, played.number, first, (events, fold(game, events)), where, found
        )
    return told_apart


def _other_move(subject: Subject, position: Position, found: Findings) -> int:
    """The same seat makes another move, with other draws. Return for how many audiences nothing tells them apart."""
    game, before = subject.game, position.before
    seat = position.step.seat
    assert seat is not None  # only the start has none
    chance = subject.chance(position.number, _OTHER)
    action = game.sample(before, seat, chance)
    if _leaves_no_trace(subject, position, action):
        action = position.step.action
    events = game.decide(before, seat, action, chance)
    first = (position.step.events, position.state)
    second = (events, fold(game, events, before))
    return _compared(subject, position.seats, position.number, first, second, str(position), found)


def _leaves_no_trace(subject: Subject, position: Position, action: Any) -> bool:
    """Return whether a seat comes to the same state by another action: which of them it was is no fact that a state could hide."""
    game, before, seat = subject.game, position.before, position.step.seat
    assert seat is not None  # only the start has none
    chance = subject.chance(position.played.number, position.move)
    return bool(fold(game, game.decide(before, seat, action, chance), before) == position.state)


def _compared(
    subject: Subject,
    seats: int,
    number: int,
    first: tuple[Any, Any],
    second: tuple[Any, Any],
    where: str,
    found: Findings,
) -> int:
    """Compare the events that lead to two states for every audience that cannot tell the states apart.

    It cannot exactly if both are dealt again alike: that is what `redeal` promises. Return the number of those audiences.
    """
    compared = 0
    if first[1] == second[1]:
        return 0
    for audience in audiences(seats):
        subject.where = f"{where}, for {name(audience)}"
        if any(
            encode(twin(subject, first[1], audience, number, about))
            != encode(twin(subject, second[1], audience, number, about))
            for about in range(2)
        ):
            continue
        compared += 1
        one, other = (
            tuple(subject.game.redact(event, audience) for event in events)
            for events in (first[0], second[0])
        )
        if one != other or encode(one) != encode(other):
            found.add(
                f"an event tells {name(audience)} what is hidden from it: {parted(one, other)}",
                do=DO_EVENT,
                where=subject.where,
                kind="event",
            )
    return compared


CHECK: Final = Check(
    name="non-interference", asks="nobody receives what is hidden from it, on any channel", run=_run
)
