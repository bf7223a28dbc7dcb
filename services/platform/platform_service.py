"""PlatformService: which function serves which call. Permissions are checked where each request is served."""

from __future__ import annotations

from foldtable.platform.v1 import platform_service_pb2 as pb
from services.identity.callers import Callers
from services.identity.service_table import ServiceTable, with_caller
from services.platform.accounts.credentials import Credentials
from services.platform.accounts.keys import KeyAdministration
from services.platform.accounts.tenants import TenantAdministration
from services.platform.directory.listing import Directory
from services.platform.live.servicer import LiveServicer
from services.platform.vacations.servicer import Vacations


def platform_service(
    *,
    callers: Callers,
    credentials: Credentials,
    tenants: TenantAdministration,
    keys: KeyAdministration,
    vacations: Vacations,
    directory: Directory,
    live: LiveServicer,
) -> ServiceTable:
    """Return foldtable.platform.v1.PlatformService."""

    async def describe(
        _request: pb.DescribeCredentialRequest, authorization: str | None
    ) -> pb.DescribeCredentialResponse:
        return pb.DescribeCredentialResponse(credential=await credentials.describe(authorization))

    return {
        "DescribeCredential": describe,
        **with_caller(
            callers,
            {
                # ── accounts
                "CreateTenant": tenants.create,
                "ListTenants": tenants.list,
                "GetTenant": tenants.get,
                "UpdateTenant": tenants.update,
                "CreateKey": keys.create,
                "ListKeys": keys.list,
                "RotateKey": keys.rotate,
                "RevokeKey": keys.revoke,
                # ── vacations
                "AnnounceVacation": vacations.announce,
                "ListVacations": vacations.page,
                "CancelVacation": vacations.cancel,
                # ── matches
                "ListMatches": directory.page,
            },
        ),
        # ── live
        "CreateStreamTicket": live.create_ticket,
        "RedeemStreamTicket": live.redeem_ticket,
        "ReadFeed": live.read_feed,
        "WatchFeed": live.watch_feed,
    }
