"""How many bytes do answers take on the wire, as they are and compressed? Replays of whole matches, views, legal actions.

    python tests/bench/bench_bytes.py --versions 200

Plays random matches of four seats over REST at a system of its own, then reads each answer twice and counts the bytes of its body.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any, Final

import httpx

from engine.registry import GAMES
from tests.support.running_system import running_system

SEATS: Final = 4


def played(client: httpx.Client, game: str, versions: int) -> tuple[str, int, list[int]]:
    """Play a random match to a version, or to its end; return its id, its version and the seats that must act."""
    created = (
        client.post("/v1/matches", json={"game": game, "seats": SEATS}).raise_for_status().json()["match"]
    )
    version, to_act = played_on(client, created["match_id"], created["version"], created["to_act"], versions)
    return created["match_id"], version, to_act


def played_on(
    client: httpx.Client, match_id: str, version: int, to_act: list[int], versions: int
) -> tuple[int, list[int]]:
    """Play a match at random to a version, or to its end; return its version and the seats that must act."""
    while to_act and version < versions:
        query = {"seat": to_act[0], "samples": 1}
        legal = client.get(f"/v1/matches/{match_id}/legal-actions", params=query).raise_for_status().json()
        body = {"seat": to_act[0], "action": legal["samples"][0], "expected_version": legal["version"]}
        moved = client.post(f"/v1/matches/{match_id}/moves", json=body).raise_for_status().json()
        to_act, version = moved["to_act"], moved["version"]
    return version, to_act


def bytes_of(client: httpx.Client, path: str, coding: str, **query: Any) -> int:
    """Return the length of an answer's body as it is sent."""
    headers = {"accept": "application/x-ndjson, application/json;q=0.5", "accept-encoding": coding}
    with client.stream("GET", path, headers=headers, params=query) as answer:
        answer.raise_for_status()
        return sum(map(len, answer.iter_raw()))


def measure(client: httpx.Client, versions: int) -> None:
    """Print a line for each game and answer."""
    print(f"{'game':14} {'versions':>8}  {'answer':14} {'as it is':>10} {'gzip':>9} {'':>6}")
    for game in GAMES:
        match_id, version, to_act = played(client, game, versions)
        acting = {"seat": (to_act or [0])[0]}
        path = f"/v1/matches/{match_id}"
        tables = {"what": "tables"}
        for what, query, name in (
            ("replay", {}, "replay"),
            ("replay", tables, "with tables"),
            ("replay", tables | {"lang": "en"}, "with texts"),
            ("view", {}, "view"),
            ("legal-actions", acting, "legal-actions"),
        ):
            plain, zipped = (
                bytes_of(client, f"{path}/{what}", coding, **query) for coding in ("identity", "gzip")
            )
            print(f"{game:14} {version:8}  {name:14} {plain:10,} {zipped:9,} {zipped / plain:6.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--versions", type=int, default=200, help="versions of each match, if it does not end earlier"
    )
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_system(Path(folder) / "home") as system,
        system.client() as client,
    ):
        measure(client, asked.versions)


if __name__ == "__main__":
    main()
