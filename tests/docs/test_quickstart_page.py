"""The page of docs/play/quickstart.md, opened in a browser: it shows a table, plays moves on the real stack, and follows."""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from foldtable_client import Client
from tests.support.documents import ROOT, blocks
from tests.support.independent_verifier import WHY_NOT, run
from tests.support.running_system import System

PAGE = ROOT / "docs" / "examples" / "table.html"
SITE = "http://table.localhost"
"""Where the page is served from; the system of the tests answers pages of this origin (tests/conftest.py)."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
VISITOR = """
<script>
  const seen = new Set();
  const clicked = setInterval(() => {
    const title = document.getElementById("title").textContent;
    const button = document.querySelector("#actions button:not(:disabled)");
    if (button && !seen.has(title)) { seen.add(title); button.click(); }
    if (document.getElementById("story").textContent.includes("The match is over.")) {
      clearInterval(clicked);
      setTimeout(() => fetch("/seen", { method: "POST", body: document.body.innerText }), 500);
    }
  }, 50);
</script>
"""
"""Somebody who clicks on the first thing that may be done, once a version, and tells what the page showed at last."""


class Site(ThreadingHTTPServer):
    """Serves the page with a visitor in it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.seen: queue.Queue[str] = queue.Queue()


class Answer(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.read_bytes() + VISITOR.encode())

    def do_POST(self) -> None:
        self.server.seen.put(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def site() -> Iterator[Site]:
    with Site() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def browser(address: str, site: Site, folder: Path) -> Iterator[None]:
    """Open an address in a browser that finds the site where it is."""
    assert CHROMIUM is not None
    rules = f"MAP table.localhost 127.0.0.1:{site.server_port}"
    words = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-dev-shm-usage",
        "--no-proxy-server",
    ]
    with (folder / "browser.log").open("wb") as log:
        process = subprocess.Popen(
            [
                CHROMIUM,
                *words,
                f"--user-data-dir={folder / 'profile'}",
                f"--host-resolver-rules={rules}",
                address,
            ],
            stdout=log,
            stderr=log,
            env={**os.environ, "HOME": str(folder)},
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_visitor_of_the_page_sees_the_table_and_plays(system: System, tmp_path: Path) -> None:
    with Client(system.address, system.key) as tenant, site() as server:
        created = tenant.create_match(game="river_dragons", seats=2)
        match, token = created["match"]["match_id"], created["seat_tokens"][0]["token"]
        address = f"{SITE}/table.html#api={system.address}&match={match}&token={token}"
        with browser(address, server, tmp_path):
            moves_of_the_visitor = play_the_other_seat(tenant, match, until=3)
            shown = server.seen.get(timeout=15)
    assert moves_of_the_visitor >= 3
    assert "Seat 0, version" in shown
    assert "supply" in shown
    assert "The match is over." in shown


def play_the_other_seat(tenant: Client, match: str, *, until: int) -> int:
    """Play seat 1, and leave once the visitor has made some moves; give their number."""
    made = 0
    for event in tenant.follow(match):
        version, seat = event.version, getattr(event, "seat", None)
        made += seat == 0
        if made >= until:
            tenant.resign(match, seat=1)
            return made
        now = tenant.match(match)
        if now["version"] == version and 1 in now["to_act"]:
            legal = tenant.legal_actions(match, seat=1, samples=1)
            tenant.move(match, legal["samples"][0], version=legal["version"], seat=1)
    return made


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_a_page_that_could_not_look_looks_again() -> None:
    """The server is away at that moment and at the next: no turn is lost, and nobody has to reload the page."""
    told = run("page_follows.mjs", PAGE.read_bytes())
    assert told["title"] == "Seat 0, version 7"
    assert told["actions"] == "Your decision: program (§5)"
    assert (told["story"], told["refusal"]) == ("The match is over.", "")
    assert [asked for asked in told["asked"] if "stream" in asked] == [
        "stream",
        "stream after 7",
        "stream after 7",
    ]


def test_the_document_quotes_the_page_as_it_is() -> None:
    page = "\n".join(line.strip() for line in PAGE.read_text().splitlines())
    quoted = [block for block in blocks(ROOT / "docs" / "play" / "quickstart.md") if block.mark == "page"]
    assert len(quoted) >= 2
    for block in quoted:
        lines = "\n".join(line.strip() for line in block.content.splitlines())
        assert lines in page, str(block)
