"""Rows of the mapping table: failures and overload on the server's side."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "RATE_LIMITED",
        StatusCode.RESOURCE_EXHAUSTED,
        429,
        "Too many requests",
        "Wait as long as `Retry-After` says.",
    ),
    row(
        "SERVER_BUSY",
        StatusCode.RESOURCE_EXHAUSTED,
        503,
        "The server is busy with other requests of this kind",
        "Reads of whole matches and earlier states are queued, and this one's turn did not come in time. Try again after `Retry-After`.",
    ),
    row(
        "INTERNAL",
        StatusCode.INTERNAL,
        500,
        "Internal error",
        "The server has logged the error under the `trace_id`; the response contains no more.",
    ),
    row(
        "REPLAY_MISMATCH",
        StatusCode.DATA_LOSS,
        500,
        "The log contradicts itself",
        "Replaying the stored match does not give the state that was stored with it. The match is stopped until an operator has examined it.",
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
        "Accounts, listings and feeds are unavailable for the moment; matches go on. Try again after `Retry-After`.",
    ),
    row(
        "PLATFORM_TIMEOUT",
        None,
        504,
        "The platform service did not answer in time",
        "The request may or may not have been carried out. Check before you repeat it.",
    ),
    row(
        "RULES_TIMEOUT",
        StatusCode.DEADLINE_EXCEEDED,
        504,
        "The rules server did not answer in time",
        "A move may or may not have been made. Repeat it with the same request id to find out.",
    ),
)
