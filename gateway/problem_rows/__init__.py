"""The rows of the one mapping table (problems.py): what a reason means, as a gRPC code and as an HTTP status."""

from __future__ import annotations

from typing import Final

from gateway.problem_rows import accounts, failures, http, missing, permission, refused, unreadable, webhooks
from gateway.problem_rows.row import Reason

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
