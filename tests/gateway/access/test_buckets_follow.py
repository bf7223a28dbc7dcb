"""One person's buckets follow through forks and rematches: fresh tokens are no fresh limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from gateway.access.auth import Authenticator, Caller
from gateway.access.public_keys import read_public_keys
from tests.gateway.conftest import World
from tests.gateway.requests import request
from tests.gateway.table import Platform, Table
from tests.support.processes import Process

READS = 30


@pytest.fixture(scope="module")
def strict(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A gateway at which a token may look a few times an hour."""
    log = tmp_path_factory.mktemp("strict") / "gateway.log"
    settings = world.gateway_settings(world.rules_address)
    with Process("gateway", log, rate_limits=f"token.reads={READS}/3600", **settings) as gateway:
        yield gateway.start()
        assert gateway.stop() == 0


@pytest.fixture
def authenticator(world: World) -> Authenticator:
    return Authenticator(
        *read_public_keys(world.folder / "token_public.pem", setting="token_public_key_file")
    )


def caller(authenticator: Authenticator, token: str) -> Caller:
    return authenticator.caller(request(headers={"Authorization": f"Bearer {token}"}))


def looks(url: str, path: str, token: str) -> int:
    """Look until told to wait, at most twice as often as may be; give how often it was allowed."""
    with httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=30) as client:
        for allowed in range(2 * READS):
            status = client.get(path).status_code
            if status == 429:
                return allowed
            assert status == 200
    return 2 * READS


def fork(table: Table, token: str) -> Any:
    headers = {"authorization": f"Bearer {token}"}
    made = table.platform.post(f"{table.path}/fork", json={}, headers=headers)
    assert made.status_code == 201, made.text
    return made.json()


def test_a_player_looks_no_more_often_with_the_tokens_of_forks(strict: str, table: Table) -> None:
    """Five forks were 10 tokens, and 330 looks where 30 are allowed."""
    token = table.players[0].token
    allowed = looks(strict, f"{table.path}/view", token)
    for made in [fork(table, token) for _ in range(5)]:
        path = f"/v1/matches/{made['match']['match_id']}/view"
        allowed += sum(looks(strict, path, given["token"]) for given in made["seat_tokens"])
    assert allowed == READS


def test_who_watches_looks_no_more_often_with_a_fork(strict: str, table: Table) -> None:
    watching = table.platform.post(f"{table.path}/watch-tokens", json={"role": "spectator"}).json()[
        "watch_token"
    ]["token"]
    made = fork(table, watching)
    path = f"/v1/matches/{made['match']['match_id']}/view"
    allowed = [looks(strict, path, given["token"]) for given in made["seat_tokens"]]
    assert [*allowed, looks(strict, f"{table.path}/view", watching)] == [READS, 0, 0]


def test_a_rematch_of_a_rematch_is_played_by_the_same_person(
    platform: Platform, authenticator: Authenticator
) -> None:
    """Also where the tenant makes it. Both move on by one seat each time, and keep their own account."""
    created = platform.create(2).json()
    seat_of = {"ada": 0, "bob": 1}
    tokens = {name: created["seat_tokens"][seat]["token"] for name, seat in seat_of.items()}
    holders = {name: caller(authenticator, token).holder for name, token in tokens.items()}
    assert holders["ada"] != holders["bob"]
    path = f"/v1/matches/{created['match']['match_id']}"
    for by_tenant in (False, True, False):
        assert platform.post(f"{path}/resign", json={"seat": 0}).status_code == 200
        askers = [{}] if by_tenant else [{"authorization": f"Bearer {token}"} for token in tokens.values()]
        answers = [platform.post(f"{path}/rematch", headers=asker).json() for asker in askers]
        given = {one["seat"]: one["token"] for answer in answers for one in answer["seat_tokens"]}
        seat_of = {name: 1 - seat for name, seat in seat_of.items()}
        tokens = {name: given[seat] for name, seat in seat_of.items()}
        assert {name: caller(authenticator, token).holder for name, token in tokens.items()} == holders
        path = f"/v1/matches/{answers[0]['match']['match_id']}"


def test_a_tenant_s_fork_gives_a_player_no_fresh_account(
    platform: Platform, authenticator: Authenticator
) -> None:
    seating = [{"player": "ada"}, {"player": "bob"}]
    created = platform.create(2, seating=seating).json()
    path = f"/v1/matches/{created['match']['match_id']}"
    seated = [{"player": "bob"}, {"player": "eve"}]
    forked = platform.post(f"{path}/fork", json={"seating": seated}).json()
    before = [caller(authenticator, one["token"]).holder for one in created["seat_tokens"]]
    after = [caller(authenticator, one["token"]).holder for one in forked["seat_tokens"]]
    assert after[0] == before[1], "bob"
    assert after[1] not in before, "eve sat not there"


def test_a_token_of_before_counts_for_its_seat(table: Table, authenticator: Authenticator) -> None:
    """It names no account, and a token of now for the same seat counts for the same."""
    one = caller(authenticator, table.players[0].token)
    assert one.claims is not None
    assert (one.claims.acc, one.holder) == ("", f"{table.match_id}/0/0")
    (first, _) = fork(table, table.players[0].token)["seat_tokens"]
    assert caller(authenticator, first["token"]).holder == one.holder


def test_the_account_shows_nowhere(table: Table, world: World) -> None:
    """Who made a fork, only the maker's own tokens say."""
    made = fork(table, table.players[1].token)
    account = f"{table.match_id}/1/0"
    path = f"/v1/matches/{made['match']['match_id']}"
    for where in (path, f"{path}/moves", f"{path}/export", "/v1/matches"):
        assert account not in table.platform.get(where).text
    assert account not in Path(world.gateway.log).read_text()
