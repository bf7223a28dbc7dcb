"""A move that was decided on an older version stands only where nothing that matters to it lies between."""

from __future__ import annotations

import pytest

from tests.proofs.faults.history import MatchHistory, Row
from tests.proofs.faults.notes import Sent, What
from tests.proofs.faults.requests_checked import by_match
from tests.proofs.faults.versions_checked import check_expected
from tests.proofs.faults.violations import Rule

SEATS = (None, 0, 1, 0, 2)
"""Who has made which move; the start is nobody's."""
WAITED_FOR = {1: (0, 1), 2: (1,), 3: (0,), 4: (0, 2), 5: ()}
"""At versions 1 and 4 two decisions are open together."""
MATCH = MatchHistory(
    match="m",
    game="river_dragons",
    version=5,
    status="ended",
    rows=tuple(
        Row(version=version, seat=seat, request_id=f"r{version}", request="{}", hash="")
        for version, seat in enumerate(SEATS, start=1)
    ),
    seen={},
    hashes={},
    replay="",
    offline="",
)


def decided_on(expected: int | None, version: int, attempt: int = 1) -> Sent:
    """Send the request that became the move of a version."""
    return Sent(
        at=0,
        attempt=attempt,
        match="m",
        game="river_dragons",
        what=What.MOVE,
        seat=SEATS[version - 1],
        request_id=f"r{version}",
        body="{}",
        expected=expected,
        via="gateway 0",
        manner="stale",
    )


def found(*sent: Sent) -> list[str]:
    violations = list(check_expected(MATCH, by_match(sent, [])["m"], WAITED_FOR))
    assert {one.rule for one in violations} <= {Rule.EXPECTED}
    return [one.text.partition(": ")[2] for one in violations]


@pytest.mark.parametrize(
    ("expected", "version"),
    [
        pytest.param(1, 2, id="the one before"),
        pytest.param(1, 3, id="an older one, since when another seat has decided what was open with it"),
        pytest.param(None, 4, id="none"),
    ],
)
def test_a_move_may_stand_on(expected: int | None, version: int) -> None:
    assert found(decided_on(expected, version)) == []


@pytest.mark.parametrize(
    ("expected", "version", "why"),
    [
        pytest.param(0, 2, "", id="no version at all"),
        pytest.param(2, 2, "is move 2", id="its own version"),
        pytest.param(9, 4, "is move 4", id="a version that is yet to come"),
        pytest.param(1, 4, "seat 0 has made move 2 itself", id="one before a move of its own seat"),
        pytest.param(
            2, 4, "seat 0 had nothing to decide at version 2", id="one at which it was not waited for"
        ),
    ],
)
def test_a_move_may_not_stand_on(expected: int, version: int, why: str) -> None:
    (text,) = found(decided_on(expected, version))
    assert text.startswith(f"decided on version {expected}, and is move {version}")
    assert why in text


def test_of_several_attempts_at_a_request_one_may_have_made_it() -> None:
    assert found(decided_on(2, 4), decided_on(3, 4, attempt=2)) == []
