"""The Python client exports and erases a player, and deletes a match, on the real stack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from foldtable_client import Client, ProblemError
from tests.support.running_system import System

pytestmark = pytest.mark.slow


@pytest.fixture
def tenant(system: System) -> Iterator[Client]:
    with Client(system.address, system.key) as client:
        yield client


def test_a_player_is_exported_and_erased(tenant: Client) -> None:
    eve = f"eve-{uuid4().hex}"
    plan: dict[str, Any] = {
        "game": "river_dragons",
        "seats": 2,
        "seating": [{"player": "ada"}, {"player": eve}],
    }
    match_id = tenant.create_match(**plan)["match"]["match_id"]
    tenant.update_seat(match_id, 1, name="Eve")
    assert [(one["kind"], one["match_id"], one["name"]) for one in tenant.players.kept(eve)] == [
        ("seat", match_id, "Eve")
    ]
    done = tenant.players.erase(eve)
    assert (done["player"], done["seats"], done["done"]) == (eve, 1, True)
    assert list(tenant.players.kept(eve)) == []
    assert [seat["player"] for seat in tenant.match(match_id)["seats"]] == ["ada", ""]
    assert tenant.verify(match_id)["ok"]


def test_a_match_is_deleted_once_and_for_all(tenant: Client) -> None:
    match_id = tenant.create_match(game="river_dragons", seats=2)["match"]["match_id"]
    for _ in range(2):
        tenant.delete(match_id)
    with pytest.raises(ProblemError) as refused:
        tenant.match(match_id)
    assert (refused.value.status, refused.value.reason) == (404, "MATCH_NOT_FOUND")
