"""A running rules server for every test, and a platform that calls it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from follow_streams import Follower
from rules_stack import Player, Stack

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
async def follower(stack: Stack, tenant: Player) -> AsyncIterator[Follower]:
    """Somebody who follows matches over one stream."""
    one = Follower(tenant)
    yield one
    one.stream.cancel()
    await asyncio.gather(one._reading, return_exceptions=True)
