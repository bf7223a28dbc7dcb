"""Tenants: created and listed by the operator; a tenant sees and changes its own settings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.platform.v1.platform_service_pb2 import GetTenantRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Platform
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import accounts
from gateway.schemas.inputs import PageQuery
from gateway.translate import account_messages

router = APIRouter(tags=["accounts"], route_class=Operation, dependencies=[counted_for(Bucket.ADMIN)])


@router.post(
    "/v1/tenants",
    operation_id="createTenant",
    summary="Create a tenant",
    status_code=201,
    responses={201: answer("The tenant.", accounts.Tenant), **problems(403, 409)},
)
async def create_tenant(
    platform: Platform,
    body: Annotated[
        accounts.CreateTenantRequest, Body(openapi_examples={"acme": {"value": {"tenant": "acme"}}})
    ],
) -> Response:
    """Create a tenant. Scope `tenants:admin`."""
    created = await platform.write(platform.accounts.CreateTenant, account_messages.create_tenant(body))
    return json_answer(account_messages.tenant(created.tenant), 201)


@router.get(
    "/v1/tenants",
    operation_id="listTenants",
    summary="List tenants",
    responses={200: answer("A page of tenants.", accounts.TenantList), **problems(403)},
)
async def list_tenants(platform: Platform, query: Annotated[PageQuery, Query()]) -> Response:
    """List tenants, page by page. Scope `tenants:admin`."""
    page = await platform.read(platform.accounts.ListTenants, account_messages.list_tenants(query))
    return json_answer(account_messages.tenant_list(page))


@router.get(
    "/v1/tenant",
    operation_id="getTenant",
    summary="Describe the caller's own tenant",
    responses={200: answer("The tenant.", accounts.Tenant), **problems(403)},
)
async def get_tenant(platform: Platform) -> Response:
    """Return the tenant of the caller's API key, with its settings. Scope `matches:write`."""
    found = await platform.read(platform.accounts.GetTenant, GetTenantRequest())
    return json_answer(account_messages.tenant(found.tenant))


@router.patch(
    "/v1/tenant",
    operation_id="updateTenant",
    summary="Change the settings of the caller's own tenant",
    responses={200: answer("The tenant with its settings.", accounts.Tenant), **problems(403)},
)
async def update_tenant(
    platform: Platform,
    body: Annotated[
        accounts.UpdateTenantRequest,
        Body(
            openapi_examples={
                "public_matches_for_everybody": {"value": {"anonymous_read": True}},
                "vacations_of_a_week": {"value": {"vacation_days": 7}},
            }
        ),
    ],
) -> Response:
    """Change settings of the tenant of the caller's API key. Scope `matches:write`.

    A change of `anonymous_read` takes effect within ten seconds, on open streams too. One of `vacation_days` takes effect at once, and
    leaves vacations as they are.
    """
    changed = await platform.write(platform.accounts.UpdateTenant, account_messages.update_tenant(body))
    return json_answer(account_messages.tenant(changed.tenant))
