"""Nobody makes forks of a match without end: counted for each match and caller, whichever replica is asked."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import fork_pb2, lobby_pb2, match_service_pb2

OF_TOKEN, OF_TENANT = 3, 8


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """As few as a test can count; a server's settings say how many."""
    monkeypatch.setenv("FOLDTABLE_MAX_FORKS_PER_TOKEN", str(OF_TOKEN))
    monkeypatch.setenv("FOLDTABLE_MAX_FORKS_PER_TENANT", str(OF_TENANT))


async def fork(player: Player, match_id: str, **more: Any) -> Any:
    return await player.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id, **more))


async def many_at_once(players: list[Player], match_id: str, each: int) -> tuple[int, list[Refusal]]:
    answers = await asyncio.gather(
        *(fork(player, match_id) for player in players for _ in range(each)), return_exceptions=True
    )
    refusals = [Refusal.of(answer) for answer in answers if isinstance(answer, grpc.aio.AioRpcError)]
    return len(answers) - len(refusals), refusals


async def test_a_player_makes_so_many_and_not_one_more(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    one, other = (stack.player(token.token) for token in created.tokens)
    made, refusals = await many_at_once([one], match_id, OF_TOKEN + 1)
    assert made == OF_TOKEN
    (refusal,) = refusals
    assert (refusal.reason, refusal.code) == ("TOO_MANY_FORKS", grpc.StatusCode.FAILED_PRECONDITION)
    assert refusal.info.metadata["limit"] == str(OF_TOKEN)
    assert "play on in one of them" in refusal.message
    assert (await fork(other, match_id)).match.match_id, "the other player has the own count"
    another = (await tenant.create(2)).match.match_id
    assert (await many_at_once([tenant], another, OF_TENANT))[0] == OF_TENANT
    assert (await fork(tenant, match_id)).match.match_id, "every match is counted by itself"


async def test_two_replicas_count_together(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    token = created.tokens[0].token
    replicas = [stack.player(token), stack.player(token, address=await stack.serve())]
    made, refusals = await many_at_once(replicas, created.match.match_id, 10)
    assert (made, {refusal.reason for refusal in refusals}) == (OF_TOKEN, {"TOO_MANY_FORKS"})


async def test_fresh_tokens_of_a_seat_or_more_keys_of_a_tenant_count_as_one(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    issue = match_service_pb2.IssueSeatTokenRequest(match_id=match_id, seat=0)
    fresh = [stack.player((await tenant.call("IssueSeatToken", issue)).token.token) for _ in range(3)]
    assert (await many_at_once(fresh, match_id, 2))[0] == OF_TOKEN
    assert (await many_at_once([tenant, stack.player()], match_id, OF_TENANT))[0] == OF_TENANT


async def test_a_repeat_is_answered_however_many_were_made(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    player = stack.player(created.tokens[0].token)
    first = await fork(player, match_id, request_id="first")
    assert (await many_at_once([player], match_id, OF_TOKEN))[0] == OF_TOKEN - 1
    assert (await fork(player, match_id, request_id="first")).match.match_id == first.match.match_id


async def test_a_watch_token_has_a_count_of_its_own(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    issue = lobby_pb2.IssueWatchTokenRequest(match_id=match_id, role=lobby_pb2.WATCH_ROLE_SPECTATOR)
    watching = stack.player((await tenant.call("IssueWatchToken", issue)).token.token)
    assert (await many_at_once([watching], match_id, OF_TOKEN + 2))[0] == OF_TOKEN
