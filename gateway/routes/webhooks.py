"""Webhook endpoints: created, shown, changed, deleted, given new secrets."""

from __future__ import annotations

from typing import Final

import msgspec
from google.protobuf.duration_pb2 import Duration
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from foldtable.platform.v1 import webhook_service_pb2 as pb
from gateway import webhook_messages
from gateway.bodies import read_json
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import NO_STORE, json_answer
from gateway.platform_client import call_platform
from gateway.queries import endpoint_id, read_query
from gateway.rate_limits import Bucket
from gateway.schemas import webhooks
from gateway.schemas.requests import NoQuery

_CREATE: Final = msgspec.json.Decoder(webhooks.CreateEndpointRequest)
_UPDATE: Final = msgspec.json.Decoder(webhooks.UpdateEndpointRequest)
_ROTATE: Final = msgspec.json.Decoder(webhooks.RotateSecretRequest)


async def create_endpoint(request: Request) -> Response:
    """Create a webhook endpoint. Its secret is told here only. Scope `webhooks:write`; at most 20 endpoints.

    Events are posted to it from now on, as CloudEvents, signed by Standard Webhooks; see `webhooks` in this document.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _CREATE)
    created = await call_platform(
        gateway.platform.webhooks.CreateEndpoint,
        pb.CreateEndpointRequest(url=body.url, event_types=body.event_types, description=body.description),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    answer = webhooks.EndpointSecret(
        endpoint=webhook_messages.endpoint(created.endpoint), secret=created.secret
    )
    return json_answer(answer, 201)


async def list_endpoints(request: Request) -> Response:
    """List the tenant's webhook endpoints, oldest first. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    found = await call_platform(
        gateway.platform.webhooks.ListEndpoints,
        pb.ListEndpointsRequest(),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return json_answer(
        webhooks.EndpointList(endpoints=[webhook_messages.endpoint(one) for one in found.endpoints])
    )


async def get_endpoint(request: Request) -> Response:
    """Show a webhook endpoint: how it stands, and since when it fails. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    found = await call_platform(
        gateway.platform.webhooks.GetEndpoint,
        pb.GetEndpointRequest(endpoint_id=endpoint_id(request)),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return json_answer(webhook_messages.endpoint(found.endpoint))


async def update_endpoint(request: Request) -> Response:
    """Change a webhook endpoint; what is absent stays as it is. Scope `webhooks:write`.

    One that is enabled again, or moved to another URL, is sent at once what has waited. What happened while it was
    disabled was not kept for it; `resend` sends it where the feed has it.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    endpoint = endpoint_id(request)
    body = await read_json(request, _UPDATE)
    changed = await call_platform(
        gateway.platform.webhooks.UpdateEndpoint,
        pb.UpdateEndpointRequest(
            endpoint_id=endpoint,
            url=None if body.url is UNSET else body.url,
            event_types=None if body.event_types is UNSET else pb.EventTypes(names=body.event_types),
            description=None if body.description is UNSET else body.description,
            enabled=None if body.enabled is UNSET else body.enabled,
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(webhook_messages.endpoint(changed.endpoint))


async def delete_endpoint(request: Request) -> Response:
    """Delete a webhook endpoint, and what was still to be sent to it. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    await call_platform(
        gateway.platform.webhooks.DeleteEndpoint,
        pb.DeleteEndpointRequest(endpoint_id=endpoint_id(request)),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return Response(status_code=204, headers=NO_STORE)


async def rotate_secret(request: Request) -> Response:
    """Give a webhook endpoint a new secret. For a while it is sent two signatures, one with each. Scope `webhooks:write`."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    endpoint = endpoint_id(request)
    body = await read_json(request, _ROTATE, optional=True)
    rotated = await call_platform(
        gateway.platform.webhooks.RotateEndpointSecret,
        pb.RotateEndpointSecretRequest(
            endpoint_id=endpoint,
            grace=None if body.grace_seconds is None else Duration(seconds=body.grace_seconds),
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    answer = webhooks.EndpointSecret(
        endpoint=webhook_messages.endpoint(rotated.endpoint), secret=rotated.secret
    )
    return json_answer(answer, 201)


_BODY_PROBLEMS: Final = (400, 403, 404, 413, 415)

ROUTES: Final = (
    documented(
        "POST",
        "/v1/webhooks/endpoints",
        create_endpoint,
        operation_id="createEndpoint",
        summary="Create a webhook endpoint",
        tag="webhooks",
        body=webhooks.CreateEndpointRequest,
        body_examples={
            "whose_turn": {"url": "https://example.com/hooks", "event_types": ["turn.started", "match.ended"]}
        },
        answers={201: Answer(description="The endpoint.", shape=webhooks.EndpointSecret)},
        problems=(400, 403, 409, 413, 415),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "GET",
        "/v1/webhooks/endpoints",
        list_endpoints,
        operation_id="listEndpoints",
        summary="List webhook endpoints",
        tag="webhooks",
        answers={200: Answer(description="The endpoints.", shape=webhooks.EndpointList)},
        problems=(400, 403),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "GET",
        "/v1/webhooks/endpoints/{endpoint_id}",
        get_endpoint,
        operation_id="getEndpoint",
        summary="Show a webhook endpoint",
        tag="webhooks",
        answers={200: Answer(description="The endpoint.", shape=webhooks.Endpoint)},
        problems=(400, 403, 404),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "PATCH",
        "/v1/webhooks/endpoints/{endpoint_id}",
        update_endpoint,
        operation_id="updateEndpoint",
        summary="Change a webhook endpoint",
        tag="webhooks",
        body=webhooks.UpdateEndpointRequest,
        body_examples={"switch_off": {"enabled": False}},
        answers={200: Answer(description="The endpoint as it is now.", shape=webhooks.Endpoint)},
        problems=_BODY_PROBLEMS,
        bucket=Bucket.ADMIN,
    ),
    documented(
        "DELETE",
        "/v1/webhooks/endpoints/{endpoint_id}",
        delete_endpoint,
        operation_id="deleteEndpoint",
        summary="Delete a webhook endpoint",
        tag="webhooks",
        answers={204: Answer(description="It is gone.")},
        problems=(400, 403, 404),
        bucket=Bucket.ADMIN,
    ),
    documented(
        "POST",
        "/v1/webhooks/endpoints/{endpoint_id}/rotate",
        rotate_secret,
        operation_id="rotateEndpointSecret",
        summary="Replace a webhook endpoint's secret",
        tag="webhooks",
        body=webhooks.RotateSecretRequest,
        body_required=False,
        body_examples={"at_once": {"grace_seconds": 0}},
        answers={201: Answer(description="The endpoint and its new secret.", shape=webhooks.EndpointSecret)},
        problems=_BODY_PROBLEMS,
        bucket=Bucket.ADMIN,
    ),
)
