"""Fold a log, play while valid, decide it all again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.kernel.chance import Draw, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.requests import decide_request, read_request
from engine.kernel.seats import Seat


class LoggedMove(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a match's log, as far as the rules care: who asked for what, and what came of it."""

    seq: int
    """The match's version after this move; the start is 1."""
    seat: Seat | None
    """Who asked; None for the start."""
    request: bytes
    """Canonical JSON of the request."""
    events: bytes
    """Canonical JSON array of the events."""

    def __repr__(self) -> str:
        """Without request and events: they may hold what nobody may see yet."""
        return f"LoggedMove(seq={self.seq}, seat={self.seat})"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where deciding again does not give what the log says."""

    seq: int
    place: str
    """`request`, `events`, or `events[n]`."""
    logged: str
    decided: str


class PlayedSoFar(msgspec.Struct, frozen=True, kw_only=True):
    """The valid part of a list of requests: the moves, the state after them, and the first refusal if there was one."""

    moves: tuple[LoggedMove, ...]
    state: Any
    refused_at: int | None = None
    """Number of the refused request, counted from 0."""
    refusal: RuleViolation | Unreadable | None = None


def fold(game: AnyGame, events: Iterable[Any], state: Any = None) -> Any:
    """Fold events onto a state; without one, from the beginning."""
    evolve = game.evolve
    for event in events:
        state = evolve(state, event)
    return state


def fold_moves(game: AnyGame, moves: Iterable[LoggedMove], state: Any = None) -> Any:
    """Fold logged moves onto a state; without one, from the beginning."""
    for move in moves:
        state = fold(game, game.event_codec.decode_many(move.events), state)
    return state


def states_after_each(game: AnyGame, moves: Iterable[LoggedMove]) -> Iterator[tuple[LoggedMove, Any]]:
    """Step through a log: each move with the state after it."""
    state = None
    for move in moves:
        state = fold_moves(game, (move,), state)
        yield move, state


def play_while_valid(
    game: AnyGame, requests: Iterable[tuple[Seat | None, bytes]], secret: bytes
) -> PlayedSoFar:
    """Play (seat, request) pairs until the first that is refused or unreadable."""
    moves: list[LoggedMove] = []
    state: Any = None
    for number, (seat, request) in enumerate(requests):
        seq = number + 1
        try:
            read = read_request(game, request)
            events = decide_request(game, state, seat, read, SeededChance(secret, seq))
        except (RuleViolation, Unreadable) as refusal:
            return PlayedSoFar(moves=tuple(moves), state=state, refused_at=number, refusal=refusal)
        state = fold(game, events, state)
        moves.append(LoggedMove(seq=seq, seat=seat, request=encode(read), events=encode(events)))
    return PlayedSoFar(moves=tuple(moves), state=state)


def decide_again(
    game: AnyGame, moves: Iterable[LoggedMove], secret: bytes, *, drawn: list[Draw] | None = None
) -> Difference | None:
    """Decide every move anew from its request and the match secret; give the first difference, or None.

    `drawn` collects every draw that was made on the way.
    """
    state: Any = None
    for move in moves:
        try:
            request = read_request(game, move.request)
            chance = SeededChance(secret, move.seq)
            decided = decide_request(game, state, move.seat, request, chance)
        except (RuleViolation, Unreadable) as refusal:
            return Difference(seq=move.seq, place="request", logged="accepted", decided=str(refusal))
        if encode(decided) != move.events:
            return _first_difference(game, move, decided)
        if drawn is not None:
            drawn += chance.draws
        state = fold(game, decided, state)
    return None


def _first_difference(game: AnyGame, move: LoggedMove, decided: tuple[Any, ...]) -> Difference:
    try:
        logged = game.event_codec.decode_many(move.events)
    except Unreadable as error:
        return Difference(seq=move.seq, place="events", logged=str(error), decided=f"{len(decided)} events")
    for number, (was, now) in enumerate(zip(logged, decided, strict=False)):
        if encode(was) != encode(now):
            return Difference(
                seq=move.seq,
                place=f"events[{number}]",
                logged=encode(was).decode(),
                decided=encode(now).decode(),
            )
    return Difference(
        seq=move.seq, place="events", logged=f"{len(logged)} events", decided=f"{len(decided)} events"
    )
