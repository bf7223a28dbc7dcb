"""A state that is dealt again is a possible one, and depends on nothing that is hidden from its audience."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.knowledge import audiences
from engine.kernel.seats import PUBLIC, REFEREE, Audience
from engine.match.replay import fold
from services.kit.check import Check, Findings, Result
from services.kit.rules.hidden_names import DealtAgain, named
from services.kit.rules.twins import name, parted, twin, twins
from services.kit.subject import MAX_MOVES, Position, Subject

POSITIONS: Final = 300
PLAYED_ON: Final = 8
"""Positions from which a match is played to its end after dealing again."""
MOVES: Final = 300
"""Moves for which another one is made that an audience cannot tell from the true one."""
_CHOICES: Final = 1 << 40
_OTHER: Final = 1 << 44
"""Move numbers: of the players of the rest, and of the other moves and draws."""


def _run(subject: Subject) -> Result:
    found = Findings()
    dealt = DealtAgain()
    others = 0
    for position, audience, other in twins(subject, POSITIONS):
        others += other != position.state
        _possible(subject, position, other, found)
        _same_again(subject, position, audience, other, found)
        _names(subject, position, found)
        dealt.look(subject, position)
    dealt.judge(found)
    histories = _other_starts(subject, found) + sum(
        _other_moves(subject, position, found) for position in subject.moves(MOVES)
    )
    for position in subject.positions(POSITIONS):
        named(subject, position, found)
    for position, audience, other in twins(subject, PLAYED_ON):
        _plays_on(subject, position, audience, other, found)
    return found.result(
        f"{others} states that are others than the true one, {histories} pairs of moves that look alike"
    )


def _possible(subject: Subject, position: Position, other: Any, found: Findings) -> None:
    """What is dealt again can be stored, and nothing is made or lost in it."""
    if subject.game.state_codec.decode(encode(other)) != other:
        found.add(
            "a state that was dealt again is another after it was stored",
            do="deal values of the types of the state",
            where=subject.where,
            kind="stored",
        )
    conserved = subject.checks.conserved
    if conserved is not None and conserved(other) != conserved(position.state):
        found.add(
            f"`redeal` makes or loses something: {conserved(position.state)} becomes {conserved(other)}",
            do="collect in `redeal` what the audience cannot see, shuffle it, and deal exactly that",
            where=subject.where,
            kind="conserved",
        )


def _same_again(
    subject: Subject, position: Position, audience: Audience, other: Any, found: Findings
) -> None:
    """From both states the same draws deal the same, and the same facts are hidden."""
    game = subject.game
    first, second = (twin(subject, state, audience, position.number, 1) for state in (position.state, other))
    if encode(first) != encode(second):
        found.add(
            f"`redeal` depends on what is hidden from its audience: the same draws deal {parted(first, second)}",
            do="sort what is to be dealt before it is shuffled, and take nothing hidden from the true state",
            where=subject.where,
            kind="copied",
        )
    hidden = [game.hidden(state, audience) for state in (position.state, other)]
    if hidden[0] != hidden[1]:
        found.add(
            f"the names of `hidden` depend on what is hidden: {parted(*hidden)}",
            do="name places in `hidden`, such as `hand:seat1:card3`, and never what lies there",
            where=subject.where,
            kind="names",
        )


def _names(subject: Subject, position: Position, found: Findings) -> None:
    game, state = subject.game, position.state
    if game.hidden(state, REFEREE):
        found.add(
            "something is hidden from a referee",
            do="return `()` from `hidden` for a referee",
            where=str(position),
            kind="referee",
        )
    if encode(twin(subject, state, REFEREE, position.number)) != encode(state):
        found.add(
            "`redeal` changes the state for a referee",
            do="return the state itself from `redeal` for a referee",
            where=str(position),
            kind="referee's",
        )
    public = set(game.hidden(state, PUBLIC))
    for audience in audiences(position.seats):
        names = game.hidden(state, audience)
        if len(set(names)) != len(names):
            found.add(
                f"`hidden` has a name twice for {name(audience)}",
                do="give every hidden fact a name of its own",
                where=str(position),
                kind="twice",
            )
        if missing := sorted(set(names) - public):
            found.add(
                f"{missing[0]!r} is hidden from {name(audience)}, and not from the public",
                do="hide from the public everything that is hidden from any seat",
                where=str(position),
                kind="public",
            )


def _other_starts(subject: Subject, found: Findings) -> int:
    """Set up every match with other draws. Return how many audiences were shown the same."""
    game, alike = subject.game, 0
    for played in subject.matches:
        subject.where = played.at(1)
        events = game.start(played.options, played.seats, subject.chance(played.number, _OTHER))
        both = (played.steps[0].events, played.steps[0].state), (events, fold(game, events))
        alike += _alike(subject, played.seats, played.number, *both, found)
    return alike


def _other_moves(subject: Subject, position: Position, found: Findings) -> int:
    """Let the same seat make another move, with other draws. Return how many audiences were shown the same."""
    game, before, seat = subject.game, position.before, position.step.seat
    assert seat is not None  # only the start has none
    subject.where = str(position)
    chance = subject.chance(position.number, _OTHER)
    events = game.decide(before, seat, game.sample(before, seat, chance), chance)
    both = (position.step.events, position.state), (events, fold(game, events, before))
    return _alike(subject, position.seats, position.number, *both, found)


def _alike(
    subject: Subject,
    seats: int,
    number: int,
    one: tuple[Any, Any],
    other: tuple[Any, Any],
    found: Findings,
) -> int:
    """Compare what is dealt after two moves for every audience that was shown the same of both: nothing that it knows differs."""
    game, where, alike = subject.game, subject.where, 0
    if one[1] == other[1]:
        return 0
    for audience in audiences(seats):
        shown = [encode(tuple(game.redact(event, audience) for event in each[0])) for each in (one, other)]
        if shown[0] != shown[1]:
            continue
        alike += 1
        subject.where = f"{where}, for {name(audience)}"
        first, second = (twin(subject, each[1], audience, number) for each in (one, other))
        if encode(first) != encode(second):
            found.add(
                f"`redeal` copies something hidden: after two moves of which {name(audience)} sees the same, "
                f"the same draws deal {parted(first, second)}",
                do="deal again whatever `redact` leaves out for this audience, and sort it before it is shuffled",
                where=subject.where,
                kind="copied after a move",
            )
    return alike


def _plays_on(subject: Subject, position: Position, audience: Audience, other: Any, found: Findings) -> None:
    """A match goes on from a state that was dealt again, and ends."""
    game, state, move = subject.game, other, position.move
    choices = subject.chance(position.number, _CHOICES)
    subject.where = f"a match played on from a state dealt again for {name(audience)} at {position}"
    while waited_for := game.to_act(state):
        move += 1
        seat = waited_for[choices.below(len(waited_for))]
        action = game.sample(state, seat, choices)
        state = fold(game, game.decide(state, seat, action, subject.chance(position.number, move)), state)
        if move > MAX_MOVES:
            break
    if game.outcome(state) is None:
        found.add(
            "the match does not end",
            do="deal in `redeal` only states that can come about in a match",
            where=subject.where,
            kind="endless",
        )


CHECK: Final = Check(
    name="redeal", asks="what is dealt again is possible, and copies nothing that is hidden", run=_run
)
