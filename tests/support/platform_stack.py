"""A platform service over a real socket and a real Postgres, and callers that speak to it. For tests of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rules_stack import Refusal

from foldtable.platform.v1 import platform_service_pb2 as pb
from foldtable.platform.v1 import platform_service_pb2_grpc
from services.identity.api_keys import ApiKey, issue_key
from services.identity.key_ring import KeyRing
from services.identity.match_tokens import MatchTokens
from services.identity.session_ring import SessionRing
from services.identity.tenants import create_tenant
from services.movelog.postgres.log import PostgresLog
from services.platform.server import PlatformServer
from services.platform.settings import PlatformSettings
from services.postgres.database import DatabaseSettings
from tests.support.vaults import new_vault


class Account:
    """Speaks PlatformService with one credential."""

    def __init__(self, address: str, credential: str | None) -> None:
        self.channel = grpc.aio.insecure_channel(address)
        self.stub = platform_service_pb2_grpc.PlatformServiceStub(self.channel)
        self.metadata = [("authorization", f"Bearer {credential}")] if credential else []

    async def call(self, method: str, request: Any) -> Any:
        return await getattr(self.stub, method)(request, metadata=self.metadata, timeout=30)

    async def refused(self, method: str, request: Any) -> Refusal:
        with pytest.raises(grpc.aio.AioRpcError) as failure:
            await self.call(method, request)
        return Refusal.of(failure.value)

    async def describe(self) -> Any:
        return (await self.call("DescribeCredential", pb.DescribeCredentialRequest())).credential


@dataclass
class Platform:
    """One platform service, and the means to become anybody."""

    log: PostgresLog
    address: str
    tokens: MatchTokens
    accounts: list[Account] = field(default_factory=list)

    async def issue(self, tenant: str, *scopes: str, **more: Any) -> tuple[ApiKey, str]:
        async with self.log.pool.connection() as connection:
            await create_tenant(connection, tenant)
            return await issue_key(connection, tenant, scopes, **more)

    async def holding(self, tenant: str, *scopes: str, **more: Any) -> Account:
        """A caller with a key of that tenant and those scopes."""
        return self.with_credential((await self.issue(tenant, *scopes, **more))[1])

    def with_credential(self, credential: str | None) -> Account:
        self.accounts.append(Account(self.address, credential))
        return self.accounts[-1]


@asynccontextmanager
async def running_platform(database_url: str) -> AsyncIterator[Platform]:
    tokens = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
    settings = PlatformSettings(
        listen="127.0.0.1:0",
        database_url=database_url,
        token_public_key_file="unused",
        webhook_key_file="unused",
        webhook_loopback=True,
        drain_seconds=1,
    )
    async with await PostgresLog.open(DatabaseSettings(database_url, pool_seconds=20)) as log:
        # A memory of no time: what a test revokes is revoked at once.
        keys, sessions = KeyRing(log.pool, remember_seconds=0), SessionRing(log.pool, remember_seconds=0)
        server = PlatformServer(settings, log, keys, tokens, new_vault(), sessions=sessions)
        platform = Platform(log, await server.start(), tokens)
        try:
            yield platform
        finally:
            for account in platform.accounts:
                await account.channel.close()
            await server.stop()
