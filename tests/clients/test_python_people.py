"""The Python client gives a seat to another player, and revokes everything that a player has, on the real stack."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest

from foldtable_client import Client, ProblemError
from tests.support.running_system import System

pytestmark = pytest.mark.slow


@pytest.fixture
def tenant(system: System) -> Iterator[Client]:
    with Client(system.address, system.key) as client:
        yield client


def test_a_replaced_player_is_out_and_the_new_one_plays(tenant: Client, system: System) -> None:
    bob, cleo = f"bob-{uuid4()}", f"cleo-{uuid4()}"
    made = tenant.create_match(game="river_dragons", seats=2, players=["", bob])
    match = made["match"]["match_id"]
    answer = tenant.replace_player(match, 1, player=cleo, name="Cleo", data={"colour": "teal"})
    seat = answer["match"]["seats"][1]
    assert (seat["player"], seat["name"], seat["data"]) == (cleo, "Cleo", {"colour": "teal"})
    assert [(one["player"], one["until_version"]) for one in seat["replaced"]] == [(bob, 1)]
    with (
        Client(system.address, made["seat_tokens"][1]["token"]) as old,
        Client(system.address, answer["seat_token"]["token"]) as new,
    ):
        legal = new.legal_actions(match, samples=1)
        with pytest.raises(ProblemError, match="no longer valid") as refused:
            old.move(match, legal["samples"][0], version=1)
        assert refused.value.reason == "SEAT_FORBIDDEN"
        assert new.move(match, legal["samples"][0], version=1)["version"] > 1


def test_everything_of_a_player_is_revoked(tenant: Client, system: System) -> None:
    bob = f"bob-{uuid4()}"
    made = tenant.create_match(game="river_dragons", seats=2, players=["", bob])
    code = tenant.players.login_code(bob)["code"]
    done = tenant.players.revoke_everything(bob)
    assert done == {"player": bob, "seats": 1, "login_codes": 1, "next_page_token": ""}
    assert tenant.players.revoke_everything(bob)["seats"] == 1
    with Client(system.address) as page, pytest.raises(ProblemError) as refused:
        page.players.redeem(code)
    assert refused.value.reason == "LOGIN_CODE_INVALID"
    with (
        Client(system.address, made["seat_tokens"][1]["token"]) as old,
        pytest.raises(ProblemError) as refused,
    ):
        old.table(made["match"]["match_id"])
    assert refused.value.reason == "SEAT_FORBIDDEN"
    with pytest.raises(ProblemError) as refused:
        tenant.players.revoke_everything(bob, "another page")
    assert refused.value.reason == "PAGE_TOKEN_INVALID"
