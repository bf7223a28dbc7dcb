"""Probes. `/livez` and `/startupz` depend on no other process; `/readyz` is negative while no game can be played at all."""

from __future__ import annotations

from fastapi import APIRouter
from msgspec import UNSET
from starlette.responses import Response

from gateway.dependencies import GatewayParts
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer
from gateway.schemas.answers import Health, Readiness

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
    responses={200: answer("Yes.", Readiness), 503: answer("Not now.", Readiness)},
)
async def get_readiness(gateway: GatewayParts) -> Response:
    """Report whether the process should get new requests: it has started, is not draining, and reaches a rules server.

    A rules server that has answered before and does not answer now is away, and so are its games. While others can be played,
    the answer is 200 and names those that are away.
    """
    status = gateway.drain.status
    if status == "ok" and not gateway.serving.any_answers:
        return json_answer(Readiness(status="rules_unavailable", games_away=gateway.serving.games_away), 503)
    away = gateway.serving.games_away or UNSET
    return json_answer(Readiness(status=status, games_away=away), 200 if status == "ok" else 503)


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
