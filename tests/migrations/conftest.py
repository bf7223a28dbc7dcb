"""A database as a release left it, and our services on it once it was brought to the newest schema."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rules_stack import Player, Stack

from migrations.migrate import migrate
from services.identity.key_ring import KeyRing
from services.identity.match_tokens import MatchTokens
from tests.proofs.upgrades.rows import load
from tests.proofs.upgrades.samples import Sample, stored

Served = Callable[[str, str], AbstractAsyncContextManager[Player]]


@pytest.fixture(params=stored())
def sample(request: pytest.FixtureRequest) -> Sample:
    """What is kept of a release."""
    return Sample(request.param)


@pytest.fixture
def old_url(sample: Sample, empty_database_url: str) -> str:
    """A database with the schema and the rows of that release."""
    migrate(empty_database_url, sample.revision)
    with psycopg.connect(empty_database_url) as connection:
        load(connection, sample.rows)
    return empty_database_url


@pytest.fixture
def served() -> Served:
    """Serve a database with our rules server; give its tenant, whose key the database knows."""

    @asynccontextmanager
    async def serve(url: str, key: str) -> AsyncIterator[Player]:
        tokens = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
        stack = Stack(url, tokens, keys=lambda log: KeyRing(log.pool))
        try:
            yield stack.player(key, address=await stack.serve())
        finally:
            await stack.close()

    return serve
