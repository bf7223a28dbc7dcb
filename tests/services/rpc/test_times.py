"""Moments and spans of time as callers send them, and those that no calendar has."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rpc.times import moment, span

DAY = timedelta(days=1)


def test_a_moment_is_in_utc() -> None:
    assert moment(Timestamp(seconds=86_400), "$.since") == datetime(1970, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize("seconds", [-(2**63), -62_135_596_801, 253_402_300_800, 2**63 - 1])
def test_a_moment_no_calendar_has(seconds: int) -> None:
    with pytest.raises(Refused) as refused:
        moment(Timestamp(seconds=seconds), "$.since")
    assert refused.value.reason == Reason.MALFORMED_REQUEST


def test_a_span_within_its_bounds() -> None:
    assert span(Duration(), "$.grace", most=DAY) == timedelta(0)
    assert span(Duration(seconds=86_400), "$.grace", most=DAY) == DAY


@pytest.mark.parametrize(
    "duration",
    [
        Duration(seconds=86_401),
        Duration(seconds=-1),
        Duration(seconds=2**63 - 1),
        Duration(seconds=-(2**63)),
        Duration(seconds=1, nanos=-(2**31)),
    ],
)
def test_a_span_beyond_them(duration: Duration) -> None:
    with pytest.raises(Refused) as refused:
        span(duration, "$.grace", most=DAY)
    assert refused.value.reason == Reason.MALFORMED_REQUEST
