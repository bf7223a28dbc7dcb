"""`foldtable export --all` and `--parquet`: every match once, also after an interruption, and tables that agree with the API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import duckdb
import pytest

from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from tests.support.match_documents import a_match, document_of
from tests.support.running_system import System

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def player() -> str:
    return f"ada-{uuid4()}"


@pytest.fixture
def export(foldtable: Any, system: System, player: str) -> Any:
    """Export the matches of one player."""
    words = ("export", "--player", player, "--url", system.address, "--key", system.key)
    return lambda *more: foldtable(*words, *more)


@pytest.fixture(scope="module")
def matches(system: System, player: str) -> list[str]:
    """Two matches of a player, oldest first: one that is over, one that runs."""
    with system.client() as client:
        made = []
        for _ in range(2):
            body = {"game": "river_dragons", "seats": 2, "players": [player, "bert"]}
            made.append(client.post("/v1/matches", json=body).raise_for_status().json()["match"]["match_id"])
        client.post(f"/v1/matches/{made[0]}/resign", json={"seat": 1}).raise_for_status()
    return made


def newest(lines: bytes) -> dict[str, Any]:
    """Return the newest export of each match, without its signature and its token, which say when it was made."""
    found = {}
    for line in map(json.loads, lines.splitlines()):
        assert line["export"].pop("signature")
        found[line["match_id"]] = line["export"]
    return found


def ids_in(file: Path) -> list[str]:
    return [json.loads(line)["match_id"] for line in file.read_text().splitlines()]


def test_every_match_is_a_line_that_verifies(export: Any, matches: list[str], tmp_path: Path) -> None:
    file = tmp_path / "all.ndjson"
    done = export("--all", "-o", file)
    assert done.exit_code == 0, done.stderr
    assert done.stdout == f"{file}: 2 lines more\n"
    assert ids_in(file) == matches
    first = json.loads(file.read_text().splitlines()[0])["export"]
    assert verify_document(read_document(json.dumps(first).encode())).ok


@pytest.mark.parametrize(
    "left", ["nothing", "part of the first line", "the first line", "and part of the second"]
)
def test_a_file_is_continued_after_its_last_whole_line(
    export: Any, matches: list[str], tmp_path: Path, left: str
) -> None:
    whole, file = tmp_path / "whole.ndjson", tmp_path / "begun.ndjson"
    assert export("--all", "-o", whole).exit_code == 0
    text = whole.read_bytes()
    end = text.index(b"\n") + 1
    kept = {
        "nothing": 0,
        "part of the first line": 100,
        "the first line": end,
        "and part of the second": end + 50,
    }
    file.write_bytes(text[: kept[left]])
    assert export("--all", "-o", file).exit_code == 0
    complete = file.read_bytes()
    assert complete.startswith(text[: end if kept[left] >= end else 0])
    assert newest(complete) == newest(text)
    assert export("--all", "-o", file).exit_code == 0
    assert file.read_bytes().startswith(complete), (
        "matches of the last minutes may come again, behind what is there"
    )


def test_results_are_match_documents(export: Any, matches: list[str], tmp_path: Path) -> None:
    file = tmp_path / "results.ndjson"
    assert export("--all", "--what", "results", "-o", file).exit_code == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["match"]["status"] for line in lines] == ["ended", "running"]


def test_tables_say_what_the_exports_say(
    export: Any, matches: list[str], tmp_path: Path, player: str
) -> None:
    folder = tmp_path / "tables"
    done = export("--parquet", folder)
    assert done.exit_code == 0, done.stderr
    exports = [json.loads(line)["export"] for line in (folder / "matches.ndjson").read_text().splitlines()]

    def rows(query: str) -> list[Any]:
        return duckdb.sql(query.replace("$", f"{folder}/")).fetchall()

    assert rows("SELECT match_id, game, seats, status, version FROM '$matches.parquet' ORDER BY 1") == [
        (UUID(one["match_id"]), one["game"], one["seats"], one["status"], one["version"]) for one in exports
    ]
    assert rows("SELECT winners, reason FROM '$matches.parquet' ORDER BY match_id") == [
        (exports[0]["outcome"]["winners"], exports[0]["outcome"]["reason"]),
        (None, None),
    ]
    assert rows("SELECT match_id, seat, player, rank FROM '$seats.parquet' ORDER BY seat") == [
        (UUID(matches[0]), result["seat"], [player, "bert"][result["seat"]], result["rank"])
        for result in sorted(exports[0]["outcome"]["results"], key=lambda result: result["seat"])
    ]
    assert rows("SELECT match_id, version, seat, type FROM '$moves.parquet' ORDER BY 1, 2") == [
        (UUID(one["match_id"]), move["seq"], move["seat"], (move["request"] or {}).get("type"))
        for one in exports
        for move in one["moves"]
    ]
    assert rows("SELECT match_id, version, number, type FROM '$events.parquet' ORDER BY 1, 2, 3") == [
        (UUID(one["match_id"]), move["seq"], number, event["type"])
        for one in exports
        for move in one["moves"]
        for number, event in enumerate(move["events"], 1)
    ]


def test_a_match_that_was_exported_again_is_in_the_tables_once(tmp_path: Path) -> None:
    from services.cli.matches.parquet import write_parquet

    match_id = uuid4()
    earlier, later = (json.loads(document_of(*a_match(moves=moves, match_id=match_id))) for moves in (3, 5))
    lines = tmp_path / "it's.ndjson"
    lines.write_text(
        "".join(
            json.dumps({"match_id": str(match_id), "page_token": "x", "export": one}) + "\n"
            for one in (earlier, later)
        )
    )
    assert dict(write_parquet(lines, tmp_path))["moves"] == len(later["moves"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--all", "0190aaaa-0000-7000-8000-000000000000"], "leave out the match"),
        (["--all", "--as", "1"], "leave out the match and --as"),
        ([], "name a match, or"),
        (["--parquet", "here", "--what", "results"], "leave out --what"),
        (["--all", "--status", "asleep"], "status"),
    ],
)
def test_what_cannot_be_meant_is_said_in_a_line(
    export: Any, tmp_path: Path, words: list[str], said: str
) -> None:
    done = export(*words, "-o", tmp_path / "none.ndjson")
    assert done.exit_code != 0
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ada,\n",
        "Dear Ada",
        '{"format":"foldtable.match.v1"}',
        '{"match_id":"x","moves":[]}',
        "[1]\n[2]\nhalf",
    ],
)
def test_a_file_of_something_else_stays_as_it_is(
    export: Any, matches: list[str], tmp_path: Path, text: str
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text(text)
    done = export("--all", "-o", file)
    assert done.exit_code == 2
    assert "not an export" in done.stderr
    assert file.read_text() == text


def test_a_file_of_results_is_not_continued_with_moves(
    export: Any, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "results.ndjson"
    assert export("--all", "--what", "results", "-o", file).exit_code == 0
    text = file.read_text()
    done = export("--all", "-o", file)
    assert (done.exit_code, file.read_text()) == (2, text)
    assert "another --what" in done.stderr
