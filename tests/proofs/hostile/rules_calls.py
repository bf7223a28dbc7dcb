"""Anybody calls RulesService, many times at once with a megabyte each: memory stays bounded, and everybody else plays on.

    python -m tests.proofs.hostile.rules_calls

prints what the calls were answered, what the rules server holds before, meanwhile and afterwards, and how long those who play
waited. Also one of the siege's attacks.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from functools import cache
from typing import Any, Final
from uuid import UUID

import grpc
from google.rpc import error_details_pb2, status_pb2

from foldtable.rules.v1 import payload_pb2
from foldtable.rules.v1 import rules_service_pb2 as pb
from foldtable.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from tests.proofs.hostile.bystanders import Bystanders
from tests.proofs.hostile.system import Footprint, standing
from tests.proofs.hostile.wire import Target, Told
from tests.support.match_documents import a_match

AT_ONCE: Final = 64
MEGABYTE: Final = 1024 * 1024
WAIT_SECONDS: Final = 60.0
MATCH: Final = UUID("01940000-0000-7000-8000-0000000000bb")


@cache
def a_megabyte_of_events() -> pb.FoldEventsRequest:
    """Return a request to fold about a megabyte: the events of a match, again and again."""
    _, rows = a_match(game_id="al_rashid", seats=4, moves=400, match_id=MATCH)
    whole = b",".join(row.events[1:-1] for row in rows if row.events != b"[]")
    copies = MEGABYTE // len(whole)
    return pb.FoldEventsRequest(
        game="al_rashid", events=payload_pb2.Payload(json=b"[" + b",".join([whole] * copies) + b"]")
    )


async def fold_at_once(address: str, calls: int, rounds: int, *, connections: int = 4) -> Told:
    """Send so many large calls at once, in rounds and without a credential; return the status codes."""
    told = Told()
    request = a_megabyte_of_events()
    options = (("grpc.use_local_subchannel_pool", 1),)
    channels = [grpc.aio.insecure_channel(address, options=options) for _ in range(connections)]

    async def one(number: int) -> None:
        stub: Any = RulesServiceStub(channels[number % connections])
        begun = time.monotonic()
        try:
            await stub.FoldEvents(request, timeout=WAIT_SECONDS)
        except grpc.aio.AioRpcError as error:
            told.answers[error.code().name] += 1
            if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and not _says_when(error):
                told.violations.append(f"RESOURCE_EXHAUSTED without RetryInfo: {error.details()}")
        else:
            told.answers["OK"] += 1
        told.worst = max(told.worst, time.monotonic() - begun)

    try:
        for _ in range(rounds):
            await asyncio.gather(*(one(number) for number in range(calls)))
    finally:
        for channel in channels:
            await channel.close()
    return told


def _says_when(error: grpc.aio.AioRpcError) -> bool:
    """Return whether a refusal has RetryInfo."""
    raw = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    details = status_pb2.Status.FromString(bytes(raw)).details if raw else ()
    return any(detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR) for detail in details)


async def large_rules_calls(target: Target) -> Told:
    """Call RulesService with a megabyte, many times at once, without a credential."""
    address = f"{target.host}:{target.grpc_ports[0]}"
    told = await fold_at_once(address, min(AT_ONCE, target.size), 1)
    return told.expect("OK", "INVALID_ARGUMENT", "RESOURCE_EXHAUSTED")


async def highest(pid: int, over: asyncio.Event) -> int:
    """Return the most that a process holds until something is over."""
    most = 0
    while not over.is_set():
        most = max(most, Footprint.of(pid).resident_bytes)
        await asyncio.sleep(0.05)
    return most


async def fold_and_measure(address: str, pid: int, rounds: int) -> tuple[Told, int]:
    """Return what the calls were answered, and the most that the rules server held meanwhile, in bytes."""
    over = asyncio.Event()
    measuring = asyncio.create_task(highest(pid, over))
    told = await fold_at_once(address, AT_ONCE, rounds)
    over.set()
    return told, await measuring


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=2, help="of 64 calls each")
    parser.add_argument("--quiet", type=float, default=5, help="seconds without them, to compare")
    asked = parser.parse_args()
    size = a_megabyte_of_events().ByteSize()
    with standing() as system, Bystanders(system.urls[0], system.key) as bystanders:
        time.sleep(asked.quiet)
        bystanders.seen()
        time.sleep(asked.quiet)
        quiet, pid = bystanders.seen(), system.rules[0].pid
        before = Footprint.of(pid).resident_bytes
        told, most = asyncio.run(fold_and_measure(system.rules_addresses[0], pid, asked.rounds))
        meanwhile = bystanders.seen()
        time.sleep(asked.quiet)
        after = Footprint.of(pid).resident_bytes
    print(
        f"{AT_ONCE} calls of {size // 1024} KiB at once, {asked.rounds} rounds: {dict(told.answers)} {told.violations or ''}"
    )
    print(
        f"slowest call {told.worst:.1f} s; others p99 {quiet.quantile(0.99):.3f} s > {meanwhile.quantile(0.99):.3f} s"
    )
    print(
        f"rules server {before // MEGABYTE} MiB, at most {most // MEGABYTE}, {after // MEGABYTE} afterwards"
    )


if __name__ == "__main__":
    main()
