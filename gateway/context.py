"""What every route needs, held once per process. Nothing here outlives it, and nothing here is the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from gateway.admission import Admission
from gateway.auth import Authenticator
from gateway.catalogue import Catalogue
from gateway.clients import RulesServers
from gateway.directory import Directory
from gateway.drain import Drain
from gateway.live.feeds import Feeds
from gateway.live.readers import Readers
from gateway.live.tickets import Tickets
from gateway.openapi import OpenapiDocument
from gateway.platform_client import PlatformClient
from gateway.settings import Settings
from gateway.stream_slots import StreamSlots
from gateway.tracing import SCOPE_KEY, Trace


@dataclass(frozen=True)
class Gateway:
    """The parts of a running gateway."""

    settings: Settings
    authenticator: Authenticator
    admission: Admission
    servers: RulesServers
    platform: PlatformClient
    directory: Directory
    catalogue: Catalogue
    drain: Drain
    slots: StreamSlots
    readers: Readers
    tickets: Tickets
    feeds: Feeds
    document: OpenapiDocument


def gateway_of(request: Request) -> Gateway:
    """Give the gateway that serves a request."""
    return cast("Gateway", request.scope["app"].state.gateway)


def trace_of(request: Request) -> Trace:
    """Give a request's ids."""
    return cast("Trace", request.scope[SCOPE_KEY])
