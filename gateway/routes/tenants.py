"""Tenants: created and listed by the operator."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1 import platform_service_pb2 as pb
from gateway import account_messages
from gateway.bodies import read_json
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.platform_client import call_platform
from gateway.queries import read_query
from gateway.rate_limits import Bucket
from gateway.schemas import accounts
from gateway.schemas.requests import NoQuery

_CREATE_TENANT: Final = msgspec.json.Decoder(accounts.CreateTenantRequest)


async def create_tenant(request: Request) -> Response:
    """Create a tenant. Scope `tenants:admin`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _CREATE_TENANT)
    created = await call_platform(
        gateway.platform.stub.CreateTenant,
        pb.CreateTenantRequest(tenant=body.tenant),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(account_messages.tenant(created.tenant), 201)


async def list_tenants(request: Request) -> Response:
    """List tenants, a page at a time. Scope `tenants:admin`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    query = read_query(request, accounts.PageQuery)
    page = await call_platform(
        gateway.platform.stub.ListTenants,
        pb.ListTenantsRequest(page_size=query.page_size, page_token=query.page_token),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    tenants = [account_messages.tenant(tenant) for tenant in page.tenants]
    return json_answer(accounts.TenantList(tenants=tenants, next_page_token=page.next_page_token))


_BODY_PROBLEMS: Final = (400, 403, 413, 415)

ROUTES: Final = (
    documented(
        "POST",
        "/v1/tenants",
        create_tenant,
        operation_id="createTenant",
        summary="Create a tenant",
        tag="accounts",
        body=accounts.CreateTenantRequest,
        body_examples={"acme": {"tenant": "acme"}},
        answers={201: Answer(description="The tenant.", shape=accounts.Tenant)},
        problems=(*_BODY_PROBLEMS, 409),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "GET",
        "/v1/tenants",
        list_tenants,
        operation_id="listTenants",
        summary="List tenants",
        tag="accounts",
        query=accounts.PageQuery,
        answers={200: Answer(description="A page of tenants.", shape=accounts.TenantList)},
        problems=(400, 403),
        bucket=Bucket.ADMIN,
    ),
)
