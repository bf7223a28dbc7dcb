"""Logs say where something went wrong, and never what was in the variables there: it may be a hidden card.

That holds for what libraries log, for warnings and for exceptions that nobody caught, too; and all of it is one JSON object
a line. Every process sets its logs up so, the gateway, too.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

REFUSAL = """
import sys
from services.process.structured_logs import LogFormat, configure_logs
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
        structlog.get_logger().exception("said")
"""

PREPARED = """
import asyncio, gc, logging, sys, threading, warnings
import structlog
from services.process.structured_logs import LogFormat, configure_logs

configure_logs("info", LogFormat("{log_format}"))
SECRET = "hu" + "sh"

class Card(ValueError):
    def __repr__(self):
        return SECRET

def act(cards):
    raise Card("no " + cards)
"""

SAID = {
    "a library's warning": (
        'logging.getLogger("psycopg.pool").warning("error connecting in %r: %s", "log", "refused")',
        {"level": "warning", "logger": "psycopg.pool", "event": "error connecting in 'log': refused"},
    ),
    "several lines in one": (
        'logging.getLogger("a.library").error("first\\nsecond")',
        {"level": "error", "logger": "a.library", "event": "first\nsecond"},
    ),
    "arguments that do not fit the text": (
        'logging.getLogger("a.library").error("%d of %d", "x")',
        {"level": "error", "logger": "a.library", "event": "%d of %d"},
    ),
    "a text that is no UTF-8": (
        'logging.getLogger("a.library").error("caf\\udce9")',
        {"level": "error", "event": "caf\udce9"},
    ),
    "a library's exception": (
        "try:\n    act(SECRET)\nexcept Card:\n    logging.getLogger('a.library').exception('it failed')",
        {"level": "error", "event": "it failed", "kind": "Card"},
    ),
    "an exception as text": (
        "import traceback\ntry:\n    act(SECRET)\nexcept Card:\n    logging.getLogger('a.library').error(traceback.format_exc())",
        {"level": "error", "event": "an exception"},
    ),
    "our own exception": (
        "try:\n    act(SECRET)\nexcept Card:\n    structlog.get_logger('ours').exception('it failed')",
        {"level": "error", "logger": "ours", "event": "it failed", "kind": "Card"},
    ),
    "a task that nobody waits for": (
        (
            "async def main():\n"
            "    async def play(): act(SECRET)\n"
            "    asyncio.get_running_loop().create_task(play())\n"
            "    await asyncio.sleep(0.01)\n"
            "    gc.collect()\n"
            "    await asyncio.sleep(0.01)\n"
            "asyncio.run(main())"
        ),
        {
            "level": "error",
            "logger": "asyncio",
            "event": "Task exception was never retrieved",
            "kind": "Card",
        },
    ),
    "a callback of the loop": (
        (
            "async def main():\n"
            "    asyncio.get_running_loop().call_soon(act, SECRET)\n"
            "    await asyncio.sleep(0.01)\n"
            "asyncio.run(main())"
        ),
        {"level": "error", "logger": "asyncio", "event": "Exception in callback act", "kind": "Card"},
    ),
    "a callback of uvloop": (
        (
            "import uvloop\n"
            "async def main():\n"
            "    asyncio.get_running_loop().call_soon(act, SECRET)\n"
            "    await asyncio.sleep(0.01)\n"
            "uvloop.run(main())"
        ),
        {"level": "error", "logger": "asyncio", "kind": "Card"},
    ),
    "a thread": (
        "thread = threading.Thread(target=act, args=(SECRET,), name='player')\nthread.start()\nthread.join()",
        {"level": "error", "event": "uncaught exception", "thread": "player", "kind": "Card"},
    ),
    "a destructor": (
        "class Table:\n    def __del__(self): act(SECRET)\nTable()",
        {"level": "error", "event": "uncaught exception", "kind": "Card"},
    ),
    "a warning": (
        "warnings.warn('soon gone', ResourceWarning)\nwarnings.simplefilter('always')\nwarnings.warn('soon gone', UserWarning)",
        {"level": "warning", "logger": "py.warnings"},
    ),
    "the program itself": (
        "act(SECRET)",
        {"level": "critical", "event": "uncaught exception", "kind": "Card"},
    ),
}


def run(program: str, *words: str) -> str:
    """Run a program; return what it wrote to standard error."""
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == ""
    return done.stderr


def prepared(log_format: str) -> str:
    return PREPARED.format(log_format=log_format)


def in_a_row() -> str:
    """Return a program that says everything there is to be said, each after a line that tells what comes."""
    return "\n".join(
        f"structlog.get_logger('next').warning('next', now={what!r})\n{program}"
        for what, (program, _) in SAID.items()
    )


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_an_internal_error_is_logged_with_its_place_and_without_its_content(log_format: str) -> None:
    written = run(REFUSAL, log_format)
    assert "internal error" in written
    assert "said" in written
    assert "in act" in written
    assert "hush" not in written


def test_whoever_says_something_says_it_in_one_line_of_json() -> None:
    written = run(prepared("json") + in_a_row())
    assert "hush" not in written
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["now"] for line in lines[::2]] == list(SAID), "one line each, and one of ours before it"
    for (what, (_, wanted)), told in zip(SAID.items(), lines[1::2], strict=True):
        assert {name: told.get(name) for name in wanted} == wanted, what
        assert {"event", "level", "logger", "timestamp"} <= told.keys(), what
        if "kind" in wanted:
            assert "in act" in told["exception"], what


def test_a_terminal_gets_text_and_no_secret_either() -> None:
    written = run(prepared("console") + in_a_row())
    for what, (_, wanted) in SAID.items():
        assert str(wanted.get("event", "")).split("\n")[0].split("\udce9")[0] in written, what
    assert not any(line.startswith("{") for line in written.splitlines())
    assert "hush" not in written


def test_lines_of_many_threads_do_not_run_into_each_other() -> None:
    program = """
def many(number):
    for _ in range(200):
        structlog.get_logger("ours").warning("x" * 3000, number=number)
        logging.getLogger("theirs").warning("y" * 3000)

threads = [threading.Thread(target=many, args=(number,)) for number in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    lines = run(prepared("json") + program).splitlines()
    assert len(lines) == 2 * 6 * 200
    assert {json.loads(line)["logger"] for line in lines} == {"ours", "theirs"}


def test_the_core_of_grpc_writes_nothing_past_the_log() -> None:
    program = """
import socket
import grpc
with socket.create_server(("127.0.0.1", 0)) as taken:
    async def main():
        try:
            grpc.aio.server(options=(("grpc.so_reuseport", 0),)).add_insecure_port(f"127.0.0.1:{taken.getsockname()[1]}")
        except RuntimeError:
            structlog.get_logger("ours").warning("taken")
    asyncio.run(main())
"""
    (line,) = run(prepared("json") + program).splitlines()
    assert json.loads(line)["event"] == "taken"
