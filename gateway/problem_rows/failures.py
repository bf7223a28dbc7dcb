"""Rows of the mapping table: what went wrong on this side."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problem_rows.row import row

ROWS: Final = (
    row(
        "RATE_LIMITED",
        StatusCode.RESOURCE_EXHAUSTED,
        429,
        "Too many requests",
        "Wait as long as `Retry-After` says.",
    ),
    row(
        "INTERNAL",
        StatusCode.INTERNAL,
        500,
        "A fault on our side",
        "The fault has been logged under the `trace_id`; nothing more is told here.",
    ),
    row(
        "REPLAY_MISMATCH",
        StatusCode.DATA_LOSS,
        500,
        "The log does not agree with itself",
        "The stored match does not fold to what was stored with it. It is not played on until somebody has looked.",
    ),
    row(
        "RULES_UNAVAILABLE",
        StatusCode.UNAVAILABLE,
        503,
        "The game's rules server cannot be reached",
        "Try again after `Retry-After`. A move with a request id can be repeated safely.",
    ),
    row(
        "LOG_UNAVAILABLE",
        StatusCode.UNAVAILABLE,
        503,
        "The log cannot be reached",
        "Try again after `Retry-After`. A move with a request id can be repeated safely.",
    ),
    row(
        "PLATFORM_UNAVAILABLE",
        None,
        503,
        "The platform service cannot be reached",
        "Accounts, listings and feeds are away for the moment; matches go on. Try again after `Retry-After`.",
    ),
    row(
        "PLATFORM_TIMEOUT",
        None,
        504,
        "No answer in time from the platform service",
        "What was asked for may or may not have been done. Look before you repeat it.",
    ),
    row(
        "RULES_TIMEOUT",
        StatusCode.DEADLINE_EXCEEDED,
        504,
        "No answer in time",
        "A move may or may not have been made. Repeat it with the same request id to find out.",
    ),
)
