"""Login codes: exchanged once for a session of a player, by whoever has the code."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import lobby_pb2, player_session_pb2
from foldtable.matches.v1 import login_code_pb2 as pb
from services.identity import login_codes
from services.identity.login_codes import MAX_OPEN, SWEPT, LoginCodes, SignIn
from services.identity.player_sessions import EVERY_SCOPE
from services.identity.session_ring import SessionRing
from services.postgres.database import DatabaseSettings, Pool, open_pool

ADA = SignIn(tenant="acme", player="ada", scopes=EVERY_SCOPE, lifetime=timedelta(hours=1))
SOON = timedelta(minutes=1)


@pytest.fixture
def remembers() -> bool:
    """What is revoked here is revoked at once."""
    return False


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    async with await open_pool(DatabaseSettings(database_url), name="tests", most=20) as pool:
        yield pool


async def made(tenant: Player, player: str = "ada", *scopes: str, **more: Any) -> pb.CreateLoginCodeResponse:
    asked = pb.CreateLoginCodeRequest(player=player, scopes=scopes, **more)
    return await tenant.call("CreateLoginCode", asked)


async def code_of(codes: LoginCodes, sign_in: SignIn = ADA, validity: timedelta = SOON) -> str:
    given = await codes.create(sign_in, validity)
    assert given is not None
    return given[0]


async def refused(anybody: Player, code: str) -> Refusal:
    return await anybody.refused("RedeemLoginCode", pb.RedeemLoginCodeRequest(code=code))


async def revoke(tenant: Player, player: str = "") -> None:
    await tenant.call("RevokePlayerSessions", player_session_pb2.RevokePlayerSessionsRequest(player=player))


async def rows(pool: Pool) -> list[Any]:
    async with pool.connection() as connection:
        return await (await connection.execute("SELECT * FROM login_codes")).fetchall()


# ── creating and redeeming ─────────────────────────────────────────────────────────────────────────


async def test_a_code_is_exchanged_for_a_session_by_whoever_has_it(stack: Stack, tenant: Player) -> None:
    code = await made(tenant, "ada", "join", lifetime=Duration(seconds=60))
    assert code.code.startswith("lc_")
    assert code.player == "ada"
    left = code.expire_time.ToDatetime(UTC) - datetime.now(UTC)
    assert timedelta(minutes=9) < left <= timedelta(minutes=10)
    session = await stack.player(None).call("RedeemLoginCode", pb.RedeemLoginCodeRequest(code=code.code))
    assert (session.player, list(session.scopes)) == ("ada", ["join", "play", "read"])
    assert session.expire_time.ToDatetime(UTC) - datetime.now(UTC) <= timedelta(seconds=60)
    ada = stack.player(session.token)
    quick = lobby_pb2.QuickJoinRequest(game="river_dragons")
    assert (await ada.refused("QuickJoin", quick)).reason == "NO_OPEN_MATCH"


async def test_used_unknown_and_expired_codes_are_refused_alike(
    stack: Stack, tenant: Player, pool: Pool
) -> None:
    anybody = stack.player(None)
    used = (await made(tenant)).code
    await anybody.call("RedeemLoginCode", pb.RedeemLoginCodeRequest(code=used))
    expired = await code_of(LoginCodes(pool), validity=timedelta(seconds=-1))
    refusals = [await refused(anybody, code) for code in (used, expired, "lc_of_nobody", "", "\x00")]
    assert {(one.code, one.reason) for one in refusals} == {
        (grpc.StatusCode.UNAUTHENTICATED, "LOGIN_CODE_INVALID")
    }
    assert len({str(one) for one in refusals}) == 1


async def test_a_code_of_one_server_is_redeemed_at_another_once(stack: Stack, tenant: Player) -> None:
    code = (await made(tenant)).code
    other = stack.player(None, address=await stack.serve())
    assert (await other.call("RedeemLoginCode", pb.RedeemLoginCodeRequest(code=code))).player == "ada"
    assert (await refused(stack.player(None), code)).reason == "LOGIN_CODE_INVALID"


async def test_no_rush_makes_more_codes_wait_than_may_be(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through as many replicas: each has nothing but the database, and lingers before it commits."""
    lingering = f"{login_codes._CREATE.rstrip()}, pg_sleep(0.2) IS NULL AS lingered"
    assert "RETURNING expires_at, pg_sleep" in lingering
    monkeypatch.setattr(login_codes, "_CREATE", lingering)
    made = await asyncio.gather(
        *(LoginCodes(pool, most_open=5).create(ADA, timedelta(minutes=10)) for _ in range(20))
    )
    assert len([one for one in made if one is not None]) == 5


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"player": ""}, "$.player"),
        ({"player": "a" * 65}, "$.player"),
        ({"player": "ada", "scopes": ["admin"]}, "$.scopes"),
        ({"player": "ada", "lifetime": Duration(seconds=31 * 86_400)}, "$.lifetime"),
        ({"player": "ada", "validity": Duration(seconds=86_401)}, "$.validity"),
        ({"player": "ada", "validity": Duration(seconds=0)}, "$.validity"),
    ],
)
async def test_a_code_for_nobody_or_for_too_long_is_not_made(
    tenant: Player, asked: dict[str, Any], field: str
) -> None:
    refusal = await tenant.refused("CreateLoginCode", pb.CreateLoginCodeRequest(**asked))
    assert (refusal.reason, refusal.fields) == ("MALFORMED_REQUEST", [field])


# ── revoking ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("whose", ["ada", ""])
async def test_a_revocation_of_sessions_is_one_of_codes(stack: Stack, tenant: Player, whose: str) -> None:
    before = [(await made(tenant, player)).code for player in ("ada", "bob")]
    foreign = (await made(stack.player("ft_test_two"))).code
    await revoke(tenant, whose)
    anybody = stack.player(None)
    assert (await refused(anybody, before[0])).reason == "LOGIN_CODE_INVALID"
    after = (await made(tenant)).code
    for code in (after, foreign, *([before[1]] if whose else [])):
        assert await anybody.call("RedeemLoginCode", pb.RedeemLoginCodeRequest(code=code))
    if not whose:
        assert (await refused(anybody, before[1])).reason == "LOGIN_CODE_INVALID"


async def test_a_code_whose_row_outlived_the_revocation_is_revoked_all_the_same(pool: Pool) -> None:
    """A server that stopped between the two steps of a revocation, or a code made while it went on."""
    codes = LoginCodes(pool)
    code = await code_of(codes)
    await SessionRing(pool).revoke("acme", "ada")
    assert await codes.redeem(code) is None


async def test_a_session_of_a_code_knows_the_revocations_of_before(pool: Pool) -> None:
    await SessionRing(pool).revoke("acme", "ada")
    await SessionRing(pool).revoke("acme")
    sign_in = await LoginCodes(pool).redeem(await code_of(LoginCodes(pool)))
    assert sign_in is not None
    assert sign_in.generation == 2


# ── what is stored ─────────────────────────────────────────────────────────────────────────────────


async def test_only_the_hash_of_a_code_is_stored(pool: Pool) -> None:
    code = await code_of(LoginCodes(pool))
    (row,) = await rows(pool)
    assert hashlib.sha256(code.encode()).digest() in [bytes(cell) for cell in row if isinstance(cell, bytes)]
    assert code.removeprefix("lc_") not in str(row)


async def test_expired_codes_go_with_the_next_new_one(pool: Pool) -> None:
    codes = LoginCodes(pool)
    for _ in range(5):
        await code_of(codes, validity=timedelta(hours=-1))  # each takes those before it along
    assert len(await rows(pool)) == 1
    await code_of(codes)
    assert len(await rows(pool)) == 1
    assert SWEPT > 1, "they go faster than they come"


async def test_a_tenant_has_so_many_open_codes_only(pool: Pool) -> None:
    codes = LoginCodes(pool, most_open=2)
    first = await code_of(codes)
    await code_of(codes, validity=timedelta(seconds=-1))
    await code_of(codes)
    assert await codes.create(ADA, SOON) is None
    assert await codes.create(SignIn(tenant="other", player="ada", scopes=EVERY_SCOPE, lifetime=SOON), SOON)
    await codes.redeem(first)
    await code_of(codes)
    await codes.discard("acme", "bob")
    assert await codes.create(ADA, SOON) is None
    await codes.discard("acme", "ada")
    await code_of(codes)


async def test_too_many_codes_are_refused_with_the_limit(
    tenant: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        """As a tenant with very many gets it."""

    monkeypatch.setattr(LoginCodes, "create", full)
    refusal = await tenant.refused("CreateLoginCode", pb.CreateLoginCodeRequest(player="ada"))
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "TOO_MANY_LOGIN_CODES")
    assert dict(refusal.info.metadata) == {"limit": str(MAX_OPEN)}


async def test_a_code_is_in_no_log(
    stack: Stack, tenant: Player, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    code = (await made(tenant)).code
    anybody = stack.player(None)
    session = await anybody.call("RedeemLoginCode", pb.RedeemLoginCodeRequest(code=code))
    assert code not in str(await refused(anybody, code))
    logged = "".join([*capfd.readouterr(), caplog.text])
    assert "login code redeemed" in logged
    assert code not in logged
    assert session.token not in logged
