"""PlatformService: requests in, responses out. Permissions are checked where each request is served."""

from __future__ import annotations

from collections.abc import AsyncIterator

from foldtable.platform.v1 import directory_pb2, feed_pb2, platform_service_pb2_grpc, ticket_pb2
from foldtable.platform.v1 import platform_service_pb2 as pb
from services.identity.callers import AnyCaller, Callers, Context, authorization_of
from services.platform.accounts.credentials import Credentials
from services.platform.accounts.keys import KeyAdministration
from services.platform.accounts.tenants import TenantAdministration
from services.platform.directory.listing import Directory
from services.platform.live.servicer import LiveServicer


class PlatformServicer(platform_service_pb2_grpc.PlatformServiceServicer):
    """foldtable.platform.v1.PlatformService."""

    def __init__(
        self,
        *,
        callers: Callers,
        credentials: Credentials,
        tenants: TenantAdministration,
        keys: KeyAdministration,
        directory: Directory,
        live: LiveServicer,
    ) -> None:
        self._callers = callers
        self._credentials = credentials
        self._tenants = tenants
        self._keys = keys
        self._directory = directory
        self._live = live

    async def _caller(self, context: Context) -> AnyCaller:
        return await self._callers.authenticate(authorization_of(context))

    # ── accounts ───────────────────────────────────────────────────────────────────────────────────

    async def DescribeCredential(
        self, request: pb.DescribeCredentialRequest, context: Context
    ) -> pb.DescribeCredentialResponse:
        described = await self._credentials.describe(authorization_of(context))
        return pb.DescribeCredentialResponse(credential=described)

    async def CreateTenant(
        self, request: pb.CreateTenantRequest, context: Context
    ) -> pb.CreateTenantResponse:
        return await self._tenants.create(await self._caller(context), request)

    async def ListTenants(self, request: pb.ListTenantsRequest, context: Context) -> pb.ListTenantsResponse:
        return await self._tenants.list(await self._caller(context), request)

    async def GetTenant(self, request: pb.GetTenantRequest, context: Context) -> pb.GetTenantResponse:
        return await self._tenants.get(await self._caller(context), request)

    async def UpdateTenant(
        self, request: pb.UpdateTenantRequest, context: Context
    ) -> pb.UpdateTenantResponse:
        return await self._tenants.update(await self._caller(context), request)

    async def CreateKey(self, request: pb.CreateKeyRequest, context: Context) -> pb.CreateKeyResponse:
        return await self._keys.create(await self._caller(context), request)

    async def ListKeys(self, request: pb.ListKeysRequest, context: Context) -> pb.ListKeysResponse:
        return await self._keys.list(await self._caller(context), request)

    async def RotateKey(self, request: pb.RotateKeyRequest, context: Context) -> pb.RotateKeyResponse:
        return await self._keys.rotate(await self._caller(context), request)

    async def RevokeKey(self, request: pb.RevokeKeyRequest, context: Context) -> pb.RevokeKeyResponse:
        return await self._keys.revoke(await self._caller(context), request)

    # ── matches ────────────────────────────────────────────────────────────────────────────────────

    async def ListMatches(
        self, request: directory_pb2.ListMatchesRequest, context: Context
    ) -> directory_pb2.ListMatchesResponse:
        return await self._directory.page(await self._caller(context), request)

    # ── live ───────────────────────────────────────────────────────────────────────────────────────

    async def CreateStreamTicket(
        self, request: ticket_pb2.CreateStreamTicketRequest, context: Context
    ) -> ticket_pb2.CreateStreamTicketResponse:
        return await self._live.create_ticket(authorization_of(context), request)

    async def RedeemStreamTicket(
        self, request: ticket_pb2.RedeemStreamTicketRequest, context: Context
    ) -> ticket_pb2.RedeemStreamTicketResponse:
        return await self._live.redeem_ticket(request)

    async def ReadFeed(
        self, request: feed_pb2.ReadFeedRequest, context: Context
    ) -> feed_pb2.ReadFeedResponse:
        return await self._live.read_feed(authorization_of(context), request)

    async def WatchFeed(
        self, request: feed_pb2.WatchFeedRequest, context: Context
    ) -> AsyncIterator[feed_pb2.WatchFeedResponse]:
        async for update in self._live.watch_feed(authorization_of(context), request):
            yield update
