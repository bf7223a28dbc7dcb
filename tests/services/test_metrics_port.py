"""The Prometheus endpoint: it answers, and who hangs up in the middle leaves nothing beside the log."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import socket, struct, sys, time, urllib.request
from services.process.metrics_port import serve_metrics
from services.process.structured_logs import LogFormat, configure_logs
import prometheus_client, structlog

configure_logs("info", LogFormat.JSON)
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
serve_metrics(f"127.0.0.1:{port}")
for _ in range(20):  # what is left unread turns the end of the connection into a reset
    with socket.create_connection(("127.0.0.1", port)) as hurried:
        hurried.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        hurried.sendall(b"GET /metrics HTTP/1.1\\r\\n")
with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
    assert b"python_info" in answer.read()
time.sleep(0.2)
structlog.get_logger("ours").warning("done")
"""


def test_who_hangs_up_in_the_middle_leaves_nothing_beside_the_log() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["event"] for line in done.stderr.splitlines()] == ["done"]
