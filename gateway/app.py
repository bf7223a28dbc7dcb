"""The FastAPI application: routes, error answers, and what lives as long as the process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Final

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from gateway.admission import Admission
from gateway.auth import Authenticator, read_public_key
from gateway.catalogue import Catalogue
from gateway.clients import RulesServers
from gateway.context import Gateway
from gateway.directory import Directory
from gateway.drain import Drain
from gateway.framework_errors import answer_http_exception, answer_problem
from gateway.live.feeds import Feeds
from gateway.live.readers import Readers
from gateway.live.tickets import Tickets
from gateway.observability import Observability
from gateway.openapi import TITLE, OpenapiDocument
from gateway.platform_client import PlatformClient
from gateway.problem_documents import ProblemError
from gateway.rate_limits import RateLimiter
from gateway.routes import ROUTES
from gateway.settings import Settings
from gateway.stream_slots import StreamSlots

EXPOSED_HEADERS: Final = (
    "ETag",
    "Location",
    "Retry-After",
    "RateLimit",
    "RateLimit-Policy",
    "Idempotent-Replayed",
    "X-Request-Id",
    "Traceparent",
)
ALLOWED_HEADERS: Final = (
    "Authorization",
    "Content-Type",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Last-Event-ID",
    "X-Request-Id",
    "Traceparent",
)


def create_app(settings: Settings) -> FastAPI:
    """Give the application. Channels open when it starts, in the event loop that serves it.

    ValueError or OSError if the public key cannot be read; TlsUnusable for a certificate that cannot be used.
    """
    public_key = read_public_key(settings.token_public_key_file)
    tls = settings.read_tls()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        servers = RulesServers(
            settings.rules, max_open_moves=settings.max_open_moves, streams=settings.rules_streams, tls=tls
        )
        platform = PlatformClient(settings.platform, tls=tls)
        drain = Drain()
        readers = Readers()
        drain.on_begin(readers.farewell)
        authenticator = Authenticator(public_key)
        app.state.gateway = Gateway(
            settings=settings,
            authenticator=authenticator,
            admission=Admission(authenticator, RateLimiter(settings.rate_limits)),
            servers=servers,
            platform=platform,
            directory=Directory(servers, seconds=settings.read_deadline_seconds),
            catalogue=Catalogue(servers, seconds=settings.read_deadline_seconds),
            drain=drain,
            slots=_slots(settings),
            readers=readers,
            tickets=Tickets(platform, seconds=settings.read_deadline_seconds),
            feeds=Feeds(platform, seconds=settings.read_deadline_seconds),
            document=OpenapiDocument(ROUTES),
        )
        servers.connect()
        platform.connect()
        readers.start()
        drain.start()
        try:
            yield
        finally:
            drain.begin()
            await readers.close()
            await app.state.gateway.feeds.close()
            await platform.close()
            await servers.close()

    app = FastAPI(
        title=TITLE,
        version=version("foldtable"),
        lifespan=lifespan,
        openapi_url=None,  # ours has the games' schemas in it, see routes/openapi.py
        docs_url=None,  # FastAPI's pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # ours is in observability.py
        exception_handlers={ProblemError: answer_problem, HTTPException: answer_http_exception},
    )
    app.router.routes.extend(ROUTES)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=("GET", "POST", "PUT", "PATCH", "DELETE"),
            allow_headers=ALLOWED_HEADERS,
            expose_headers=EXPOSED_HEADERS,
            max_age=600,
        )
    app.add_middleware(Observability)  # last, so that it stands outermost
    return app


def _slots(settings: Settings) -> StreamSlots:
    return StreamSlots(
        settings.max_streams,
        per_credential=settings.max_streams_per_credential,
        per_seat=settings.max_streams_per_seat,
    )
