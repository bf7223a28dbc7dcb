"""Probes. None of them depends on a rules server, because its failure must not take the gateways down with it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from gateway.dependencies import GatewayParts
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer
from gateway.schemas.answers import Health

router = APIRouter(tags=["health"], route_class=Operation)


@router.get(
    "/livez",
    operation_id="getLiveness",
    summary="Check that the process is alive",
    responses={200: answer("Yes.", Health)},
)
async def get_liveness() -> Response:
    """Report that the process runs."""
    return json_answer(Health(status="ok"))


@router.get(
    "/readyz",
    operation_id="getReadiness",
    summary="Check that the process accepts requests",
    responses={200: answer("Yes.", Health), 503: answer("Not now.", Health)},
)
async def get_readiness(gateway: GatewayParts) -> Response:
    """Report whether the process should get new requests: it has started and is not draining."""
    status = gateway.drain.status
    return json_answer(Health(status=status), 200 if status == "ok" else 503)


@router.get(
    "/startupz",
    operation_id="getStartup",
    summary="Check that the process has started",
    responses={200: answer("Yes.", Health), 503: answer("Not now.", Health)},
)
async def get_startup(gateway: GatewayParts) -> Response:
    """Report whether the process has started: settings are valid, keys are read, channels are open."""
    status = gateway.drain.status
    return json_answer(Health(status=status), 503 if status == "starting" else 200)
