"""The API reference as an interactive page. The gateway serves its script and style; nothing is loaded from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path as FilePath
from typing import Annotated, Final

import fastapi_offline
from fastapi import APIRouter, Path
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.http.files import WholeFile
from gateway.http.header_parameters import sent_header
from gateway.http.pages.accept import ONLY_A_PAGE
from gateway.http.pages.html import page_headers
from gateway.openapi.document import TITLE
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import ProblemError

_FOLDER: Final = FilePath(str(files(fastapi_offline))) / "static"
_ASSETS: Final = frozenset({"swagger-ui-bundle.js", "swagger-ui.css"})
_ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E"
    "%3Cpath d='M1 1h6v6H1z' fill='%23345'/%3E%3Cpath d='M1 1h6L1 7z' fill='%23c93'/%3E%3C/svg%3E"
)
_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Swagger UI starts with an inline script and uses inline styles; the policy allows them, and nothing from other origins."""
_OF_ASSETS: Final = {"cache-control": "public, max-age=86400", **page_headers(_POLICY)}


router = APIRouter(
    tags=["documents"], route_class=Operation, dependencies=[counted_for(Bucket.READS), ONLY_A_PAGE]
)


@router.get(
    "/docs",
    operation_id="getReference",
    summary="Show the API reference",
    responses={200: answer("The page.", content={"text/html": {"type": "string"}})},
)
async def get_reference() -> Response:
    """Show the API reference as a page from which requests can be sent with the reader's own key or token."""
    answer = get_swagger_ui_html(
        openapi_url="/openapi.json",
        title=f"{TITLE} API",
        swagger_js_url="/docs/swagger-ui-bundle.js",
        swagger_css_url="/docs/swagger-ui.css",
        swagger_favicon_url=_ICON,
        swagger_ui_parameters={"docExpansion": "none", "persistAuthorization": False, "filter": True},
    )
    answer.headers["cache-control"] = "public, max-age=300"
    answer.headers.update(page_headers(_POLICY))
    return answer


@router.get(
    "/docs/{asset}",
    operation_id="getReferenceAsset",
    summary="Get script or style of the API reference",
    responses={
        200: answer(
            "The script, or the style.",
            content={"text/javascript": {"type": "string"}, "text/css": {"type": "string"}},
            headers={"ETag": "Changes with the file."},
        ),
        304: answer("The client has it.", headers={"ETag": "The same."}),
        **problems(404),
    },
)
async def get_reference_asset(
    asset: Annotated[
        str,
        Path(
            description="A file of the page.",
            examples=["swagger-ui.css"],
            json_schema_extra={"maxLength": 63},
        ),
    ],
    _known: Annotated[str | None, sent_header("If-None-Match", "The entity tag of the file the client has.")],
) -> Response:
    """Return the script or the style of the page."""
    if asset not in _ASSETS:
        raise ProblemError("ROUTE_NOT_FOUND")
    return WholeFile(_FOLDER / asset, headers=_OF_ASSETS)
