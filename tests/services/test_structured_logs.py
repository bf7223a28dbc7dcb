"""Logs say where something went wrong, and never what was in the variables there: it may be a hidden card."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from services.structured_logs import LogFormat, configure_logs
from services.rpc.answering import refusal_of
import structlog

configure_logs("info", LogFormat(sys.argv[1]))

def act(cards):
    raise LookupError(f"no {cards}")

try:
    act(("hush", "hush"))
except LookupError as error:
    refused = refusal_of(error, "Act")
    assert "hush" not in refused.message
    try:
        act("hu" + "sh")
    except LookupError:
        structlog.get_logger().exception("said", exc_info=LookupError())
"""


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_an_internal_error_is_logged_with_its_place_and_without_its_content(log_format: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, log_format], capture_output=True, text=True, timeout=30, check=True
    )
    assert "internal error" in done.stderr
    assert "in act" in done.stderr
    assert "hush" not in done.stderr
