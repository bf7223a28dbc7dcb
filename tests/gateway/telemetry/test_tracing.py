"""Which request a log line belongs to, where many requests share one stream."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import grpc
import pytest
import structlog

from foldtable.matches.v1 import play_pb2
from foldtable.rules.v1.payload_pb2 import Payload
from foldtable.rules.v1.table_pb2 import Audience
from gateway.problems.document import ProblemError
from gateway.telemetry.tracing import Trace, add_trace, begin, read_trace, working_for
from gateway.upstream.rules import RulesServer
from tests.gateway.small_server import SmallServer

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"order-66", True),
        (b"A.b_c~d-0", True),
        (b"x" * 64, True),
        (b"x" * 65, False),
        (b"", False),
        (b"two words", False),
        (b'"quoted"', False),
        (b"first, second", False),
        (b"line\nbreak", False),
        (b"caf\xe9", False),
    ],
)
def test_a_request_id_is_kept_if_a_log_can_take_it(sent: bytes, kept: bool) -> None:
    found = read_trace({b"x-request-id": sent}).request_id
    assert (found == sent.decode("latin-1")) is kept
    assert kept or len(found) == 32


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (f"00-{TRACE}-{SPAN}-01", True),
        (f"00-{TRACE}-{SPAN}-00", True),
        (f"00-{TRACE}-{'0' * 16}-01", False),
        (f"00-{'0' * 32}-{SPAN}-01", False),
        (f"00-{TRACE.upper()}-{SPAN}-01", False),
        (f"00-{TRACE}-{SPAN}", False),
        (f"00-{TRACE}-{SPAN}-01" * 9, False),
    ],
)
def test_a_trace_goes_on_where_it_can_be_read(sent: str, kept: bool) -> None:
    found = read_trace({b"traceparent": sent.encode()})
    assert (found.trace_id == TRACE) is kept
    version, trace_id, span_id, flags = found.traceparent.split("-")
    assert (version, trace_id, len(span_id)) == ("00", found.trace_id, 16)
    assert span_id != SPAN, "the gateway's own span"
    assert flags == (sent[-2:] if kept else "01")


async def said(logs: Sequence[Mapping[str, Any]], event: str) -> None:
    """Return once there is a line of an event."""
    for _ in range(1_000):
        if any(line["event"] == event for line in logs):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(logs)


async def test_a_refusal_over_the_subscription_stream_stands_under_the_trace_of_its_subscriber(
    server: SmallServer,
) -> None:
    """The stream was opened for another subscriber, who goes on."""
    server.follow_refusals["Bearer broken"] = grpc.StatusCode.INTERNAL
    client = RulesServer(f"127.0.0.1:{server.port}", max_open_moves=10)
    subscriptions = client.subscriptions.of("a match")
    with structlog.testing.capture_logs(processors=[add_trace]) as logs:
        with working_for(Trace("good", "1" * 32, "01")):
            await subscriptions.subscribe("a match", Audience(), "Bearer good", seconds=5)
        with working_for(Trace("broken", "2" * 32, "01")), pytest.raises(ProblemError):
            await subscriptions.subscribe("a match", Audience(), "Bearer broken", seconds=5)
        await server.stop()
        await said(logs, "subscription stream ended")
    await client.close()
    (failed,) = [line for line in logs if line["event"] == "rules server failed"]
    assert (failed["trace_id"], failed["request_id"]) == ("2" * 32, "broken")
    (ended,) = [line for line in logs if line["event"] == "subscription stream ended"]
    assert "trace_id" not in ended


async def test_the_end_of_a_play_stream_stands_under_nobody_s_trace(server: SmallServer) -> None:
    client = RulesServer(f"127.0.0.1:{server.port}", max_open_moves=10)
    begin(Trace("first", "3" * 32, "01"))
    with structlog.testing.capture_logs(processors=[add_trace]) as logs:
        act = play_pb2.ActRequest(match_id="m", action=Payload(json=b"{}"), expected_version=1)
        await client.play.act(act, "Bearer ft_test_key", seconds=5)
        await server.stop()
        await said(logs, "play stream ended")
    await client.close()
    (ended,) = [line for line in logs if line["event"] == "play stream ended"]
    assert "trace_id" not in ended
