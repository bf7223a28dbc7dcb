"""For whom a caller looks and acts. Who may call what at all: tests/e2e/test_authorisation_matrix.py."""

from __future__ import annotations

from rules_stack import FIVE_CARDS, Player, Stack, act, program

from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import table_pb2


def seat(number: int) -> table_pb2.Audience:
    return table_pb2.Audience(kind=table_pb2.Audience.KIND_SEAT, seat=number)


async def test_a_seat_looks_and_acts_as_itself_or_the_public(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(3)
    match_id = created.match.match_id
    player = stack.player(created.tokens[1].token)
    assert (await player.view(match_id)).audience == seat(1)
    assert (await player.view(match_id, audience=seat(1))).audience == seat(1)
    public = table_pb2.Audience(kind=table_pb2.Audience.KIND_PUBLIC)
    assert (await player.view(match_id, audience=public)).audience == public
    accepted = await player.call("Act", act(match_id, program(*FIVE_CARDS), 1))
    assert accepted.version == 2


async def test_a_tenant_mints_a_fresh_token_for_a_taken_seat(stack: Stack, tenant: Player) -> None:
    match = (await tenant.create()).match
    fresh = await tenant.call("IssueSeatToken", pb.IssueSeatTokenRequest(match_id=match.match_id, seat=1))
    assert (await stack.player(fresh.token.token).view(match.match_id)).audience == seat(1)


async def test_a_tenant_names_the_seat_it_acts_for(tenant: Player) -> None:
    match = (await tenant.create()).match
    refusal = await tenant.refused("Act", act(match.match_id, program(*FIVE_CARDS), 1))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.seat"])
    refusal = await tenant.refused("Act", act(match.match_id, program(*FIVE_CARDS), 1, seat=2))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", ["$.seat"])
