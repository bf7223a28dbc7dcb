"""A seat whose player is erased names nobody; one that does is found."""

from __future__ import annotations

from typing import Any

import pytest

from services.audit.seats import SeatRow, altered_seats
from tests.support.match_documents import a_match

MATCH, _ = a_match(moves=3)


def row(seat: int, **more: Any) -> SeatRow:
    told: dict[str, Any] = {
        "tenant": MATCH.tenant,
        "match_open": False,
        "state": "taken",
        "joined_by": "created",
        "player": "",
        "name": "",
        "bot": "",
        "generation": 0,
        "invite_generation": 0,
        "salt": None,
        "erased": None,
    }
    return SeatRow(seat=seat, **told | more)


def found(**more: Any) -> list[tuple[str, str]]:
    return [(one.column, one.what) for one in altered_seats(MATCH, [row(0, **more), row(1)])]


def test_an_erased_player_is_no_finding_and_neither_is_a_named_one() -> None:
    assert found(erased=b"x" * 32) == []
    assert found(player="ada", name="Ada", salt=b"s" * 16) == []


@pytest.mark.parametrize(("column", "value"), [("player", "ada"), ("name", "Ada"), ("salt", b"s" * 16)])
def test_what_is_left_of_an_erased_player_is_found(column: str, value: object) -> None:
    assert found(erased=b"x" * 32, **{column: value}) == [(column, "the player is erased")]
