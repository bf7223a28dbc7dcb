"""Matches can be set up for every number of seats, and played to their end without an error."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.match.replay import fold
from services.kit.check import Check, Findings, Result, record_text
from services.kit.subject import Played, Position, Subject

MOST: Final = 800
"""Moves that are made a second time."""
LUCK: Final = "draw from `chance` alone, and order whatever comes from a set before it decides anything"


def _run(subject: Subject) -> Result:
    found = Findings()
    state = subject.game.types.state
    if isinstance(state, type) and issubclass(state, msgspec.Struct) and not state.__struct_config__.frozen:
        found.add(
            f"the type of the state, {state.__name__}, is not frozen, so states can be changed after they were made",
            do="declare it with `frozen=True`, and make a new state with `msgspec.structs.replace`",
        )
        return found.result("nothing more: what is changed in one place is wrong in all")
    _set_up(subject, found)
    for played in subject.matches:
        _ids(subject, played, found)
    for position in subject.moves(MOST):
        _made_again(subject, position, found)
    moves = sum(len(played.steps) - 1 for played in subject.matches)
    counts = ", ".join(map(str, subject.game.seat_counts))
    return found.result(f"{moves:,} moves in {len(subject.matches)} matches; {counts} seats")


def _set_up(subject: Subject, found: Findings) -> None:
    """Every value of the options, with every number of seats, is set up alike from the same draws."""
    game = subject.game
    for options in subject.options:
        for seats in game.seat_counts:
            subject.where = f"setup, {seats} seats, options {encode(options).decode()}"
            try:
                game.check_options(options, seats, game.rules_version)
            except RuleViolation:
                continue
            first, second = (game.start(options, seats, subject.chance(seats, 1)) for _ in range(2))
            if encode(first) != encode(second):
                found.add(
                    "`set_up` gives different events for the same draws",
                    do=LUCK,
                    where=subject.where,
                    kind="set_up",
                )
            names = (
                game.rules_of(game.evolve(None, first[0])) if first else "no version, for there is no event"
            )
            if names != game.rules_version:
                found.add(
                    f"the first event of a match is to name the version {game.rules_version} of the rules; `rules_of` finds {names}",
                    do="put `recorded(rules_version)` into the first event, and `kept(...)` of it into the state",
                    where=subject.where,
                    kind="version",
                )


def _ids(subject: Subject, played: Played, found: Findings) -> None:
    """Open decisions are in order of seats, one for a seat, and the id of a decision does not come back."""
    open_before: frozenset[str] = frozenset()
    closed: set[str] = set()
    for move, step in enumerate(played.steps, start=1):
        subject.where = played.at(move)
        pending = subject.game.pending(step.state)
        seats = [one.seat for one in pending]
        if seats != sorted(set(seats)) or not set(seats) <= set(range(played.seats)):
            found.add(
                f"`pending` gives the decisions of seats {seats}",
                do="give at most one decision for each seat of the match, in order of seats",
                where=played.at(move),
                kind="order",
            )
        now = frozenset(one.id for one in pending)
        closed |= open_before - now
        if back := sorted(now & closed):
            found.add(
                f"the id {back[0]!r} of a decision is used again for a later one",
                do="count decisions in the state, and put the count into `Pending.id`",
                where=played.at(move),
                kind="id",
            )
        open_before = now


def _made_again(subject: Subject, position: Position, found: Findings) -> None:
    """A move gives the same events for the same draws, and leaves the state it was made in as it was."""
    game, step, before = subject.game, position.step, position.before
    was = encode(before)
    chance = subject.chance(position.played.number, position.move)
    assert step.seat is not None  # only the start has none
    events = game.decide(before, step.seat, step.action, chance)
    if encode(events) != encode(step.events):
        found.add(
            f"`decide` gives other events when {record_text(step.action)} is made again with the same draws",
            do=LUCK,
            where=str(position),
            kind="decide",
        )
    elif encode(fold(game, events, before)) != encode(step.state):
        found.add(
            "`evolve` gives another state for the same events",
            do="make the new state from the old one and the event alone",
            where=str(position),
            kind="evolve",
        )
    if encode(before) != was:
        found.add(
            f"the state changes while {record_text(step.action)} is decided and its events are applied",
            do="make states frozen, with tuples for lists, and a new state with `msgspec.structs.replace`",
            where=str(position),
            kind="mutated",
        )


CHECK: Final = Check(
    name="plays", asks="matches can be set up and played, and the same draws give the same match", run=_run
)
