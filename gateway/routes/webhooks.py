"""Webhook endpoints: create, show, change, delete, replace secrets."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.platform.v1 import webhook_service_pb2 as pb
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Platform
from gateway.headers import NO_STORE
from gateway.http.answers import json_answer
from gateway.http.path_parameters import EndpointId
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import webhooks
from gateway.schemas.inputs import ABSENT
from gateway.translate import webhook_messages

router = APIRouter(tags=["webhooks"], route_class=Operation, dependencies=[counted_for(Bucket.ADMIN)])


@router.post(
    "/v1/webhooks/endpoints",
    operation_id="createEndpoint",
    summary="Create a webhook endpoint",
    status_code=201,
    responses={201: answer("The endpoint.", webhooks.EndpointSecret), **problems(403, 409)},
)
async def create_endpoint(
    platform: Platform,
    body: Annotated[
        webhooks.CreateEndpointRequest,
        Body(
            openapi_examples={
                "whose_turn": {
                    "value": {
                        "url": "https://example.com/hooks",
                        "event_types": ["turn.started", "match.ended"],
                    }
                }
            }
        ),
    ],
) -> Response:
    """Create a webhook endpoint. The response shows its secret only this once. Scope `webhooks:write`; at most 20 endpoints.

    From now on, events are posted to it as CloudEvents, signed by Standard Webhooks; see `webhooks` in this document.
    """
    created = await platform.write(platform.webhooks.CreateEndpoint, webhook_messages.create_endpoint(body))
    return json_answer(webhook_messages.created_endpoint(created), 201)


@router.get(
    "/v1/webhooks/endpoints",
    operation_id="listEndpoints",
    summary="List webhook endpoints",
    responses={200: answer("The endpoints.", webhooks.EndpointList), **problems(403)},
)
async def list_endpoints(platform: Platform) -> Response:
    """List the tenant's webhook endpoints, oldest first. Scope `webhooks:write`."""
    found = await platform.read(platform.webhooks.ListEndpoints, pb.ListEndpointsRequest())
    return json_answer(webhook_messages.endpoint_list(found))


@router.get(
    "/v1/webhooks/endpoints/{endpoint_id}",
    operation_id="getEndpoint",
    summary="Show a webhook endpoint",
    responses={200: answer("The endpoint.", webhooks.Endpoint), **problems(403, 404)},
)
async def get_endpoint(platform: Platform, endpoint_id: EndpointId) -> Response:
    """Show a webhook endpoint: its settings, its status, and since when deliveries have failed. Scope `webhooks:write`."""
    found = await platform.read(platform.webhooks.GetEndpoint, pb.GetEndpointRequest(endpoint_id=endpoint_id))
    return json_answer(webhook_messages.endpoint(found.endpoint))


@router.patch(
    "/v1/webhooks/endpoints/{endpoint_id}",
    operation_id="updateEndpoint",
    summary="Change a webhook endpoint",
    responses={200: answer("The endpoint as it is now.", webhooks.Endpoint), **problems(403, 404)},
)
async def update_endpoint(
    platform: Platform,
    endpoint_id: EndpointId,
    body: Annotated[
        webhooks.UpdateEndpointRequest, Body(openapi_examples={"switch_off": {"value": {"enabled": False}}})
    ],
) -> Response:
    """Change a webhook endpoint. Absent fields stay as they are. Scope `webhooks:write`.

    Pending events are sent at once when an endpoint is enabled again or gets another URL. Events that happened while it was
    disabled were not queued for it; `resend` sends them if the feed still has them.
    """
    changed = await platform.write(
        platform.webhooks.UpdateEndpoint,
        webhook_messages.update_endpoint(
            body,
            endpoint_id=endpoint_id,
            event_types=None if body.event_types is ABSENT else pb.EventTypes(names=body.event_types),
        ),
    )
    return json_answer(webhook_messages.endpoint(changed.endpoint))


@router.delete(
    "/v1/webhooks/endpoints/{endpoint_id}",
    operation_id="deleteEndpoint",
    summary="Delete a webhook endpoint",
    status_code=204,
    responses={204: answer("The endpoint is deleted."), **problems(403, 404)},
)
async def delete_endpoint(platform: Platform, endpoint_id: EndpointId) -> Response:
    """Delete a webhook endpoint and its pending deliveries. Scope `webhooks:write`."""
    await platform.write(
        platform.webhooks.DeleteEndpoint, pb.DeleteEndpointRequest(endpoint_id=endpoint_id), in_query=True
    )
    return Response(status_code=204, headers=NO_STORE)


@router.post(
    "/v1/webhooks/endpoints/{endpoint_id}/rotate",
    operation_id="rotateEndpointSecret",
    summary="Replace a webhook endpoint's secret",
    status_code=201,
    responses={
        201: answer("The endpoint and its new secret.", webhooks.EndpointSecret),
        **problems(403, 404),
    },
)
async def rotate_secret(
    platform: Platform,
    endpoint_id: EndpointId,
    body: Annotated[
        webhooks.RotateSecretRequest, Body(openapi_examples={"at_once": {"value": {"grace_seconds": 0}}})
    ] = webhooks.RotateSecretRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Issue a new secret for a webhook endpoint. For a while, requests carry two signatures, one with each secret.

    Scope `webhooks:write`.
    """
    rotated = await platform.write(
        platform.webhooks.RotateEndpointSecret,
        webhook_messages.rotate_secret(body, endpoint_id=endpoint_id),
    )
    return json_answer(webhook_messages.rotated_secret(rotated), 201)
