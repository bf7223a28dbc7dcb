"""Conversion of callers' timestamps for the services."""

from __future__ import annotations

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import UNSET, UnsetType

from gateway.problems.document import malformed


def timestamp(
    moment: datetime, *, pointer: str | UnsetType = UNSET, parameter: str | UnsetType = UNSET
) -> Timestamp:
    """Return a moment; ProblemError MALFORMED_REQUEST for one whose year is 0 or 10000 in UTC, if not in its own zone."""
    stamp = Timestamp()
    try:
        stamp.FromDatetime(moment)
    except (OverflowError, ValueError):
        what = "must lie in the years 1 to 9999 in UTC"
        raise malformed(what, code="OUT_OF_RANGE", pointer=pointer, parameter=parameter) from None
    return stamp
