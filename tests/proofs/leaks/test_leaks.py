"""Two runs that differ only in what an audience cannot know tell it the same, to the byte, in every channel."""

from __future__ import annotations

from pathlib import Path

from engine.kernel.seats import PUBLIC, Seat, seat_audience
from tests.proofs.leaks.channels import CHANNELS
from tests.proofs.leaks.coverage import UNHEARD_CALLS, UNHEARD_OPERATIONS, unheard_calls, unheard_operations
from tests.proofs.leaks.pairs import a_telling_pair, any_pair
from tests.proofs.leaks.playing import compared

MOVES = 5


async def test_what_an_audience_is_told_does_not_depend_on_what_it_cannot_know(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    pairs = [
        a_telling_pair(MOVES),
        any_pair("al_rashid", PUBLIC, 0, MOVES),
        any_pair("river_of_gold", seat_audience(Seat(1)), 0, MOVES),
    ]
    found = await compared(pairs, databases, tmp_path, close_looks=1)
    assert found.differences == [], "\n".join(map(str, found.differences))
    assert found.channels == CHANNELS.keys(), "a channel was not listened to"
    assert unheard_operations(found.asked) == UNHEARD_OPERATIONS
    assert unheard_calls(found.asked) == UNHEARD_CALLS
    assert found.ways.missing() == [], f"production takes each of them\n{found.ways}"
