"""How the process is. None of it depends on a rules server: their failure must not take the gateways down with it."""

from __future__ import annotations

from typing import Final

from prometheus_client import REGISTRY, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

from gateway.context import gateway_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.schemas.answers import Health


async def get_liveness(request: Request) -> Response:
    """Say that the process runs."""
    del request
    return json_answer(Health(status="ok"))


async def get_readiness(request: Request) -> Response:
    """Say whether new requests should come here: started, and not draining."""
    status = gateway_of(request).drain.status
    return json_answer(Health(status=status), 200 if status == "ok" else 503)


async def get_startup(request: Request) -> Response:
    """Say whether the start is over: settings are valid, keys read, channels open."""
    status = gateway_of(request).drain.status
    return json_answer(Health(status=status), 503 if status == "starting" else 200)


async def get_metrics(request: Request) -> Response:
    """Give the process's metrics in Prometheus's text format."""
    del request
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST)


_HEALTHY: Final = Answer(description="Yes.", shape=Health)
_NOT_NOW: Final = Answer(description="Not now.", shape=Health)

ROUTES: Final = (
    documented(
        "GET",
        "/livez",
        get_liveness,
        operation_id="getLiveness",
        summary="Is the process alive",
        tag="health",
        answers={200: _HEALTHY},
        public=True,
        unlimited=True,
    ),
    documented(
        "GET",
        "/readyz",
        get_readiness,
        operation_id="getReadiness",
        summary="Should requests come here",
        tag="health",
        answers={200: _HEALTHY, 503: _NOT_NOW},
        public=True,
        unlimited=True,
    ),
    documented(
        "GET",
        "/startupz",
        get_startup,
        operation_id="getStartup",
        summary="Is the start over",
        tag="health",
        answers={200: _HEALTHY, 503: _NOT_NOW},
        public=True,
        unlimited=True,
    ),
    documented(
        "GET",
        "/metrics",
        get_metrics,
        operation_id="getMetrics",
        summary="Prometheus metrics",
        tag="health",
        answers={200: Answer(description="The metrics.", media_type="text/plain", schema={"type": "string"})},
        public=True,
        unlimited=True,
    ),
)
