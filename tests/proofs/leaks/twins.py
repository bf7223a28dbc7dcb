"""Twins: two matches that an audience cannot tell apart, though what it cannot know differs between them.

Both have the same secret, so the same commitment and the same luck wherever the audience can see it. They differ in what
the others chose in secret (a program, a card), and in draws whose outcome the audience cannot see: for the twin those are
answered from a table. Every event looks the same to the audience, and so does the table after it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from engine.kernel import chance as luck
from engine.kernel.chance import Draw, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.seats import Audience, Seat
from engine.match.replay import fold
from engine.match.requests import decide_request, read_request, start_request
from engine.registry import game as registered_game
from engine.river_dragons.actions import SubmitProgram
from tests.engine.knowledge_properties import received
from tests.support.our_games import encoded_options

Place = tuple[int, int]
"""Of a draw: the number of the move and its own."""
Altered = Mapping[Place, int]
"""What is drawn in the twin instead."""

START_TRIES: Final = 40
"""Draws of the setup that are tried to be altered; each costs a setup."""
OTHER_CHOICES: Final = 4
OTHER_DRAWS: Final = 24
"""Draws of a move that are tried to be altered."""
OTHER_ACTIONS: Final = 6
"""So many actions are tried before a pair ends because each would tell the two apart."""
CALM: Final = 15
"""Moves that every third pair makes alike before it begins to differ, so that secrets of the start may have come to light."""


@dataclass(frozen=True)
class Row:
    """A move that both make, or that each makes in its own way, unseen."""

    seat: Seat
    truth: bytes
    twin: bytes


@dataclass(frozen=True)
class Twins:
    """Two matches, as the requests that make them."""

    game: str
    seats: int
    options: bytes
    audience: Audience
    """Who cannot tell them apart."""
    secret: bytes = field(repr=False)
    rows: tuple[Row, ...]
    altered: Altered
    tables_differ: int
    """At so many versions the two tables are not the same."""

    @property
    def versions(self) -> int:
        return len(self.rows) + 1


@contextmanager
def altered_luck(altered: Mapping[bytes, Altered]) -> Iterator[None]:
    """Answer some draws of matches with these secrets from tables; all other luck is as ever."""
    real = luck.DrawKey

    class AlteredKey(real):  # type: ignore[valid-type, misc]  # a class is a value here
        def __init__(self, secret: bytes) -> None:
            super().__init__(secret)
            self._altered = altered.get(secret, {})

        def raw_draw(self, move: int, number: int) -> int:
            instead = self._altered.get((move, number))
            return int(super().raw_draw(move, number) if instead is None else instead)

    luck.DrawKey = AlteredKey  # type: ignore[misc]  # until the twins are made
    try:
        yield
    finally:
        luck.DrawKey = real  # type: ignore[misc]  # as above


def make_twins(
    game_id: str, audience: Audience, number: int, *, moves: int, seats: int | None = None
) -> Twins | None:
    """Make the pair of this number, of so many moves at most; None if nothing hidden could be made to differ."""
    return _Making(game_id, audience, number, seats).play(moves)


class _Making:
    """Plays both, move by move, as long as some move keeps them alike to the audience."""

    def __init__(self, game_id: str, audience: Audience, number: int, seats: int | None) -> None:
        self._game: AnyGame = registered_game(game_id)
        self._audience = audience
        mark = f"{game_id} {audience.kind.value} {audience.seat} {number}".encode()
        self._secret = hashlib.sha256(b"secret " + mark).digest()
        self._whims = SeededChance(hashlib.sha256(b"whims " + mark).digest(), 0)
        counts = [count for count in self._game.seat_counts if audience.seat is None or count > audience.seat]
        self._seats = seats or counts[self._whims.below(len(counts))]
        self._calm = CALM if number % 3 == 2 else 0
        variants = encoded_options(game_id)
        self._options = encode(self._game.options_codec.decode(variants[number % len(variants)]))
        self._altered: dict[Place, int] = {}
        self._truth: Any = None
        self._twin: Any = None
        self._rows: list[Row] = []
        self._tables_differ = 0

    def play(self, moves: int) -> Twins | None:
        self._start()
        while len(self._rows) < moves and self._move():
            pass
        if not self._tables_differ:
            return None
        return Twins(
            game=self._game.id,
            seats=self._seats,
            options=self._options,
            audience=self._audience,
            secret=self._secret,
            rows=tuple(self._rows),
            altered=dict(self._altered),
            tables_differ=self._tables_differ,
        )

    def _start(self) -> None:
        """Deal the same to both, then alter one draw after the other wherever the audience sees no difference."""
        request = start_request(self._game.options_codec.decode(self._options), self._seats)
        events, draws = self._decided(None, None, request, {})
        looks, altered = self._looks(events), dict(self._altered)
        twin = events
        for draw in self._some(draws, START_TRIES):
            tried = altered | self._other_outcome(draw)
            dealt, _ = self._decided(None, None, request, tried)
            if (
                dealt != twin
                and self._looks(dealt) == looks
                and self._stands_alike(None, events, None, dealt)
            ):
                altered, twin = tried, dealt
        self._altered = altered
        self._take_in(events, twin)

    def _move(self) -> bool:
        """Make one more move in both; False if the match is over, or whatever was tried would tell them apart."""
        waited_for = self._game.to_act(self._truth)
        assert waited_for == self._game.to_act(self._twin), "the audience sees who is waited for"
        for _ in range(OTHER_ACTIONS if waited_for else 0):
            seat = waited_for[self._whims.below(len(waited_for))]
            action = self._game.sample(self._truth, seat, self._whims)
            if self._make(seat, encode(action)):
                return True
        return False

    def _make(self, seat: Seat, truth: bytes) -> bool:
        events, draws = self._decided(self._truth, seat, truth, {})
        if self._game.outcome(fold(self._game, events, self._truth)) is not None:
            return False  # what an ended match held is open to all
        looks = self._looks(events)
        alike = None
        for twin, altered in self._ways(seat, truth, draws):
            try:
                dealt, _ = self._decided(self._twin, seat, twin, altered)
            except RuleViolation:
                continue
            if self._looks(dealt) != looks or not self._stands_alike(self._truth, events, self._twin, dealt):
                continue
            alike = (twin, altered, dealt)
            if dealt != events:
                break
        if alike is None:
            return False
        twin, altered, dealt = alike
        self._altered = dict(altered)
        self._rows.append(Row(seat, truth, twin))
        self._take_in(events, dealt)
        return True

    def _ways(self, seat: Seat, truth: bytes, draws: Sequence[Draw]) -> Iterator[tuple[bytes, Altered]]:
        """Ways the twin may take: as the truth, choosing otherwise, drawing otherwise."""
        yield truth, self._altered
        if len(self._rows) < self._calm:
            return
        if seat != self._audience.seat:
            for other in self._other_choices(seat, truth):
                yield other, self._altered
        for draw in self._some(draws, OTHER_DRAWS):
            yield truth, {**self._altered, **self._other_outcome(draw)}

    def _other_choices(self, seat: Seat, truth: bytes) -> Iterator[bytes]:
        action = read_request(self._game, truth)
        if isinstance(action, SubmitProgram):  # the last slots show last, so the pair lasts
            yield encode(SubmitProgram(cards=(*action.cards[:-2], *reversed(action.cards[-2:]))))
        for _ in range(OTHER_CHOICES):
            yield encode(self._game.sample(self._twin, seat, self._whims))

    def _other_outcome(self, draw: Draw) -> dict[Place, int]:
        if draw.bound == 1:
            return {}
        other = (draw.value + 1 + self._whims.below(draw.bound - 1)) % draw.bound
        return {(draw.move, draw.number): other}

    def _some(self, draws: Sequence[Draw], most: int) -> Sequence[Draw]:
        """Return so many of the draws in any order; where there are fewer, each as often as there is room."""
        if len(draws) > most:
            return self._whims.shuffled(draws)[:most]
        return [*draws] * (most // max(1, len(draws)))

    def _decided(
        self, state: Any, seat: Seat | None, request: bytes, altered: Altered
    ) -> tuple[tuple[Any, ...], Sequence[Draw]]:
        move = SeededChance(self._secret, len(self._rows) + (1 if state is None else 2))
        with altered_luck({self._secret: altered}):
            events = decide_request(self._game, state, seat, read_request(self._game, request), move)
        return events, move.draws

    def _looks(self, events: Sequence[Any]) -> list[bytes]:
        return [encode(self._game.redact(event, self._audience)) for event in events]

    def _stands_alike(self, truth: Any, events: Sequence[Any], twin: Any, dealt: Sequence[Any]) -> bool:
        tables = fold(self._game, events, truth), fold(self._game, dealt, twin)
        return received(self._game, tables[0], self._audience) == received(
            self._game, tables[1], self._audience
        )

    def _take_in(self, events: Sequence[Any], dealt: Sequence[Any]) -> None:
        self._truth = fold(self._game, events, self._truth)
        self._twin = fold(self._game, dealt, self._twin)
        self._tables_differ += self._truth != self._twin
