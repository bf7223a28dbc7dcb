"""Compares what clients saw of a match with its log: every view and every event, folded again from the export."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Audience
from engine.match import aborting
from engine.match.commands import read_events, redact
from engine.match.replay import states_after_each
from services.client.match_subscriber import MatchSubscriber
from services.movelog.export.format import MatchDocument
from services.movelog.export.verification import logged_moves, moves_of


class Replayed:
    """A match replayed from its export: the state and the events after each move."""

    def __init__(self, game: AnyGame, document: MatchDocument) -> None:
        self._game = game
        self._states: list[Any] = []
        self._events: list[tuple[Any, ...]] = []
        self.seats: list[int | None] = []
        for move, state in states_after_each(game, logged_moves(moves_of(document))):
            self._states.append(state)
            self._events.append(read_events(game, move.events))
            self.seats.append(move.seat)

    @property
    def version(self) -> int:
        return len(self._states)

    def has_state(self, version: int) -> bool:
        """Return whether there is a state after a move; a match that never began has none."""
        return self._states[version - 1] is not None

    def view(self, version: int, audience: Audience) -> Any:
        """Return the view after a move, as plain JSON values."""
        return plain(self.typed_view(version, audience))

    def events(self, version: int, audience: Audience) -> Any:
        """Return the events of a move as an audience may see them, as plain JSON values."""
        return plain(self.typed_events(version, audience))

    def typed_view(self, version: int, audience: Audience) -> Any:
        """Return the view after a move, as the game's own struct."""
        aborted = aborting.is_abort(self._events[version - 1])
        # No match of the demo is ever paused.
        return aborting.view(self._game, self._states[version - 1], audience, aborted=aborted, paused=False)

    def typed_events(self, version: int, audience: Audience) -> tuple[Any, ...]:
        """Return the events of a move as an audience may see them, as the game's own structs."""
        return tuple([redact(self._game, event, audience) for event in self._events[version - 1]])


def plain(record: Any) -> Any:
    """Return a record as the JSON values a client would read."""
    return msgspec.json.decode(encode(record))


def differences(subscriber: MatchSubscriber, replayed: Replayed) -> Iterator[str]:
    """Yield the differences, as text, between everything a stream sent and the replay."""
    if subscriber.resets:
        yield f"the stream was reset {subscriber.resets} times"
    if subscriber.snapshot is None:
        yield "the stream sent no snapshot"
        return
    if subscriber.snapshot != replayed.view(subscriber.snapshot_version, subscriber.audience):
        yield f"the snapshot at version {subscriber.snapshot_version} is not the replayed view"
    seen = [move.version for move in subscriber.moves]
    wanted = list(range(subscriber.snapshot_version + 1, replayed.version + 1))
    if seen != wanted:
        yield f"versions with gaps or out of order: {first_gap(seen, wanted)}"
        return
    for move in subscriber.moves:
        if move.seat != replayed.seats[move.version - 1]:
            yield f"version {move.version}: the stream names seat {move.seat}"
        if move.events != replayed.events(move.version, subscriber.audience):
            yield f"version {move.version}: the events are not the replayed ones"


def first_gap(seen: list[int], wanted: list[int]) -> str:
    """Return where two lists of versions differ."""
    for position, version in enumerate(wanted):
        if position >= len(seen):
            return f"nothing after {seen[-1] if seen else 'the snapshot'}, the match ended at {wanted[-1]}"
        if seen[position] != version:
            return f"{seen[position]} came where {version} belongs"
    return f"{seen[len(wanted)]} came after the end"
