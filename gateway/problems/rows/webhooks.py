"""Rows of the mapping table: webhooks and the feed of events."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode

from gateway.problems.rows.row import row

ROWS: Final = (
    row(
        "ENDPOINT_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such webhook endpoint",
        "The endpoint does not exist, or belongs to another tenant; the response is the same in both cases.",
    ),
    row(
        "DELIVERY_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such delivery",
        "The event was never sent to this endpoint, or was deleted: events are kept for 30 days, unless the server's settings say otherwise.",
    ),
    row(
        "ENDPOINT_DISABLED",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The webhook endpoint is disabled",
        'Nothing is sent to it. Enable it with `PATCH` and `{"enabled": true}`; its `disabled_reason` says whether it was disabled after failed deliveries.',
    ),
    row(
        "TOO_MANY_ENDPOINTS",
        StatusCode.FAILED_PRECONDITION,
        409,
        "The tenant has reached its limit of webhook endpoints",
        "A tenant has at most 20. Delete one, or add event types to an existing one.",
    ),
    row(
        "FEED_OFF",
        StatusCode.FAILED_PRECONDITION,
        409,
        "No events are kept for this feed",
        "Choose which events are kept with `PUT /v1/events/recording`; the feed begins with events after that.",
    ),
    row(
        "CURSOR_EXPIRED",
        StatusCode.OUT_OF_RANGE,
        410,
        "The cursor is older than the events that are kept",
        "Some events after it were deleted. Read the matches you know, then begin the feed anew without `after`.",
    ),
)
