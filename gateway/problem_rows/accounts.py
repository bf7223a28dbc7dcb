"""Rows of the mapping table: accounts."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problem_rows.row import row

ROWS: Final = (
    row(
        "TENANT_EXISTS",
        StatusCode.ALREADY_EXISTS,
        409,
        "There is such a tenant already",
        "Tenant ids are given once. Take another one, or go on with the tenant there is.",
    ),
    row(
        "KEY_INACTIVE",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The API key is good no longer",
        "A key that has expired or was revoked cannot be replaced. Create a new one.",
    ),
    row(
        "TENANT_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such tenant",
        "The tenant does not exist, or is not yours; both are told alike.",
    ),
    row(
        "KEY_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such API key",
        "The key does not exist, or belongs to another tenant; both are told alike.",
    ),
)
