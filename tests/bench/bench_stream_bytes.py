"""How many bytes does a version take on an event stream, as it is and compressed, and how large are its patches?

    python tests/bench/bench_stream_bytes.py --versions 200

Plays random matches of four seats over REST at a system of its own. Each stream is read twice meanwhile, as it is and compressed,
as the seat that moves first, and its bytes are counted from the second version on. Printed are the means per version, and for
streams with tables the median patch.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
import zlib
from pathlib import Path
from typing import Any, Final

import httpx

from engine.registry import GAMES
from tests.bench.bench_bytes import SEATS, played_on
from tests.support.running_system import System, running_system

STREAMS: Final[dict[str, dict[str, Any]]] = {
    "moves": {},
    "tables": {"include": "table"},
    "with texts": {"include": "table", "lang": "en"},
}
PATIENCE: Final = 60.0


class CountedStream(threading.Thread):
    """Reads a stream of seat 0 and counts its bytes."""

    def __init__(self, system: System, match_id: str, coding: str, query: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self._address = f"{system.address}/v1/matches/{match_id}/stream"
        self._query = {"seat": 0, **query}
        self._headers = {"authorization": f"Bearer {system.key}", "accept-encoding": coding}
        self._decoder = zlib.decompressobj(16 + zlib.MAX_WBITS) if coding == "gzip" else None
        self.bytes = 0
        self.text = b""
        self.before = 0
        """The bytes of the first version."""

    def run(self) -> None:
        with httpx.stream(
            "GET", self._address, params=self._query, headers=self._headers, timeout=PATIENCE
        ) as answer:
            answer.raise_for_status()
            assert ("content-encoding" in answer.headers) == (self._decoder is not None)
            for data in answer.iter_raw():
                self.text += self._decoder.decompress(data) if self._decoder else data
                self.bytes += len(data)
                self.before = self.before or self.bytes

    def wait_for(self, text: bytes) -> None:
        """Wait until a text has come."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.text:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{text!r} did not come")
            time.sleep(0.01)

    def patches(self) -> list[int]:
        """Return the lengths of the patches' data."""
        blocks = self.text.split(b"\n\n")
        return [len(block.partition(b"data: ")[2]) for block in blocks if b"event: table.patched\n" in block]


def measure(system: System, client: httpx.Client, game: str, versions: int) -> None:
    """Print the lines of a game."""
    created = (
        client.post("/v1/matches", json={"game": game, "seats": SEATS}).raise_for_status().json()["match"]
    )
    match_id = created["match_id"]
    streams = {
        (name, coding): CountedStream(system, match_id, coding, query)
        for name, query in STREAMS.items()
        for coding in ("identity", "gzip")
    }
    for stream in streams.values():
        stream.start()
        stream.wait_for(b"id: 1\n")
    version, _ = played_on(client, match_id, created["version"], created["to_act"], versions)
    for (name, _), stream in streams.items():
        stream.wait_for(
            b"id: %d\nevent: %b\n" % (version, b"move.applied" if name == "moves" else b"table.patched")
        )
    for name in STREAMS:
        plain, zipped = (
            (one.bytes - one.before) / (version - 1)
            for one in (streams[name, coding] for coding in ("identity", "gzip"))
        )
        patches = streams[name, "identity"].patches()
        patch = f"{statistics.median(patches):10,.0f}" if patches else ""
        print(f"{game:14} {version:8}  {name:12} {plain:10,.0f} {zipped:9,.0f} {zipped / plain:6.1%} {patch}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--versions", type=int, default=200, help="versions of each match, if it does not end earlier"
    )
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_system(Path(folder) / "home", FOLDTABLE_COMPRESSION_SHARE="1") as system,
        system.client() as client,
    ):
        print(
            f"{'game':14} {'versions':>8}  {'stream':12} {'as it is':>10} {'gzip':>9} {'':>6} {'patch':>10}"
        )
        for game in GAMES:
            measure(system, client, game, asked.versions)


if __name__ == "__main__":
    main()
