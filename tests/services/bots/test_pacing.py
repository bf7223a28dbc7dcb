"""How long a bot waits: as long as the match says, but never so long that its own time runs out."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from services.bots.pacing import PacedMatch, Pause, pause_of
from services.bots.playing import Player, Seat

MATCH = b'{"version":7,"bot_pace_seconds":%b,"clocks":%b}'
CLOCKS = b'{"as_of":"2026-05-04T12:00:00.000000Z","seats":[{"seat":0,"left_seconds":900.0},{"seat":1,"left_seconds":%b}]}'


def paced(pace: bytes, clocks: bytes = b"null") -> PacedMatch:
    return msgspec.json.decode(MATCH % (pace, clocks), type=PacedMatch)


def test_without_a_clock_it_is_what_the_match_says() -> None:
    assert pause_of(paced(b"1.5"), 1) == Pause(7, 1.5)


@pytest.mark.parametrize(
    ("left", "seconds"),
    [(b"600.0", 2.0), (b"20.0", 2.0), (b"10.0", 1.0), (b"0.5", 0.05), (b"0.0", 0.0), (b"-1.0", 0.0)],
)
def test_with_a_clock_it_is_at_most_a_tenth_of_the_seats_time(left: bytes, seconds: float) -> None:
    assert pause_of(paced(b"2", CLOCKS % left), 1).seconds == pytest.approx(seconds)


def test_a_budget_never_runs_out_by_waiting() -> None:
    left = 60.0
    for _ in range(1_000):
        left -= pause_of(paced(b"30", CLOCKS % str(left).encode()), 1).seconds
        assert left > 0


def test_a_gateway_of_the_release_before_names_no_pace() -> None:
    assert msgspec.json.decode(b'{"version":7,"title":""}', type=PacedMatch).bot_pace_seconds == 0


class Table:
    """A gateway at which somebody moves while the bot waits."""

    async def get(self, *_: Any, **__: Any) -> bytes:
        return b'{"version":8,"samples":[{"type":"pass"}]}'

    async def move(self, *_: Any) -> Any:
        raise AssertionError("it moves without having waited for the newest move")


async def test_after_a_newer_move_it_waits_again_instead_of_moving() -> None:
    player = Player(Table(), None, 0.1)  # type: ignore[arg-type]  # stand-ins
    assert await player.turn(Seat("m", 1, "river_dragons", "random"), 7)
