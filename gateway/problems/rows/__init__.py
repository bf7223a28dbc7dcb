"""The rows of the one mapping table (problems/table): the gRPC code, HTTP status and meaning of each reason."""

from __future__ import annotations

from typing import Final

from gateway.problems.rows import accounts, failures, http, missing, permission, refused, unreadable, webhooks
from gateway.problems.rows.row import Reason

__all__ = ["ROWS", "Reason"]

ROWS: Final = (
    *unreadable.ROWS,
    *refused.ROWS,
    *permission.ROWS,
    *accounts.ROWS,
    *missing.ROWS,
    *webhooks.ROWS,
    *http.ROWS,
    *failures.ROWS,
)
