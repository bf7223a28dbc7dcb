"""What is good until a moment is good until that moment, to the microsecond: keys, match tokens, stream tickets."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gateway.access import auth
from gateway.access.auth import Authenticator
from gateway.problems.document import ProblemError
from services.identity import callers, match_tokens
from services.identity.api_keys import ApiKey, issue_key, rotate_key
from services.identity.callers import Callers
from services.identity.match_tokens import MatchTokens, TokenReader, TokenRefused
from services.identity.tenants import create_tenant
from services.platform.live import tickets
from services.platform.live.tickets import Tickets
from services.postgres.database import DatabaseSettings, Pool, open_pool
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from tests.gateway.requests import request

MICROSECOND: Final = timedelta(microseconds=1)
SECOND: Final = timedelta(seconds=1)
PRIVATE: Final = Ed25519PrivateKey.generate()
EDGES = pytest.mark.parametrize(
    ("left", "is_good"),
    [(SECOND, True), (MICROSECOND, True), (timedelta(0), False), (-MICROSECOND, False), (-SECOND, False)],
    ids=["a second before", "a microsecond before", "at its end", "a microsecond after", "a second after"],
)


@EDGES
def test_a_key(left: timedelta, is_good: bool) -> None:
    ends = datetime(2026, 3, 29, 2, tzinfo=UTC)
    key = ApiKey(
        id=UUID(int=1), tenant="one", prefix="ft", scopes=frozenset(), created_at=ends, expires_at=ends
    )
    assert key.has_expired(ends - left) is not is_good


def minted() -> tuple[str, datetime]:
    tokens = MatchTokens(PRIVATE, lifetime=timedelta(hours=1))
    return tokens.mint(match_id=UUID(int=1), game="river_dragons", seat=1, generation=0)


@EDGES
def test_a_match_token_that_was_read_before(
    monkeypatch: pytest.MonkeyPatch, left: timedelta, is_good: bool
) -> None:
    """Its signature is looked at once, its end every time."""
    token, ends = minted()
    reader = TokenReader(PRIVATE.public_key())
    assert reader.read(token).expires_at == ends
    standing = type("datetime", (datetime,), {"now": classmethod(lambda cls, zone: ends - left)})
    monkeypatch.setattr(match_tokens, "datetime", standing)
    if is_good:
        assert reader.read(token).seat == 1
    else:
        with pytest.raises(TokenRefused) as refused:
            reader.read(token)
        assert refused.value.expired


class Nobody:
    """No key and no session is asked for."""

    async def lookup(self, presented: str, *, fresh: bool = False) -> ApiKey | None:
        raise AssertionError(presented)

    async def generation(self, tenant: str, player: str, *, fresh: bool = False) -> int:
        raise AssertionError(player)


@EDGES
async def test_a_match_token_whose_holder_is_known(
    monkeypatch: pytest.MonkeyPatch, left: timedelta, is_good: bool
) -> None:
    """The way of most moves: nothing is read but the time."""
    token, ends = minted()
    known = Callers(Nobody(), TokenReader(PRIVATE.public_key()), Nobody())
    caller = await known.authenticate(f"Bearer {token}")
    standing = type("datetime", (datetime,), {"now": classmethod(lambda cls, zone: ends - left)})
    monkeypatch.setattr(callers, "datetime", standing)
    found = known.known(f"Bearer {token}")
    assert (None if found is None else found.caller) == (caller if is_good else None)


@EDGES
def test_a_match_token_at_the_gateway(
    monkeypatch: pytest.MonkeyPatch, left: timedelta, is_good: bool
) -> None:
    token, ends = minted()
    headers = {"Authorization": f"Bearer {token}"}
    authenticator = Authenticator(PRIVATE.public_key())
    assert authenticator.caller(request(headers=headers)).claims is not None
    monkeypatch.setattr(auth.time, "time", (ends - left).timestamp)
    if is_good:
        assert authenticator.caller(request(headers=headers)).claims is not None
    else:
        with pytest.raises(ProblemError) as refused:
            authenticator.caller(request(headers=headers))
        assert refused.value.reason.name == "TOKEN_EXPIRED"


@pytest.fixture
async def pool(database_url: str) -> AsyncIterator[Pool]:
    pool = await open_pool(DatabaseSettings(database_url), name="tests", most=2)
    async with pool:
        yield pool


@EDGES
async def test_a_stream_ticket(
    pool: Pool, monkeypatch: pytest.MonkeyPatch, left: timedelta, is_good: bool
) -> None:
    """Time is the database's, which stands still here."""
    kept, digest = Tickets(pool), os.urandom(32)
    ends = await kept.create(digest, b"sealed")
    async with pool.connection() as connection:
        await connection.execute("CREATE TABLE standing (still timestamptz)")
        await connection.execute("INSERT INTO standing VALUES ($1)", (ends - left,))
    assert "now()" in tickets._REDEEM
    monkeypatch.setattr(tickets, "_REDEEM", tickets._REDEEM.replace("now()", "(SELECT still FROM standing)"))
    if is_good:
        assert await kept.redeem(digest) == b"sealed"
    else:
        with pytest.raises(Refused) as refused:
            await kept.redeem(digest)
        assert refused.value.reason is Reason.TICKET_INVALID


@pytest.mark.parametrize("grace", [timedelta(0), timedelta(hours=1), timedelta(hours=3)])
async def test_a_key_that_is_replaced_goes_on_for_its_grace_and_never_longer_than_it_would_have(
    pool: Pool, grace: timedelta
) -> None:
    async with pool.connection() as connection:
        await create_tenant(connection, "one")
        ends = datetime.now(UTC) + timedelta(hours=2)
        old, _ = await issue_key(connection, "one", ["matches:read"], environment="test", expires_at=ends)
        async with connection.transaction():
            row = await (await connection.execute("SELECT now()")).fetchone()
            assert row is not None
            *_, replaced = await rotate_key(connection, old.id, grace=grace)
    assert replaced.expires_at == min(ends, row[0] + grace)
