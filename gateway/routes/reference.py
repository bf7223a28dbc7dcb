"""The API reference as a page to try it from. Script and style come with the page: nothing is fetched from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

import fastapi_offline
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.requests import Request
from starlette.responses import Response

from gateway.documented import Answer, documented
from gateway.openapi import TITLE
from gateway.problem_documents import ProblemError
from gateway.queries import read_query
from gateway.schemas.requests import NoQuery
from gateway.whole_files import WholeFile

_FOLDER: Final = Path(str(files(fastapi_offline))) / "static"
_ASSETS: Final = frozenset({"swagger-ui-bundle.js", "swagger-ui.css"})
_CACHED: Final = {"cache-control": "public, max-age=86400"}
_ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E"
    "%3Cpath d='M1 1h6v6H1z' fill='%23345'/%3E%3Cpath d='M1 1h6L1 7z' fill='%23c93'/%3E%3C/svg%3E"
)
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Swagger UI starts with an inline script and draws with inline styles; whatever it may do, it does here only."""


async def get_reference(request: Request) -> Response:
    """Show the API as a page; requests can be sent from it with a key or a token of one's own."""
    read_query(request, NoQuery)
    answer = get_swagger_ui_html(
        openapi_url="/openapi.json",
        title=f"{TITLE} API",
        swagger_js_url="/docs/swagger-ui-bundle.js",
        swagger_css_url="/docs/swagger-ui.css",
        swagger_favicon_url=_ICON,
        swagger_ui_parameters={"docExpansion": "none", "persistAuthorization": False, "filter": True},
    )
    answer.headers["cache-control"] = "public, max-age=300"
    answer.headers["content-security-policy"] = _POLICY
    return answer


async def get_reference_asset(request: Request) -> Response:
    """Give the script or the style of the page."""
    read_query(request, NoQuery)
    name: str = request.path_params["asset"]
    if name not in _ASSETS:
        raise ProblemError("ROUTE_NOT_FOUND")
    return WholeFile(_FOLDER / name, headers=_CACHED)


ROUTES: Final = (
    documented(
        "GET",
        "/docs",
        get_reference,
        operation_id="getReference",
        summary="The API as a page",
        tag="documents",
        answers={200: Answer(description="The page.", media_type="text/html", schema={"type": "string"})},
        problems=(400,),
        public=True,
    ),
    documented(
        "GET",
        "/docs/{asset}",
        get_reference_asset,
        operation_id="getReferenceAsset",
        summary="Script and style of that page",
        tag="documents",
        answers={
            200: Answer(
                description="The script, or the style.",
                media_type="text/javascript",
                schema={"type": "string"},
                also={"text/css": {"type": "string"}},
            )
        },
        problems=(400, 404),
        public=True,
    ),
)
