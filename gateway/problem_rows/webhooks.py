"""Rows of the mapping table: webhooks and the feed of events."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problem_rows.row import row

ROWS: Final = (
    row(
        "ENDPOINT_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such webhook endpoint",
        "The endpoint does not exist, or belongs to another tenant; both are told alike.",
    ),
    row(
        "DELIVERY_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such delivery",
        "The event was never sent to this endpoint, or is forgotten: events are kept for 30 days or as the house has it.",
    ),
    row(
        "ENDPOINT_DISABLED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The webhook endpoint is disabled",
        'Nothing is sent to it. Enable it with `PATCH` and `{"enabled": true}`; its `disabled_reason` says whether it was given up.',
    ),
    row(
        "TOO_MANY_ENDPOINTS",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The tenant has all the webhook endpoints it may have",
        "A tenant has at most 20. Delete one, or let one of them be told of more types.",
    ),
    row(
        "FEED_OFF",
        StatusCode.FAILED_PRECONDITION,
        409,
        "No events are kept for this feed",
        "Choose what is kept with `PUT /v1/events/recording`; the feed begins with what happens after that.",
    ),
    row(
        "CURSOR_EXPIRED",
        StatusCode.OUT_OF_RANGE,
        410,
        "The cursor lies before what is kept",
        "Events after it are forgotten. Look at the matches you know of, then begin the feed anew without `after`.",
    ),
)
