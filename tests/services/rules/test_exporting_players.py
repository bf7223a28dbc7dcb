"""Everything that is kept of one player is exported, page by page, for the tenant whose player it is; and of nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from rules_stack import Player, Stack

from foldtable.matches.v1 import (
    forgetting_pb2,
    fork_pb2,
    lobby_pb2,
    login_code_pb2,
    player_session_pb2,
    replacing_pb2,
)
from foldtable.matches.v1 import match_service_pb2 as pb
from services.movelog.events import EventType
from services.rpc.cursors import cursor
from services.rules.forgetting.kept import KINDS
from services.rules.forgetting.personal_data import NOTHING_PERSONAL, OF_PLAYERS, WRITTEN_BY_PLATFORMS
from tests.support.traces import columns_of

EVES = lobby_pb2.SeatPlan(player="eve", name="Eve", data=b'{"colour":"teal"}')
ADA = lobby_pb2.SeatPlan(player="ada", name="Ada")
OPEN = lobby_pb2.SeatPlan(kind=lobby_pb2.SEATING_KIND_OPEN)
Record = dict[str, Any]


async def page(tenant: Player, player: str = "eve", **more: Any) -> forgetting_pb2.ExportPlayerResponse:
    return await tenant.call("ExportPlayer", forgetting_pb2.ExportPlayerRequest(player=player, **more))


async def exported(tenant: Player, player: str = "eve", size: int = 100) -> list[Record]:
    """Return all records, read in pages of a size."""
    found: list[Record] = []
    token = ""
    while True:
        one = await page(tenant, player, page_size=size, page_token=token)
        assert len(one.records) <= size
        found += map(msgspec.json.decode, one.records)
        token = one.next_page_token
        if not token:
            return found


def of_kind(records: Sequence[Record], kind: str) -> list[Record]:
    return [one for one in records if one["kind"] == kind]


async def everything(stack: Stack, tenant: Player) -> str:
    """Make something of every kind; return the match that Eve plays."""
    await stack.logs[0].events.record("one", list(EventType))
    created = await tenant.create(2, seating=[ADA, OPEN], title="Friday night")
    match_id: str = created.match.match_id
    await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=match_id, player="bob"))
    replace = replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=1, player="eve", name="Eve")
    await tenant.call("ReplacePlayer", replace)
    before = await tenant.create(2, seating=[ADA, EVES])
    replace = replacing_pb2.ReplacePlayerRequest(match_id=before.match.match_id, seat=1, player="cleo")
    await tenant.call("ReplacePlayer", replace)
    revoke = player_session_pb2.RevokePlayerSessionsRequest(player="eve")
    await tenant.call("RevokePlayerSessions", revoke)
    await tenant.call("CreateLoginCode", login_code_pb2.CreateLoginCodeRequest(player="eve"))
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "INSERT INTO vacations (id, tenant, player, since, until, by_tenant) "
            "VALUES (gen_random_uuid(), 'one', 'eve', now(), now() + interval '1 day', true)"
        )
    session = await tenant.call(
        "CreatePlayerSession", player_session_pb2.CreatePlayerSessionRequest(player="eve")
    )
    await stack.player(session.token).call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match_id))
    return match_id


@pytest.fixture
def remembers() -> bool:
    return False


async def test_there_is_a_record_of_everything(stack: Stack, tenant: Player) -> None:
    match_id = await everything(stack, tenant)
    records = await exported(tenant)
    assert {one["kind"] for one in records} == set(KINDS)
    (seat,) = [one for one in of_kind(records, "seat") if one["match_id"] == match_id]
    assert (seat["seat"], seat["name"], seat["title"], seat["status"]) == (
        1,
        "Eve",
        "Friday night",
        "running",
    )
    (earlier,) = of_kind(records, "earlier_seat")
    assert (earlier["player"], earlier["name"], earlier["until_version"]) == ("eve", "Eve", 1)
    assert "salt" not in earlier
    assert [one["type"] for one in of_kind(records, "event")] == ["seat.replaced"]
    assert [one["type"] for one in of_kind(records, "event_of_replacement")] == ["seat.replaced"]
    (code,) = of_kind(records, "login_code")
    assert code.keys() == {"kind", "scopes", "expires_at"}, "nothing that signs anybody in"
    assert len(of_kind(records, "vacation")) == len(of_kind(records, "sessions")) == 1
    assert all(next(iter(one)) == "kind" for one in records)


@pytest.mark.parametrize(
    "data",
    [b'{"a":"\\u0000"}', b'{"a":1.50,"b":9007199254740991,"c":1e300}', b'{"z":1,"a":[null,""]}', b'"alone"'],
)
async def test_the_data_of_a_seat_is_exported_byte_for_byte_whatever_it_is(
    tenant: Player, data: bytes
) -> None:
    created = await tenant.create(2, seating=[ADA, lobby_pb2.SeatPlan(player="eve", data=data)])
    (seat,) = (await page(tenant)).records
    assert b'"data":' + created.match.seats[1].data + b"," in seat
    assert created.match.seats[1].data
    assert msgspec.json.decode(seat)["match_id"] == created.match.match_id


async def test_a_seat_without_data_says_so(tenant: Player) -> None:
    await tenant.create(2, seating=[lobby_pb2.SeatPlan(player="eve"), ADA])
    assert [one["data"] for one in await exported(tenant)] == [None]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
async def test_pages_of_any_size_have_every_record_once(stack: Stack, tenant: Player, size: int) -> None:
    await everything(stack, tenant)
    for _ in range(3):
        await tenant.create(2, seating=[ADA, EVES])
    whole = await exported(tenant)
    assert await exported(tenant, size=size) == whole


async def test_nothing_of_anybody_else_is_in_it(stack: Stack, tenant: Player) -> None:
    await everything(stack, tenant)
    other = stack.player("ft_test_two")
    assert await exported(other) == []
    await other.create(2, seating=[ADA, EVES])
    assert [one["kind"] for one in await exported(other)] == ["seat"]
    assert await exported(tenant, "nobody") == []
    text = msgspec.json.encode(await exported(tenant))
    assert not any(name in text for name in (b'"ada"', b'"Ada"', b'"bob"', b'"cleo"'))


async def test_after_erasing_there_is_nothing(stack: Stack, tenant: Player) -> None:
    await everything(stack, tenant)
    await tenant.call("ErasePlayer", forgetting_pb2.ErasePlayerRequest(player="eve"))
    assert await exported(tenant) == []


async def test_a_key_that_may_read_exports_and_nobody_else(stack: Stack, tenant: Player) -> None:
    await tenant.create(2, seating=[ADA, EVES])
    assert len(await exported(stack.player("ft_test_one_looks"))) == 1
    request = forgetting_pb2.ExportPlayerRequest(player="eve")
    assert (
        await stack.player("ft_test_one_other").refused("ExportPlayer", request)
    ).reason == "SCOPE_MISSING"
    session = await tenant.call(
        "CreatePlayerSession", player_session_pb2.CreatePlayerSessionRequest(player="eve")
    )
    assert (await stack.player(session.token).refused("ExportPlayer", request)).reason == "TENANT_ONLY"


@pytest.mark.parametrize("token", ["x", "AAAAAA", "x" * 600])
async def test_a_token_of_another_listing_is_refused(tenant: Player, token: str) -> None:
    await tenant.create(2, seating=[ADA, EVES])
    for _ in range(2):
        await tenant.create(2, seating=[ADA, EVES])
    of_another = (await page(tenant, page_size=1)).next_page_token
    for wrong in (token, of_another):
        request = forgetting_pb2.ExportPlayerRequest(player="ada", page_token=wrong)
        assert (await tenant.refused("ExportPlayer", request)).reason == "PAGE_TOKEN_INVALID"


FAR = "99999999999999999999"
ID = "0190a5f2-0000-7000-8000-000000000001"


FORGED = (
    f"|x|0|0 |0 2|1 x|2 x|3 x|3 0|3 2 x 00000|3 7 {ID} 00000|3 0 {ID} {FAR}|3 0 {ID} 00000 0|4 x|4 {ID} 00001"
    f"|5 x|5 {FAR}|6 x|6 {FAR}|6 -1|7 x|8 |\u0663 "
)


@pytest.mark.parametrize("position", FORGED.split("|"))
async def test_a_forged_position_is_refused(tenant: Player, position: str) -> None:
    """A token is not sealed: whoever knows how it is made can make one."""
    forged = cursor(position, ("export player", "one", "ada"))
    request = forgetting_pb2.ExportPlayerRequest(player="ada", page_token=forged)
    refused = await tenant.refused("ExportPlayer", request)
    assert (refused.reason, refused.fields) == ("PAGE_TOKEN_INVALID", ["$.page_token"])


@pytest.mark.parametrize(
    "position", ["0 1", f"2 {ID}", f"3 1 {ID} 00001", f"4 {ID} 00001 00001", f"6 {FAR.replace('9', '0')}"]
)
async def test_a_position_that_a_page_can_end_at_is_read(tenant: Player, position: str) -> None:
    token = cursor(position, ("export player", "one", "ada"))
    assert not (await page(tenant, "ada", page_token=token)).records


def test_every_column_of_the_database_is_of_a_player_of_a_platform_or_nobodys(database_url: str) -> None:
    """A new column has to be thought about: is it erased, and exported?"""
    named = OF_PLAYERS.keys() | WRITTEN_BY_PLATFORMS.keys()
    nobodys = {(table, column) for table, columns in NOTHING_PERSONAL.items() for column in columns.split()}
    assert not named & nobodys
    assert columns_of(database_url) == named | nobodys
