"""Replaying a match: play requests as long as they are valid, or decide every row again and compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from engine.kernel.chance import Draw, DrawKey, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, Unreadable
from engine.kernel.game import AnyGame
from engine.kernel.records import Event
from engine.kernel.seats import Seat
from engine.match import aborting, pausing, undoing
from engine.match.boundary import Move
from engine.match.commands import MatchCommand, read_events
from engine.match.folding import (
    LoggedMove,
    Replay,
    fold,
    fold_moves,
    replayed,
    states_after_each,
    takes_back,
)
from engine.match.forking import Fork, what_is_wrong
from engine.match.requests import Resign, StartMatch, decide_request, read_request
from engine.match.timeline import Timeline, TimelinePlace

__all__ = [
    "Difference",
    "LoggedMove",
    "PlayedSoFar",
    "Playing",
    "decide_again",
    "fold",
    "fold_moves",
    "play_while_valid",
    "replayed",
    "states_after_each",
]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first place where deciding again gives another result than the log."""

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


def play_while_valid(
    game: AnyGame, requests: Iterable[tuple[Seat | None, bytes]], secret: bytes
) -> PlayedSoFar:
    """Play (seat, request) pairs up to the first that is refused or unreadable."""
    playing = Playing(game, secret)
    for number, (seat, request) in enumerate(requests):
        seq = number + 1
        try:
            read = read_request(game, request)
            body = encode(read)
            events, _ = playing.decide(seat, read, body)
        except (RuleViolation, Unreadable) as refusal:
            return PlayedSoFar(
                moves=tuple(playing.rows), state=playing.state, refused_at=number, refusal=refusal
            )
        playing.take_in(LoggedMove(seq=seq, seat=seat, request=body, events=encode(events)))
    return PlayedSoFar(moves=tuple(playing.rows), state=playing.state)


def decide_again(
    game: AnyGame,
    moves: Iterable[LoggedMove],
    secret: bytes,
    *,
    drawn: list[Draw] | None = None,
    seen: Callable[[LoggedMove, Any, tuple[Any, ...], Playing], None] | None = None,
) -> Difference | None:
    """Decide every row again from its request and the match secret; return the first difference, or None.

    The initial state of a fork is not checked, because the match it came from is not available.
    `drawn` collects every draw; `seen` is called after every row that agrees, with its request, its events, and the match.
    """
    rows = tuple(moves)
    playing = Playing(game, secret, keep=takes_back(rows))
    for move in rows:
        try:
            request = read_request(game, move.request)
            if isinstance(request, Fork):
                if wrong := playing.what_is_wrong(request, move):
                    return Difference(seq=move.seq, place="events", logged=wrong, decided="a fork")
                events = read_events(game, move.events)
                playing.take_in(move, events)
                if seen is not None:
                    seen(move, request, events, playing)
                continue
            decided, draws = playing.decide(move.seat, request, move.request)
        except (RuleViolation, Unreadable) as refusal:
            return Difference(seq=move.seq, place="request", logged="accepted", decided=str(refusal))
        if encode(decided) != move.events:
            return _first_difference(game, move, decided)
        if drawn is not None:
            drawn += draws
        playing.take_in(move, decided)  # the same bytes, so the same events: they need not be read again
        if seen is not None:
            seen(move, request, decided, playing)
    return None


class Playing:
    """A match decided row by row from its requests and its secret; `keep` the states that a row may go back to."""

    def __init__(self, game: AnyGame, secret: bytes, *, keep: bool = True) -> None:
        self._game = game
        self._secret = secret
        self._replay = Replay(game, keep=keep)
        self._seats = 0
        self._key: DrawKey | None = None
        self.rows: list[LoggedMove] = []

    @property
    def state(self) -> Any:
        return self._replay.state

    @property
    def timeline(self) -> Timeline:
        return self._replay.timeline

    def decide(
        self, seat: Seat | None, request: Any, body: bytes
    ) -> tuple[tuple[Event, ...], tuple[Draw, ...]]:
        """Return the events of the next row and its draws. Raises RuleViolation or Unreadable."""
        game, timeline = self._game, self._replay.timeline
        if isinstance(request, MatchCommand):
            table = undoing.Position(
                game=game, timeline=timeline, state=self.state, seats=self._seats, moves=self._made
            )
            return undoing.decide(table, seat, request), ()
        aborting.must_not_be_aborted(timeline)
        if not isinstance(request, Resign):
            pausing.must_not_be_paused(timeline)
        if isinstance(request, StartMatch):
            self._seats = request.seats
        chance = SeededChance(self._secret, timeline.luck_number(seat, body))
        chance.key = self._key
        events = decide_request(game, self.state, seat, request, chance)
        self._key = chance.key
        return events, tuple(chance.draws)

    def what_is_wrong(self, fork: Fork, move: LoggedMove) -> str:
        """Return why a row cannot be the beginning of a fork; empty if it can."""
        self._seats = fork.seats
        if self.rows or move.seat is not None:
            return "a fork is the first row of its match, and no seat asks for it"
        try:
            return what_is_wrong(self._game, fork, read_events(self._game, move.events))
        except Unreadable as error:
            return f"{error.pointer}: {error.detail}"

    def take_in(self, move: LoggedMove, events: tuple[Any, ...] | None = None) -> None:
        """Advance by the row that was decided, or by the first row of a fork; `events` are the row's, if they are at hand."""
        self._replay.advance(move, events)
        self.rows.append(move)

    def _made(self, places: Sequence[TimelinePlace]) -> tuple[Move, ...]:
        return tuple(self._move(self.rows[place.seq - 1], place) for place in reversed(places))

    def _move(self, row: LoggedMove, place: TimelinePlace) -> Move:
        return Move(
            seq=row.seq,
            seat=row.seat,
            request=read_request(self._game, row.request),
            before=self._replay.before(place),
            events=read_events(self._game, row.events),
        )


def _first_difference(game: AnyGame, move: LoggedMove, decided: tuple[Any, ...]) -> Difference:
    try:
        logged = read_events(game, move.events)
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
