"""A client that pings every ten seconds keeps its watch, however long nothing happens."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer

from services.rpc.keepalive import CLIENTS_MAY_PING_EVERY_SECONDS, KEEPALIVE
from services.rpc.probing import ProbePort
from services.rpc.server import RpcServer
from services.rpc.settings import RpcSettings

ROOT = Path(__file__).resolve().parents[3]
NODE = shutil.which("node")
SECONDS = 3 * CLIENTS_MAY_PING_EVERY_SECONDS + 15.0
"""More than three pings: the third that comes too soon ends a connection."""

NODE_CLIENT = """
const grpc = require("@grpc/grpc-js");
const [address, every, wait] = process.argv.slice(1);
const client = new grpc.Client(address, grpc.credentials.createInsecure(), {
  "grpc.keepalive_time_ms": Number(every), "grpc.keepalive_timeout_ms": 5000, "grpc.keepalive_permit_without_calls": 1,
});
const raw = (bytes) => bytes;
const watch = client.makeServerStreamRequest("/grpc.health.v1.Health/Watch", raw, raw, Buffer.alloc(0));
watch.on("data", () => console.log("watching"));
watch.on("error", (error) => { console.log("lost " + error.details); process.exit(0); });
setTimeout(() => { console.log("kept"); process.exit(0); }, Number(wait));
"""


class Settings(RpcSettings):
    listen: str = "127.0.0.1:0"
    database_url: str = "unused"


@pytest.fixture
async def address() -> AsyncIterator[str]:
    server = RpcServer(Settings(drain_seconds=0), ())
    yield await server.start()
    await server.stop()


def test_every_grpc_server_of_ours_allows_it() -> None:
    told = dict(KEEPALIVE)
    assert told["grpc.http2.min_ping_interval_without_data_ms"] < CLIENTS_MAY_PING_EVERY_SECONDS * 1_000
    assert told["grpc.keepalive_permit_without_calls"] == 1
    servers = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for folder in ("services", "gateway", "engine")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"grpc\.(aio\.)?server\(", path.read_text())
    }
    assert set(servers) == {"services/rpc/server.py", "services/rpc/probing.py"}
    assert all("*KEEPALIVE" in text for text in servers.values())


async def watched(address: str, seconds: float, *, every: float) -> tuple[str, float]:
    """Watch with Python's client, which pings; return how the watch ended, and after how many seconds."""
    options = (
        ("grpc.keepalive_time_ms", int(every * 1_000)),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),  # as many as it wants
    )
    began = time.monotonic()
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        watch: Any = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        try:
            async with asyncio.timeout(seconds):
                async for _ in watch:
                    pass
        except TimeoutError:
            return "kept", time.monotonic() - began
        except grpc.aio.AioRpcError as error:
            return f"lost {error.details()}", time.monotonic() - began
    return "ended", time.monotonic() - began


async def watched_by_node(address: str, seconds: float, *, every: float) -> str:
    assert NODE is not None
    node = await asyncio.create_subprocess_exec(
        *(NODE, "-e", NODE_CLIENT, address, str(int(every * 1_000)), str(int(seconds * 1_000))),
        stdout=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"]},
        cwd=ROOT / "tests" / "conformance",
    )
    printed, _ = await asyncio.wait_for(node.communicate(), seconds + 30)
    return printed.decode().split("\n")[-2]


async def test_a_flood_of_pings_still_ends_the_connection(address: str) -> None:
    """So that the test below is known to notice: Python's client pings once a second here."""
    ended, _ = await watched(address, 20, every=1)
    assert "too_many_pings" in ended.lower() or "ping" in ended.lower()


@pytest.mark.slow
async def test_python_keeps_its_watch(address: str) -> None:
    ended, _ = await watched(address, SECONDS, every=CLIENTS_MAY_PING_EVERY_SECONDS)
    assert ended == "kept"


@pytest.mark.slow
async def test_python_keeps_its_watch_at_the_port_of_probes() -> None:
    port = ProbePort("127.0.0.1:0", HealthServicer())
    address = await port.start()
    try:
        ended, _ = await watched(address, SECONDS, every=CLIENTS_MAY_PING_EVERY_SECONDS)
    finally:
        await port.stop()
    assert ended == "kept"


@pytest.mark.slow
@pytest.mark.conformance
async def test_node_keeps_its_watch(address: str) -> None:
    assert await watched_by_node(address, SECONDS, every=CLIENTS_MAY_PING_EVERY_SECONDS) == "kept"
