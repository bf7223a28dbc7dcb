"""Rows of the mapping table: accounts."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "TENANT_EXISTS",
        StatusCode.ALREADY_EXISTS,
        409,
        "The tenant exists already",
        "A tenant id is used once. Choose another one, or use the existing tenant.",
    ),
    row(
        "KEY_INACTIVE",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The API key is no longer valid",
        "A key that has expired or was revoked cannot be replaced. Create a new one.",
    ),
    row(
        "TENANT_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such tenant",
        "The tenant does not exist, or is not yours; the response is the same in both cases.",
    ),
    row(
        "KEY_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such API key",
        "The key does not exist, or belongs to another tenant; the response is the same in both cases.",
    ),
)
