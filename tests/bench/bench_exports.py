"""How long does it take to export many matches, to make Parquet files of them, and to ask those?

    python tests/bench/bench_exports.py --matches 1000

Matches of all games, played at random to move 60 and then resigned, are imported into a system of its own. Then
`foldtable export --parquet` runs on them as a whole, and the three questions of docs/play/history.md are asked.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final
from uuid import uuid4

import duckdb

from engine.registry import GAMES
from services.movelog.export.format import MEDIA_TYPE
from tests.support.documents import ROOT, blocks
from tests.support.match_documents import a_match, document_of
from tests.support.running_system import FOLDTABLE, System, running_system

MOVES: Final = 60
PAGE: Final = ROOT / "docs" / "play" / "history.md"


def import_matches(system: System, number: int) -> int:
    """Import so many matches, of each game in turn; return the number of their moves."""
    games, moves = tuple(GAMES), 0
    with system.client() as client:
        for seed in range(number):
            match, rows = a_match(
                game_id=games[seed % len(games)], seats=2, moves=MOVES, seed=seed, match_id=uuid4()
            )
            document = document_of(match, rows, "Ada", "Bo")
            answer = client.post("/v1/matches/import", content=document, headers={"content-type": MEDIA_TYPE})
            answer.raise_for_status()
            moves += len(rows)
    return moves


def questions() -> str:
    """Return the program of the documentation that asks."""
    return next(one.content for one in blocks(PAGE) if one.language == "python" and "duckdb" in one.content)


def timed(*command: str, folder: Path) -> float:
    """Return the seconds that a command takes."""
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def measure(system: System, folder: Path, number: int) -> None:
    """Print what was measured."""
    moves = import_matches(system, number)
    server = ("--url", system.address, "--key", system.key)
    results, whole, tables = (
        timed(str(FOLDTABLE), "export", *words, *server, folder=folder)
        for words in (
            ("--all", "--what", "results", "-o", "results.ndjson"),
            ("--all", "-o", "matches.ndjson"),
            ("--parquet", "tables"),
        )
    )
    begun = time.perf_counter()
    program = compile(questions().replace("'tables/", f"'{folder}/tables/"), PAGE.name, "exec")
    exec(program, {"duckdb": duckdb})
    asked = time.perf_counter() - begun
    sizes = {path.name: path.stat().st_size for path in sorted((folder / "tables").iterdir())}
    print(f"{number:,} matches, {moves:,} moves")
    print(f"results as lines        {results:7.2f} s  {number / results:7.0f} matches/s")
    print(f"exports as lines        {whole:7.2f} s  {number / whole:7.0f} matches/s")
    print(f"exports and Parquet     {tables:7.2f} s  {number / tables:7.0f} matches/s")
    print(f"the three questions     {asked:7.2f} s")
    print(", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in sizes.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=1_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_system(Path(folder) / "home") as system:
        measure(system, Path(folder), asked.matches)


if __name__ == "__main__":
    main()
