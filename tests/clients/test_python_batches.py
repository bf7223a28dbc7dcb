"""The Python client creates many matches with one call, on the real stack."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from foldtable_client import AsyncClient, Client, ProblemError, types
from tests.support.running_system import System

pytestmark = pytest.mark.slow


@pytest.fixture
def tenant(system: System) -> Iterator[Client]:
    with Client(system.address, system.key) as client:
        yield client


def boards(run: str, count: int = 3) -> list[types.BatchedMatch]:
    return [
        {"game": "river_dragons", "seats": 2, "players": ["ada", "bob"], "reference": f"{run}/{board}"}
        for board in range(count)
    ]


def test_all_matches_exist_or_none(tenant: Client) -> None:
    run = str(uuid4())
    with pytest.raises(ProblemError) as refused:
        tenant.create_matches(
            mode="all", matches=[*boards(run), {"game": "river_dragons", "seats": 9}], request_id=run
        )
    assert refused.value.reason == "SEAT_COUNT"
    assert refused.value.document["errors"][0]["pointer"] == "/matches/3/seats"
    assert list(tenant.matches(reference=f"{run}/0")) == []

    made = tenant.create_matches(mode="all", matches=boards(run), request_id=run)["results"]
    assert [one["created"]["match"]["reference"] for one in made] == [f"{run}/{board}" for board in range(3)]
    assert [len(one["created"]["seat_tokens"]) for one in made] == [2, 2, 2]
    again = tenant.create_matches(mode="all", matches=boards(run), request_id=run)["results"]
    assert [one["created"]["match"] for one in again] == [one["created"]["match"] for one in made]


async def test_each_is_created_or_refused_by_itself(system: System) -> None:
    run = str(uuid4())
    async with AsyncClient(system.address, system.key) as tenant:
        await tenant.create_matches(mode="each", matches=boards(run, 1))
        results = (await tenant.create_matches(mode="each", matches=boards(run)))["results"]
    assert [one["problem"]["reason"] if "problem" in one else "" for one in results] == [
        "REFERENCE_TAKEN",
        "",
        "",
    ]
