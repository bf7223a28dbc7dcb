"""The Python client announces, lists and cancels vacations, as a tenant and as a player, on the real stack."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from foldtable_client import Client, ProblemError
from tests.support.running_system import System

pytestmark = pytest.mark.slow


def in_days(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


@pytest.fixture
def tenant(system: System) -> Iterator[Client]:
    with Client(system.address, system.key) as client:
        yield client


@pytest.fixture
def name() -> str:
    """A player nobody else's test knows."""
    return f"ada-{uuid4()}"


@pytest.fixture
def ada(tenant: Client, system: System, name: str) -> Iterator[Client]:
    """A page of a player who may be away for two days a month."""
    tenant.patch("/v1/tenant", {"vacation_days": 2})
    with Client(system.address, tenant.players.session(name)["token"]) as page:
        yield page
    tenant.patch("/v1/tenant", {"vacation_days": 0})


def test_a_player_announces_and_comes_back(ada: Client, tenant: Client, name: str) -> None:
    made = ada.announce_vacation(until=in_days(0.5))
    assert (made["player"], made["by_tenant"]) == (name, False)
    assert list(ada.vacations()) == list(tenant.vacations(player=name)) == [made]
    ended = ada.cancel_vacation(made["vacation_id"])
    assert ended is not None
    assert ended["until"] < made["until"]
    assert list(ada.vacations()) == []
    assert list(ada.vacations(include_ended=True)) == [ended]
    with pytest.raises(ProblemError) as refused:
        ada.cancel_vacation(made["vacation_id"])
    assert refused.value.reason == "VACATION_OVER"
    with pytest.raises(ProblemError) as refused:
        ada.announce_vacation(since=in_days(40), until=in_days(60))
    assert refused.value.reason == "VACATION_DAYS_USED"


def test_a_tenant_announces_for_a_player_once(tenant: Client, name: str) -> None:
    since, until = in_days(40), in_days(70)
    made = [
        tenant.announce_vacation(player=name, since=since, until=until, request_id=f"of {name}")
        for _ in range(2)
    ]
    assert made[0] == made[1]
    later = [
        tenant.announce_vacation(player=name, since=in_days(day), until=in_days(day + 1)) for day in (80, 90)
    ]
    pages = tenant.vacations(player=name, page_size=1)
    assert [one["vacation_id"] for one in pages] == [one["vacation_id"] for one in (made[0], *later)]
    assert tenant.cancel_vacation(made[0]["vacation_id"]) is None
    with pytest.raises(ValueError, match=r"a/b"):
        tenant.cancel_vacation("a/b")
