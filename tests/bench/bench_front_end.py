"""What a page asks for per move, and how many bytes that is: before tables came with moves and streams, and with them.

    python tests/bench/bench_front_end.py --matches 3

Three pages sit at one seat of the same random matches of River of Gold, so all see the same moves. One posts a move, follows
the stream, and gets view, legal actions and undo after each event. The second posts with `include=table` and follows the
stream with tables. The third takes tables from the stream alone. Counted is what a browser sends and receives over HTTP/1.1:
bodies compressed, streams as they are, and headers by themselves. Every further POST of a move repeats its key, so it gets
the first answer again.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from tests.support.deployment import GENEROUS
from tests.support.running_system import running_system

BROWSER: Final = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36",
    "Accept": "*/*",
    "Accept-Encoding": "gzip",
    "Accept-Language": "en-GB,en;q=0.9",
    "Connection": "keep-alive",
    "Origin": "https://table.example.com",
    "Referer": "https://table.example.com/",
    "Sec-Fetch-Dest": "empty",
    "Sec-Fetch-Mode": "cors",
    "Sec-Fetch-Site": "cross-site",
}
"""What Chromium sends with a request of a page."""
SECONDS: Final = 20


@dataclass
class Count:
    """Requests, and bytes by what they are."""

    requests: int = 0
    bodies: int = 0
    streamed: int = 0
    headers: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, **more: int) -> None:
        with self.lock:
            for name, number in more.items():
                setattr(self, name, getattr(self, name) + number)

    def line(self, moves: int) -> str:
        """Return the means per move."""
        per_move = [number / moves for number in (self.requests, self.bodies, self.streamed, self.headers)]
        total = sum(per_move[1:])
        return f"{per_move[0]:8.2f} {per_move[1]:9,.0f} {per_move[2]:9,.0f} {per_move[3]:9,.0f} {total:9,.0f}"


class Page:
    """A page with the credential of a seat: one connection for requests, one for the stream."""

    def __init__(self, address: str, token: str, match: str, count: Count) -> None:
        self.count = count
        self._address = urlsplit(address)
        self._match = f"/v1/matches/{match}"
        self._headers = {**BROWSER, "Authorization": f"Bearer {token}"}
        self._connection = self._connect()
        self._news = threading.Condition()
        self._version = 0

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(
            self._address.hostname or "", self._address.port or 80, timeout=SECONDS
        )

    def _send(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes,
        more: dict[str, str],
    ) -> http.client.HTTPResponse:
        headers = self._headers | more
        connection.request(method, path, body or None, headers)
        response = connection.getresponse()
        assert response.status == http.HTTPStatus.OK, response.read()
        named = {"Host": self._address.netloc, **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items()), ""]
        lines += ["HTTP/1.1 200 OK", *(f"{name}: {value}" for name, value in response.getheaders()), ""]
        self.count.add(requests=1, headers=sum(len(line) + 2 for line in lines))
        return response

    def ask(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Any:
        """Send a request about the match, or one with a whole path; return the JSON of its answer."""
        whole = path if path.startswith("/v1") else self._match + path
        response = self._send(self._connection, method, whole, body, headers or {})
        sent = response.read()
        self.count.add(bodies=len(sent) + len(body))
        return json.loads(gzip.decompress(sent) if response.getheader("Content-Encoding") == "gzip" else sent)

    def follow(self, path: str, last_of_version: str) -> threading.Thread:
        """Begin to follow the match; `last_of_version` is the event that comes last of each version."""
        response = self._send(self._connect(), "GET", self._match + path, b"", {})
        thread = threading.Thread(target=self._read, args=(response, last_of_version), daemon=True)
        thread.start()
        return thread

    def _read(self, response: http.client.HTTPResponse, last_of_version: str) -> None:
        text = ""
        while chunk := response.read1(1 << 16):
            self.count.add(streamed=len(chunk))
            *events, text = (text + chunk.decode(errors="replace")).split("\n\n")
            for event in events:
                fields = dict(line.split(": ", 1) for line in event.splitlines() if ": " in line)
                if fields.get("event") in {last_of_version, "snapshot", "table"}:
                    with self._news:
                        self._version = int(fields["id"])
                        self._news.notify_all()

    def wait_for(self, version: int) -> None:
        """Wait until the stream has brought a version."""
        with self._news:
            assert self._news.wait_for(lambda: self._version >= version, SECONDS), f"no event {version}"


@dataclass(frozen=True)
class Plan:
    """What a page asks for."""

    stream: str
    last_of_version: str
    post: str
    opening: tuple[str, ...]
    after_each_event: tuple[str, ...] = ()


LOOKS: Final = ("/view?lang=en", "/legal-actions?lang=en", "/undo")
STATIC: Final = ("/v1/games/river_of_gold/layout", "/v1/games/river_of_gold/texts/en")
TABLES: Final = "/stream?include=table&lang=en"
PLANS: Final = {
    "before": Plan("/stream?lang=en", "move.applied", "/moves?lang=en", LOOKS, LOOKS),
    "after": Plan(TABLES, "table.patched", "/moves?include=table&lang=en", STATIC),
    "stream alone": Plan(TABLES, "table.patched", "/moves?lang=en", STATIC),
}


def play(address: str, key: str, opening: dict[str, Count], counts: dict[str, Count]) -> int:
    """Play a random match with all pages at seat 0; return the number of its moves."""
    authorization = {"Authorization": f"Bearer {key}"}
    tenant = httpx.Client(base_url=address, headers=authorization, timeout=SECONDS, trust_env=False)
    wanted = {"game": "river_of_gold", "seats": 2, "options": {"patrons": "draft"}}
    created = tenant.post("/v1/matches", json=wanted).raise_for_status().json()
    match, token = created["match"]["match_id"], created["seat_tokens"][0]["token"]
    pages = {name: Page(address, token, match, opening[name]) for name in PLANS}
    for name, page in pages.items():
        page.follow(PLANS[name].stream, PLANS[name].last_of_version)
        for path in PLANS[name].opening:
            page.ask("GET", path)
        page.wait_for(created["match"]["version"])
        page.count = counts[name]
    to_act, version, moves = created["match"]["to_act"], created["match"]["version"], 0
    while to_act:
        query = {"seat": to_act[0], "samples": 1}
        legal = tenant.get(f"/v1/matches/{match}/legal-actions", params=query).raise_for_status().json()
        body = json.dumps({"seat": to_act[0], "action": legal["samples"][0]}).encode()
        headers = {
            "Content-Type": "application/json",
            "If-Match": f'"v:{version}"',
            "Idempotency-Key": f'"{uuid4()}"',
        }
        answer = tenant.post(f"/v1/matches/{match}/moves", content=body, headers=headers)
        moved = answer.raise_for_status().json()
        to_act, version, moves = moved["to_act"], moved["version"], moves + 1
        if legal["seat"] == 0:
            for name, page in pages.items():
                assert page.ask("POST", PLANS[name].post, body, headers)["version"] == version
        for name, page in pages.items():
            page.wait_for(version)
            for path in PLANS[name].after_each_event:
                page.ask("GET", path)
    return moves


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=3, help="how many; default: 3")
    asked = parser.parse_args()
    opening, counts = ({name: Count() for name in PLANS} for _ in range(2))
    with (
        tempfile.TemporaryDirectory() as folder,
        running_system(
            Path(folder) / "home", FOLDTABLE_RATE_LIMITS=GENEROUS, FOLDTABLE_COMPRESSION_SHARE="1"
        ) as system,
    ):
        moves = sum(play(system.address, system.key, opening, counts) for _ in range(asked.matches))
    print(f"{asked.matches} matches of River of Gold with patrons, 2 seats, {moves} moves; bytes")
    print(f"{'':22} {'requests':>8} {'bodies':>9} {'streamed':>9} {'headers':>9} {'together':>9}")
    for name in counts:
        print(f"{name + ', per move':22} {counts[name].line(moves)}")
    for name in counts:
        print(f"{name + ', opening':22} {opening[name].line(asked.matches)}")


if __name__ == "__main__":
    main()
