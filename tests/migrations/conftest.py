"""A database as a release left it, and our services on it once it was brought to the newest schema."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rules_stack import Player

from engine.registry import GAMES
from migrations.migrate import migrate
from services.database import DatabaseSettings
from services.movelog.postgres import PostgresLog
from services.platform.key_ring import KeyRing
from services.platform.match_tokens import MatchTokens
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from tests.upgrades.rows import load
from tests.upgrades.samples import Sample, stored

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
        settings = RulesSettings(
            games=tuple(GAMES),
            listen="127.0.0.1:0",
            database_url=url,
            token_private_key_file="unused",
            drain_seconds=1,
        )
        tokens = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
        async with await PostgresLog.open(DatabaseSettings(url)) as log:
            server = RulesServer(settings, log, KeyRing(log.pool), tokens)
            player = Player(await server.start(), key)
            try:
                yield player
            finally:
                await player.channel.close()
                await server.stop()

    return serve
