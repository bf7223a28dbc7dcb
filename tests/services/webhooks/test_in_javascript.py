"""The receiver of docs/play/webhooks.md in JavaScript understands what is sent, and nothing else."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.movelog.events import EventType

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = ROOT / "tests" / "conformance" / "node_modules"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or not (LIBRARIES / "standardwebhooks").is_dir(),
    reason="needs node, and the libraries that `make prepare` installs where npm is there",
)


def receiver_of_the_documentation() -> str:
    text = (ROOT / "docs" / "play" / "webhooks.md").read_text()
    return text.partition("```js\n")[2].partition("```")[0]


async def test_the_documented_receiver_takes_what_is_signed_and_refuses_the_rest(
    telling: Any, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    program = tmp_path / "receiver.cjs"
    program.write_text(receiver_of_the_documentation())
    endpoint, secret = await telling.endpoint(url, EventType.MATCH_STARTED, EventType.MOVE_APPLIED)
    assert NODE is not None
    process = await asyncio.create_subprocess_exec(
        NODE,
        str(program),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "NODE_PATH": str(LIBRARIES), "PORT": str(port), "WEBHOOK_SECRET": secret},
    )
    try:
        async with httpx.AsyncClient() as client:
            forged = await posted_once_it_listens(client, url)
        assert forged.status_code == 400
        match = await telling.played(3)
        async with telling.worker():
            found = await telling.settled(endpoint)
        assert [one.attempts[-1].status for one in found] == [204] * 3
        assert process.stdout is not None
        first = (await process.stdout.readline()).decode()
        assert first.startswith("foldtable.match.started.v1")
        assert str(match.id) in (await process.stdout.readline()).decode()
    finally:
        process.kill()
        await process.wait()


async def posted_once_it_listens(client: httpx.AsyncClient, url: str) -> httpx.Response:
    headers = {"webhook-id": "1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"}
    for _ in range(500):
        try:
            return await client.post(url, content=b"{}", headers=headers)
        except httpx.ConnectError:
            await asyncio.sleep(0.02)
    raise AssertionError("the receiver does not listen")
