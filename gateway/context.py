"""The parts that every route needs, held once per process. They are caches and connections; no data is lost with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from starlette.requests import Request

from gateway.access.admission import Admission
from gateway.access.auth import Authenticator
from gateway.access.heavy_reads import HeavyReads
from gateway.access.public_keys import PublishedKeys
from gateway.access.stream_slots import StreamSlots
from gateway.drain import Drain
from gateway.http.compression.event_streams import EventCompression
from gateway.http.pages.front_end import FrontEnd
from gateway.live.feeds import Feeds
from gateway.live.open_streams import OpenStreams
from gateway.live.tickets import Tickets
from gateway.openapi.document import OpenapiDocument
from gateway.settings import Settings
from gateway.telemetry.tracing import SCOPE_KEY, Trace
from gateway.upstream.catalogue import Catalogue
from gateway.upstream.contracts import Contracts
from gateway.upstream.directory import Directory
from gateway.upstream.platform import PlatformClient
from gateway.upstream.rules import RulesServers
from gateway.upstream.serving import Serving


@dataclass(frozen=True)
class Gateway:
    """The parts of a running gateway."""

    settings: Settings
    authenticator: Authenticator
    admission: Admission
    servers: RulesServers
    serving: Serving
    platform: PlatformClient
    directory: Directory
    catalogue: Catalogue
    drain: Drain
    slots: StreamSlots
    heavy: HeavyReads
    batches: HeavyReads
    """Requests for many new matches."""
    open_streams: OpenStreams
    event_compression: EventCompression
    tickets: Tickets
    feeds: Feeds
    document: OpenapiDocument
    published_keys: PublishedKeys
    front_end: FrontEnd
    contracts: Contracts = field(default_factory=Contracts)


def gateway_of(request: Request) -> Gateway:
    """Return the gateway that serves a request."""
    return cast("Gateway", request.scope["app"].state.gateway)


def trace_of(request: Request) -> Trace:
    """Return a request's ids."""
    return cast("Trace", request.scope[SCOPE_KEY])
