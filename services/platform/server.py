"""The gRPC server of the platform process, on top of a log."""

from __future__ import annotations

from typing import Final

from foldtable.platform.v1 import platform_service_pb2, webhook_service_pb2
from services.identity.callers import Callers, Keys, Sessions, Tokens
from services.identity.service_table import add_service
from services.identity.session_ring import SessionRing
from services.movelog.postgres.log import PostgresLog
from services.platform.accounts.credentials import Credentials
from services.platform.accounts.keys import KeyAdministration
from services.platform.accounts.tenants import TenantAdministration
from services.platform.directory.listing import Directory
from services.platform.live.feed_rows import FeedRows
from services.platform.live.feeds import Feeds
from services.platform.live.servicer import LiveServicer
from services.platform.live.tickets import Tickets
from services.platform.platform_service import platform_service
from services.platform.settings import PlatformSettings
from services.platform.vacations.servicer import Vacations
from services.rpc.server import RpcServer
from services.webhooks.api.deliveries import DeliveryAdministration
from services.webhooks.api.endpoints import WebhookAdministration
from services.webhooks.api.event_feed import EventFeed
from services.webhooks.api.webhook_service import webhook_service
from services.webhooks.vault import Vault

_PLATFORM_SERVICE: Final = platform_service_pb2.DESCRIPTOR.services_by_name["PlatformService"]
_WEBHOOK_SERVICE: Final = webhook_service_pb2.DESCRIPTOR.services_by_name["WebhookService"]
SERVICES: Final = (_PLATFORM_SERVICE.full_name, _WEBHOOK_SERVICE.full_name)


class PlatformServer:
    """PlatformService and WebhookService over the database of a log."""

    def __init__(
        self,
        settings: PlatformSettings,
        log: PostgresLog,
        keys: Keys,
        tokens: Tokens,
        vault: Vault,
        *,
        sessions: Sessions | None = None,
    ) -> None:
        """`sessions` knows which sessions were revoked; None: the database of the log, with a cache."""
        self._server = server = RpcServer(settings, SERVICES)
        callers = Callers(keys, tokens, sessions or SessionRing(log.pool))
        credentials = Credentials(callers, log.pool)
        platform = platform_service(
            callers=callers,
            credentials=credentials,
            tenants=TenantAdministration(log.pool),
            keys=KeyAdministration(log.pool),
            vacations=Vacations(log.pool),
            directory=Directory(log.pool),
            live=LiveServicer(
                callers=callers,
                credentials=credentials,
                tickets=Tickets(log.pool),
                feeds=Feeds(FeedRows(log.pool), log.subscribe_to_all),
                drain=server.drain,
            ),
        )
        add_service(server.grpc, _PLATFORM_SERVICE, platform)
        webhooks = webhook_service(
            callers=callers,
            endpoints=WebhookAdministration(log.pool, vault, loopback=settings.webhook_loopback),
            deliveries=DeliveryAdministration(log.pool),
            feed=EventFeed(log.events, log.subscribe_to_all, server.drain),
        )
        add_service(server.grpc, _WEBHOOK_SERVICE, webhooks)

    async def start(self) -> str:
        """Start listening; return the address with the actual port."""
        return await self._server.start()

    async def stop(self) -> None:
        """Drain, then close."""
        await self._server.stop()
