"""The FastAPI application: routes, error responses, and the parts that live as long as the process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

import structlog
import uvicorn
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from gateway.access.admission import Admission
from gateway.access.auth import Authenticator
from gateway.access.heavy_reads import HeavyReads
from gateway.access.public_keys import read_keys
from gateway.access.rate_limits import RateLimiter
from gateway.access.stream_slots import StreamSlots
from gateway.context import Gateway
from gateway.drain import Drain
from gateway.error_handlers import answer_http_exception, answer_problem, answer_validation_error
from gateway.hot.operations import HotOperations
from gateway.http.compression.allowance import Allowance
from gateway.http.compression.event_streams import EventCompression
from gateway.http.compression.middleware import Compression
from gateway.http.pages.front_end import FrontEnd, read_front_end
from gateway.live.feeds import Feeds
from gateway.live.open_streams import OpenStreams
from gateway.live.tickets import Tickets
from gateway.middleware import Observability
from gateway.openapi.document import TITLE, OpenapiDocument
from gateway.openapi.hot import HotRoute
from gateway.problems.document import ProblemError
from gateway.routes import ROUTES
from gateway.server.open_files import make_room
from gateway.server.whole_requests import http_protocol
from gateway.settings import Settings
from gateway.upstream.catalogue import Catalogue
from gateway.upstream.directory import Directory
from gateway.upstream.platform import PlatformClient
from gateway.upstream.rules import RulesServers
from gateway.upstream.serving import Serving

EXPOSED_HEADERS: Final = (
    "ETag",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Idempotent-Replayed",
    "Content-Language",
    "Allow",
    "WWW-Authenticate",
    "X-Request-Id",
    "Traceparent",
)
ALLOWED_HEADERS: Final = (
    "Accept",
    "Accept-Language",
    "Authorization",
    "Cache-Control",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Last-Event-ID",
    "X-Request-Id",
    "Traceparent",
    "Tracestate",
)
"""What a page may send. Beside what the API reads: `Cache-Control`, which clients of event streams send by custom, and
`Tracestate`, which tracing libraries send with `Traceparent`; a browser sends nothing if the answer lacks one of them."""


MAX_BATCHES: Final = 32
"""Requests for many new matches under way in this process, with bodies of at most 1 MiB; more are refused with 503."""
MAX_BATCHES_OF_KEY: Final = 4
"""Such requests of one API key; more are refused with 429."""
_ANSWERS_TO_ERRORS: Final[dict[int | type[Exception], Any]] = {
    ProblemError: answer_problem,
    RequestValidationError: answer_validation_error,
    HTTPException: answer_http_exception,
}


def create_app(settings: Settings) -> FastAPI:
    """Return the application. Channels open when it starts, in the event loop that serves it.

    Raises KeysUnusable if the public keys cannot be used, TlsUnusable if a certificate cannot.
    """
    token_keys, published_keys = read_keys(settings.token_public_key_file, settings.export_public_key_file)
    tls = settings.read_tls()
    allowance = Allowance(settings.compression_share)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        servers = RulesServers(
            settings.rules, max_open_moves=settings.max_open_moves, streams=settings.rules_streams, tls=tls
        )
        platform = PlatformClient(settings.platform, tls=tls)
        drain = Drain()
        open_streams = OpenStreams()
        drain.on_begin(open_streams.stop_all)
        authenticator = Authenticator(*token_keys)
        app.state.gateway = Gateway(
            settings=settings,
            authenticator=authenticator,
            admission=Admission(authenticator, RateLimiter(settings.rate_limits)),
            servers=servers,
            serving=Serving(servers),
            platform=platform,
            directory=Directory(servers, seconds=settings.read_deadline_seconds),
            catalogue=Catalogue(servers, seconds=settings.read_deadline_seconds),
            drain=drain,
            slots=_slots(settings),
            heavy=_heavy(settings),
            batches=_batches(),
            open_streams=open_streams,
            event_compression=EventCompression(allowance, settings.max_stream_histories),
            tickets=Tickets(platform, seconds=settings.read_deadline_seconds),
            feeds=Feeds(platform, seconds=settings.read_deadline_seconds),
            document=OpenapiDocument(ROUTES),
            published_keys=published_keys,
            front_end=front_end_of(settings),
        )
        app.state.hot.gateway = app.state.gateway
        servers.connect()
        platform.connect()
        open_streams.start()
        drain.start()
        try:
            yield
        finally:
            drain.begin()
            await open_streams.close()
            await app.state.gateway.feeds.close()
            await platform.close()
            await app.state.gateway.serving.close()
            await servers.close()

    app = FastAPI(
        title=TITLE,
        version=version("foldtable"),
        lifespan=lifespan,
        openapi_url=None,  # ours contains the games' schemas, see routes/openapi.py
        docs_url=None,  # FastAPI's pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # ours is in telemetry/
        exception_handlers=_ANSWERS_TO_ERRORS,
    )
    app.router.routes.extend(ROUTES)
    _add_middleware(app, settings, allowance)
    return app


def serving_config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """Return how the application is served, with our own HTTP protocol.

    Whoever serves it takes this: a process, and a test that starts a gateway in its own event loop. So both run the same code.
    """
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=http_protocol(settings.times, app.state.hot),
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        limit_concurrency=make_room(settings.max_connections),
        timeout_graceful_shutdown=max(1, round(settings.drain_seconds)),
    )


def _add_middleware(app: FastAPI, settings: Settings, allowance: Allowance) -> None:
    """Add what every response passes through, and within it the hot operations."""
    allowed_pages = _pages_of_other_origins(settings)
    hot_routes = [route for route in ROUTES if isinstance(route, HotRoute)]
    app.state.hot = HotOperations(
        app, hot_routes, allowance, allowed_pages=allowed_pages, trusted_proxies=settings.trusted_proxies
    )
    app.add_middleware(app.state.hot.within)
    app.add_middleware(Compression, allowance=allowance)
    if allowed_pages:
        app.add_middleware(CORSMiddleware, **allowed_pages)
    app.add_middleware(Observability)  # added last, so that it is the outermost


def _pages_of_other_origins(settings: Settings) -> dict[str, Any]:
    """Return what pages of the configured origins may send and read, with every method that a route has; empty for no origin."""
    if not settings.cors_origins:
        return {}
    return {
        "allow_origins": settings.cors_origins,
        "allow_methods": ("GET", "POST", "PUT", "PATCH", "DELETE"),
        "allow_headers": ALLOWED_HEADERS,
        "expose_headers": EXPOSED_HEADERS,
        "max_age": 600,
    }


def front_end_of(settings: Settings) -> FrontEnd:
    """Return the front end; one without a page if it is switched off, or if this checkout lacks the built files."""
    if settings.web == "off":
        return FrontEnd()
    found = read_front_end()
    if found.page is None:
        structlog.get_logger("gateway").warning(
            "the front end is not built", then="/ is JSON only", hint="make web"
        )
    return found


def _slots(settings: Settings) -> StreamSlots:
    return StreamSlots(
        settings.max_streams,
        per_credential=settings.max_streams_per_credential,
        per_seat=settings.max_streams_per_seat,
    )


def _batches() -> HeavyReads:
    most, of_key = MAX_BATCHES, MAX_BATCHES_OF_KEY
    return HeavyReads(most, per_key=of_key, per_token=1, what="batches of matches", bucket="match_batches")


def _heavy(settings: Settings) -> HeavyReads:
    return HeavyReads(
        settings.max_heavy_reads,
        per_key=settings.max_heavy_reads_per_key,
        per_token=settings.max_heavy_reads_per_token,
    )
