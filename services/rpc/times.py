"""Timestamps and durations from callers. A message can contain values outside of the calendar."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from services.rpc.refusals import malformed


def moment(stamp: Timestamp, field: str) -> datetime:
    """Return a moment in UTC. Raises Refused MALFORMED_REQUEST if it lies before the year 1 or after 9999."""
    try:
        return stamp.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise malformed(field, "is no time") from None


def span(duration: Duration, field: str, *, most: timedelta) -> timedelta:
    """Return a duration. Raises Refused MALFORMED_REQUEST if it is negative or exceeds `most`, a number of days."""
    try:
        asked = duration.ToTimedelta()
    except (ValueError, OverflowError):
        asked = -most
    if not timedelta(0) <= asked <= most:
        raise malformed(field, f"must be from 0 to {most.days} days")
    return asked
