"""A forged die is found and named, though the forger knew the secret and made every hash anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.registry import GAMES
from services.movelog.export.format import read_document
from services.movelog.export.json_difference import json_pointer
from services.movelog.export.verification import Verification, verify_document
from services.movelog.records import Match, Move
from tests.support.match_documents import a_match, document_of, relinked
from tests.support.winding_matches import a_winding_match


def verified(match: Match, rows: Sequence[Move]) -> Verification:
    return verify_document(read_document(document_of(match, rows, "Ada", "Bo")))


def numbers(value: Any, steps: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], int]]:
    """Yield every number in JSON, and where it stands."""
    if isinstance(value, dict | list):
        for step, inside in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(inside, (*steps, step))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield steps, value


def forged(row: Move, steps: Sequence[Any], number: int) -> Move:
    """Return a row with another number in its events."""
    events = msgspec.json.decode(row.events)
    inside = events
    for step in steps[:-1]:
        inside = inside[step]
    inside[steps[-1]] = number
    return replace(row, events=msgspec.json.encode(events))


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("played", [a_match, a_winding_match])
def test_every_number_that_luck_may_have_given_is_named_when_it_was_forged(game_id: str, played: Any) -> None:
    match, rows = played(game_id=game_id, moves=40)
    honest = verified(match, rows)
    assert honest.ok
    assert honest.decided_again
    exactly = 0
    for place in {draw.move - 1 for draw in honest.draws}:
        row = rows[place]
        for steps, number in numbers(msgspec.json.decode(row.events)):
            changed = (*rows[:place], forged(row, steps, number + 1), *rows[place + 1 :])
            found = verified(match, relinked(match, changed))
            assert not found.ok
            assert found.difference_version == place + 1
            where = json_pointer(("moves", place, "events"))
            assert found.difference_pointer.startswith(where), found
            if found.difference_pointer == where + json_pointer(steps):
                assert found.difference_event == steps[0]
                assert (found.expected, found.found) == (str(number), str(number + 1))
                exactly += 1
    assert exactly > 0, "to the number itself, where the forged event can be read at all"
