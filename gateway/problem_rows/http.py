"""Rows of the mapping table: HTTP's own."""

from __future__ import annotations

from typing import Final

from gateway.problem_rows.row import row

ROWS: Final = (
    row(
        "NOT_HTTP",
        None,
        400,
        "Not an HTTP request",
        "What came over the connection is no HTTP/1.1. The connection is closed.",
    ),
    row(
        "METHOD_NOT_ALLOWED",
        None,
        405,
        "Not with this method",
        "The header `Allow` lists the methods this path knows.",
    ),
    row(
        "NOT_ACCEPTABLE",
        None,
        406,
        "Not in the form asked for",
        "`Accept` excludes the only form this resource has.",
    ),
    row(
        "BODY_TOO_LARGE",
        None,
        413,
        "The body is too large",
        "A request body may have 64 KiB, an export that is imported 16 MiB.",
    ),
    row(
        "HEAD_TOO_LARGE",
        None,
        431,
        "The request's head is too large",
        "Request line and headers together may have 64 KiB. The connection is closed.",
    ),
    row(
        "TOO_SLOW",
        None,
        408,
        "The request did not come in time",
        "A request's head may take 10 seconds, its body a minute, unless the gateway's settings say otherwise. The connection is closed.",
    ),
    row(
        "TOO_MANY_CONNECTIONS",
        None,
        503,
        "Too many connections",
        "This gateway has as many connections open as it may have. Try again after `Retry-After`.",
    ),
    row(
        "UNSUPPORTED_MEDIA_TYPE",
        None,
        415,
        "The body must be JSON",
        "Send `Content-Type: application/json`, UTF-8, without a content encoding.",
    ),
)
