"""Rows of the mapping table: errors of HTTP itself."""

from __future__ import annotations

from typing import Final

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "NOT_HTTP",
        None,
        400,
        "Not an HTTP request",
        "The data received is not HTTP/1.1. The connection is closed.",
    ),
    row(
        "METHOD_NOT_ALLOWED",
        None,
        405,
        "Method not allowed",
        "The header `Allow` lists the methods of this path.",
    ),
    row(
        "MISDIRECTED_REQUEST",
        None,
        421,
        "Not served by this server",
        "The request line names a scheme other than HTTP's. This server is not a proxy.",
    ),
    row(
        "NOT_ACCEPTABLE",
        None,
        406,
        "Not available in the requested form",
        "`Accept` excludes the only media type this resource has.",
    ),
    row(
        "BODY_TOO_LARGE",
        None,
        413,
        "The body is too large",
        "A request body may have up to 64 KiB, an imported export up to 16 MiB.",
    ),
    row(
        "HEAD_TOO_LARGE",
        None,
        431,
        "The request's head is too large",
        "Request line and headers together may have up to 64 KiB. The connection is closed.",
    ),
    row(
        "TOO_SLOW",
        None,
        408,
        "The request did not arrive in time",
        "A request's head may take 10 seconds, its body a minute, unless the gateway's settings say otherwise. The connection is closed.",
    ),
    row(
        "TOO_MANY_CONNECTIONS",
        None,
        503,
        "Too many connections",
        "This gateway has reached its limit of open connections. Try again after `Retry-After`.",
    ),
    row(
        "UNSUPPORTED_MEDIA_TYPE",
        None,
        415,
        "The body must be JSON",
        "Send `Content-Type: application/json`, UTF-8, without a content encoding.",
    ),
)
