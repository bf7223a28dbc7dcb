"""What a credential is good for: every kind says so, and what counts no longer is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import grpc
import pytest
from platform_stack import Platform

from foldtable.platform.v1 import account_pb2
from foldtable.platform.v1 import platform_service_pb2 as pb
from services.identity.api_keys import revoke_key
from services.identity.callers import Callers
from services.identity.key_format import hash_of, new_key
from services.identity.key_ring import KeyRing
from services.identity.match_tokens import Role
from services.identity.player_sessions import PlayerSession, SessionScope
from services.identity.session_ring import SessionRing
from services.platform.accounts.credentials import Credentials
from services.postgres.database import DatabaseSettings, open_pool
from services.rpc.refusals import Refused

KINDS = {
    Role.SEAT: account_pb2.CREDENTIAL_KIND_SEAT,
    Role.SPECTATOR: account_pb2.CREDENTIAL_KIND_SPECTATOR,
    Role.REFEREE: account_pb2.CREDENTIAL_KIND_REFEREE,
    Role.INVITE: account_pb2.CREDENTIAL_KIND_INVITE,
}


@pytest.fixture
async def match_id(platform: Platform) -> UUID:
    """A match as the database has it: seat 0 is taken, seat 1 is for somebody invited, seat 2 is free."""
    match_id = uuid4()
    async with platform.log.pool.connection() as connection:
        await connection.execute(
            "INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, "
            "secret, commitment, status, seats_to_act, watch_generation) VALUES "
            "($1, now(), now(), 0, 3, 'acme', 'river_dragons', '1', '{}', '', '', 'waiting', '{}', 5)",
            (match_id,),
        )
        for seat, state in enumerate(("taken", "invited", "open")):
            await connection.execute(
                "INSERT INTO seats (match_id, seat, player, state, generation, invite_generation) "
                "VALUES ($1, $2::int, 'ada', $3::text, 3, 4)",
                (match_id, seat, state),
            )
    return match_id


def token(platform: Platform, role: Role, match: UUID, **changed: Any) -> str:
    """A token that counts, unless something is changed."""
    seat = {Role.SEAT: 0, Role.INVITE: 1}.get(role)
    generation = {Role.SEAT: 3, Role.INVITE: 4}.get(role, 5)
    said = {"match_id": match, "game": "river_dragons", "seat": seat, "generation": generation, **changed}
    return platform.tokens.mint(role=role, **said)[0]


@pytest.mark.parametrize("role", Role)
async def test_a_match_token_says_its_role_and_its_match(
    platform: Platform, match_id: UUID, role: Role
) -> None:
    said = await platform.with_credential(token(platform, role, match_id)).describe()
    assert said.kind == KINDS[role]
    assert (said.match_id, said.game) == (str(match_id), "river_dragons")
    assert said.HasField("expire_time")
    assert (said.tenant, list(said.scopes)) == ("", []), "a player need not know whose match it is"
    assert (said.seat if said.HasField("seat") else None) == {Role.SEAT: 0, Role.INVITE: 1}.get(role)


async def test_an_api_key_says_whose_it_is_and_what_for(platform: Platform) -> None:
    record, secret = await platform.issue("acme", "matches:write", "keys:write")
    said = await platform.with_credential(secret).describe()
    assert said.kind == account_pb2.CREDENTIAL_KIND_API_KEY
    assert (said.tenant, said.key_id) == ("acme", str(record.id))
    assert list(said.scopes) == ["keys:write", "matches:write"]
    assert not said.HasField("expire_time")


@pytest.mark.parametrize(
    ("role", "changed"),
    [
        pytest.param(Role.SEAT, {"generation": 2}, id="a seat's token that was revoked"),
        pytest.param(Role.SEAT, {"seat": 1}, id="a seat nobody has taken yet"),
        pytest.param(Role.SEAT, {"seat": 2}, id="a free seat"),
        pytest.param(Role.SEAT, {"seat": 9}, id="a seat that is not"),
        pytest.param(Role.INVITE, {"generation": 3}, id="an invite that was revoked"),
        pytest.param(Role.INVITE, {"seat": 0}, id="an invite that was used"),
        pytest.param(Role.SPECTATOR, {"generation": 4}, id="a spectator who was sent away"),
        pytest.param(Role.REFEREE, {"generation": 4}, id="a referee who was sent away"),
        pytest.param(Role.SEAT, {"match_id": uuid4()}, id="a match that is not"),
        pytest.param(Role.REFEREE, {"match_id": uuid4()}, id="a match that is not, for a referee"),
    ],
)
async def test_a_token_that_does_not_count_is_refused(
    platform: Platform, match_id: UUID, role: Role, changed: dict[str, Any]
) -> None:
    caller = platform.with_credential(token(platform, role, match_id, **changed))
    refusal = await caller.refused("DescribeCredential", pb.DescribeCredentialRequest())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")


async def test_a_session_is_described_as_the_database_knows_it_now(
    database_url: str, platform: Platform
) -> None:
    """A server that remembers says at once that a session was revoked elsewhere, while others still accept it."""
    async with remembering(platform, database_url) as (callers, described):
        session = platform.tokens.mint_session(ADA)
        authorization = f"Bearer {session}"
        await callers.authenticate(authorization)
        assert (await described.describe(authorization)).player == "ada"
        await SessionRing(platform.log.pool, remember_seconds=0).revoke("acme", "ada")
        with pytest.raises(Refused) as refusal:
            await described.describe(authorization)
        assert refusal.value.reason == "TOKEN_INVALID"


async def test_a_key_is_described_as_the_database_knows_it_now(database_url: str, platform: Platform) -> None:
    async with remembering(platform, database_url) as (callers, described):
        key, secret = await platform.issue("acme", "matches:read")
        authorization = f"Bearer {secret}"
        await callers.authenticate(authorization)
        assert (await described.describe(authorization)).key_id == str(key.id)
        async with platform.log.pool.connection() as connection:
            await revoke_key(connection, key.id)
        with pytest.raises(Refused) as refusal:
            await described.describe(authorization)
        assert refusal.value.reason == "TOKEN_INVALID"
        with pytest.raises(Refused):  # what was learnt holds for every other request, too
            await callers.authenticate(authorization)


async def test_a_key_that_somebody_guessed_before_is_described(database_url: str, platform: Platform) -> None:
    """A ring that has looked for a key in vain remembers that, but not for this."""
    async with remembering(platform, database_url) as (callers, described):
        await platform.issue("acme", "matches:read")
        secret = new_key("live")
        with pytest.raises(Refused):
            await callers.authenticate(f"Bearer {secret}")
        async with platform.log.pool.connection() as connection:
            await connection.execute(
                "UPDATE api_keys SET hash = $1::bytea WHERE tenant = 'acme'", (hash_of(secret),)
            )
        assert (await described.describe(f"Bearer {secret}")).tenant == "acme"


ADA = PlayerSession(
    tenant="acme",
    player="ada",
    scopes=frozenset({SessionScope.READ}),
    generation=0,
    expires_at=datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1),
)


@asynccontextmanager
async def remembering(platform: Platform, database_url: str) -> AsyncIterator[tuple[Callers, Credentials]]:
    """Callers and credentials of a server that remembers what it has looked up, as one in earnest does."""
    pool = await open_pool(DatabaseSettings(database_url), name="test", most=2)
    try:
        callers = Callers(KeyRing(pool), platform.tokens, SessionRing(pool))
        yield callers, Credentials(callers, pool)
    finally:
        await pool.close()
