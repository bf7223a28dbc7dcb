"""Which service the platform process offers, around a log."""

from __future__ import annotations

from typing import Final

from foldtable.platform.v1 import (
    platform_service_pb2,
    platform_service_pb2_grpc,
    webhook_service_pb2,
    webhook_service_pb2_grpc,
)
from services.movelog.postgres import PostgresLog
from services.platform.credentials import Credentials
from services.platform.delivery_administration import DeliveryAdministration
from services.platform.directory import Directory
from services.platform.event_feed import EventFeed
from services.platform.feed_rows import FeedRows
from services.platform.feeds import Feeds
from services.platform.key_administration import KeyAdministration
from services.platform.live_servicer import LiveServicer
from services.platform.platform_servicer import PlatformServicer
from services.platform.settings import PlatformSettings
from services.platform.tenant_administration import TenantAdministration
from services.platform.tickets import Tickets
from services.platform.webhook_administration import WebhookAdministration
from services.platform.webhook_servicer import WebhookServicer
from services.rpc.callers import Callers, Keys, Tokens
from services.rpc.server import RpcServer
from services.webhooks.vault import Vault

SERVICES: Final = (
    platform_service_pb2.DESCRIPTOR.services_by_name["PlatformService"].full_name,
    webhook_service_pb2.DESCRIPTOR.services_by_name["WebhookService"].full_name,
)


class PlatformServer:
    """PlatformService and WebhookService over the database of a log."""

    def __init__(
        self, settings: PlatformSettings, log: PostgresLog, keys: Keys, tokens: Tokens, vault: Vault
    ) -> None:
        self._server = server = RpcServer(settings, SERVICES)
        callers = Callers(keys, tokens)
        credentials = Credentials(callers, log.pool)
        servicer = PlatformServicer(
            callers=callers,
            credentials=credentials,
            tenants=TenantAdministration(log.pool),
            keys=KeyAdministration(log.pool),
            directory=Directory(log.pool),
            live=LiveServicer(
                callers=callers,
                credentials=credentials,
                tickets=Tickets(log.pool),
                feeds=Feeds(FeedRows(log.pool), log.hear),
                drain=server.drain,
            ),
        )
        platform_service_pb2_grpc.add_PlatformServiceServicer_to_server(servicer, server.grpc)
        webhooks = WebhookServicer(
            callers=callers,
            endpoints=WebhookAdministration(log.pool, vault, loopback=settings.webhook_loopback),
            deliveries=DeliveryAdministration(log.pool),
            feed=EventFeed(log.events, log.hear, server.drain),
        )
        webhook_service_pb2_grpc.add_WebhookServiceServicer_to_server(webhooks, server.grpc)

    async def start(self) -> str:
        """Listen; give the address with the port that was taken."""
        return await self._server.start()

    async def stop(self) -> None:
        """Drain and close."""
        await self._server.stop()
