"""Somebody who plants a leak is found out."""

from __future__ import annotations

from pathlib import Path

from tests.proofs.leaks.channels import CHANNELS
from tests.proofs.leaks.pairs import a_telling_pair
from tests.proofs.leaks.planted import PLANTS
from tests.proofs.leaks.playing import compared
from tests.support import ways

MOVES = 4
AT_ONCE = {
    "another's hand in an error message",
    "an entity tag is a hash of the whole table",
    "a webhook is not as thin as it says",
    "a log line for whoever debugs",
    "a metric with a card as its label",
}
"""None of them shows in a channel of another; `make prove P=leaks` plants every leak, one at a time."""
IN_ANSWERS_TO_MOVES = {
    "an accepted move says who is better off",
    "the answer to a move has a header that depends on the table",
    "a refusal says more than the rules server did",
}
"""One in every function by which a move is answered, in the gateway and in the rules server."""


def test_in_every_channel_a_leak_is_planted() -> None:
    assert frozenset().union(*(plant.channels for plant in PLANTS)) == CHANNELS.keys()


async def test_planted_leaks_are_found_each_in_its_channels(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    plants = [plant for plant in PLANTS if plant.name in AT_ONCE]
    assert len(plants) == len(AT_ONCE)
    found = await compared(
        [a_telling_pair(MOVES)], databases, tmp_path, close_looks=1, plants=plants, level="debug"
    )
    assert found.found_in == frozenset().union(*(plant.channels for plant in plants))
    taken = (ways.AS_A_WHOLE, ways.IN_PARTS, ways.ACCEPTED, ways.REPEATED, ways.STALE)
    assert found.ways.missing(taken) == [], f"also where every line is logged\n{found.ways}"


async def test_a_leak_in_any_function_that_answers_a_move_is_found(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    plants = [plant for plant in PLANTS if plant.name in IN_ANSWERS_TO_MOVES]
    assert len(plants) == len(IN_ANSWERS_TO_MOVES)
    found = await compared([a_telling_pair(MOVES)], databases, tmp_path, close_looks=1, plants=plants)
    assert found.found_in >= frozenset().union(*(plant.channels for plant in plants))
