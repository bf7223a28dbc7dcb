"""A running rules server for every test, and a platform that calls it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rules_stack import Player, Stack
from subscription_streams import Subscriber

from services.identity.match_tokens import MatchTokens


@pytest.fixture
def remembers() -> bool:
    """Whether servers cache what they know of players, as in earnest. Tests of revoked sessions say no: they do not wait for it."""
    return True


@pytest.fixture
async def stack(database_url: str, remembers: bool) -> AsyncIterator[Stack]:
    tokens = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
    stack = Stack(database_url, tokens, remember=remembers)
    try:
        stack.address = await stack.serve()
        yield stack
    finally:
        await stack.close()


@pytest.fixture
async def tenant(stack: Stack) -> Player:
    """A platform with its API key."""
    return stack.player()


@pytest.fixture
async def subscriber(stack: Stack, tenant: Player) -> AsyncIterator[Subscriber]:
    """Somebody who subscribes to matches over one stream."""
    one = Subscriber(tenant)
    yield one
    one.stream.cancel()
    await asyncio.gather(one._reading, return_exceptions=True)
