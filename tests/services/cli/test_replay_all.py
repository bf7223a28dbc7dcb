"""`foldtable replay-all`: stored matches decided again, by their own rules and by others."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import psycopg
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.match.other_rules import KeepsItsRules, decide_by
from engine.match.playout import random_match
from engine.match.replay import LoggedMove
from engine.match.requests import start_request
from engine.registry import game as registered_game
from services.audit import reading
from services.cli.main import app
from services.movelog.export.format import read_document
from services.movelog.export.verification import logged_moves, moves_of
from tests.support.coming_rules import COMING, coming_rules, has_dragons
from tests.support.played_matches import Playing, played

OLD = "1.0.0"
CHANGED = "last_exchanges_opened"
"""What River of Gold 1.1.0 does before the end of most matches, and 1.0.0 does not."""


@pytest.fixture(scope="module")
def old_matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six matches of River of Gold, played to the end by its first rules."""
    folder = tmp_path_factory.mktemp("matches") / "logs"
    words = ["simulate", "river_of_gold", "--matches", "6", "--workers", "1", "--rules-version", OLD]
    done = CliRunner().invoke(app, [*words, "--out", str(folder)])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def stored(foldtable: Any, database_url: str) -> Any:
    """Call the command line with a database of matches that ended, run, wait, and were forked."""

    async def play(playing: Playing) -> None:
        for number in range(3):
            await playing.match(number, 6, ends=number < 2, winds=True)
        await playing.fork(0, 3)
        await playing.waiting(2)

    asyncio.run(played(database_url, play))

    def run(*words: str, code: int = 0) -> Any:
        done = foldtable("replay-all", *words, FOLDTABLE_DATABASE_URL=database_url)
        assert done.exit_code == code, done.output
        return done

    return run


def test_files_by_their_own_rules_are_the_same(foldtable: Any, old_matches: Path) -> None:
    done = foldtable("replay-all", old_matches, "--workers", "1")
    assert done.exit_code == 0, done.output
    assert "river_of_gold 1.0.0: 6 matches, 6 ended" in done.stdout
    assert "none would have been decided otherwise by the rules that each was played by" in done.stdout


def test_newer_rules_and_where_they_would_have_decided_otherwise(foldtable: Any, old_matches: Path) -> None:
    done = foldtable("replay-all", old_matches, "--rules", "newest", "--workers", "1", "--json")
    assert done.exit_code == 0, "other rules decide otherwise: that was the question"
    found = json.loads(done.stdout)
    (game,) = found["games"]
    assert found["differ"] == game["differs"] == len(found["differing"]) > 0
    assert game["same"] + game["differs"] == found["matches"] == 6
    logs = {read_document(file.read_bytes()).match_id: file for file in old_matches.iterdir()}
    for one in found["differing"]:
        document = read_document(logs[UUID(one["match_id"])].read_bytes())
        assert (one["rules_version"], one["replayed_by"]) == (OLD, "1.1.0")
        assert one["place"].startswith("events[")
        assert CHANGED in one["decided"]
        assert "match_ended" in one["logged"]
        assert one["at"] == document.version
    alone = foldtable("replay-all", old_matches, "--rules", "1.1.0", "--workers", "2", "--json")
    assert json.loads(alone.stdout) == found | {"rules": "1.1.0"}


def test_rules_that_forbid_a_move_are_named_with_its_version(
    old_matches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match of River Dragons with a dragon, and rules without dragons."""
    coming_rules(monkeypatch)
    newest = registered_game("river_dragons")
    own = newest.by("1.2.0")
    options = own.options_codec.decode(b"{}")
    secret = bytes(32)
    rows, dragon = [], 0
    for seq, step in enumerate(random_match(own, options, 2, secret, SeededChance(b"choices", 0)), 1):
        request = start_request(options, 2) if step.seat is None else encode(step.action)
        rows.append(LoggedMove(seq=seq, seat=step.seat, request=request, events=encode(step.events)))
        if not dragon and has_dragons(step.action):
            dragon = seq
    assert dragon
    assert decide_by(own, own, rows, secret) is None
    found = decide_by(own, newest.by(COMING), rows, secret)
    assert found is not None
    assert (found.seq, found.place, found.logged) == (dragon, "request", "accepted")
    assert decide_by(own, newest.by(COMING), rows[: dragon - 1], secret) is None


def test_an_altered_first_row_differs_from_its_own_rules(old_matches: Path) -> None:
    document = read_document(min(old_matches.iterdir()).read_bytes())
    assert document.secret is not None
    first, *others = logged_moves(moves_of(document))
    forged = replace(first, events=first.events.replace(b'"seats":4', b'"seats":3', 1))
    if forged.events == first.events:
        forged = replace(first, events=first.events[:-1] + b',{"type":"x"}]')
    newest = registered_game("river_of_gold")
    found = decide_by(newest.by(OLD), newest, [forged, *others], bytes.fromhex(document.secret))
    assert found is not None
    assert found.seq == 1


def test_the_log_by_its_own_rules_and_by_others(stored: Any, database_url: str) -> None:
    found = json.loads(stored("--workers", "1", "--json").stdout)
    assert (found["matches"], found["differ"]) == (5, 0)
    assert found == json.loads(stored("--workers", "2", "--json").stdout)
    older = json.loads(stored("--rules", OLD, "--json").stdout)
    assert older["matches"] == 5
    forks = [one for game in older["games"] for one in game["undecided_because"]]
    assert forks == ["a fork keeps the rules that its first state names"]
    with psycopg.connect(database_url) as connection:
        query = "SELECT id, game FROM matches WHERE forked_from IS NOT NULL"
        ((fork, game),) = connection.execute(query).fetchall()
    with reading.at_one_moment(reading.Wanted(url=database_url)) as connected:
        rows = logged_moves(reading.moves_of(connected, [fork])[fork])
    newest = registered_game(game)
    with pytest.raises(KeepsItsRules):
        decide_by(newest, newest.by(OLD), rows, bytes(32))


def test_a_row_that_rules_decide_otherwise_ends_with_1_and_shows_nothing_of_a_running_match(
    stored: Any, database_url: str
) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("""
            UPDATE moves SET request = '{"type":"resign"}' FROM matches
            WHERE matches.id = match_id AND seq = 2 AND status IN ('running', 'ended') AND forked_from IS NULL
        """)
    found = json.loads(stored("--json", "--workers", "1", code=1).stdout)
    with psycopg.connect(database_url) as connection:
        status = dict(connection.execute("SELECT id::text, status FROM matches").fetchall())
    assert {one["at"] for one in found["differing"]} == {2}
    assert {status[one["match_id"]] for one in found["differing"]} == {"running", "ended"}
    for one in found["differing"]:
        assert bool(one["logged"] or one["decided"]) == (status[one["match_id"]] == "ended")


def test_parquet_files_answer_questions_and_the_same_command_continues_them(
    foldtable: Any, old_matches: Path, tmp_path: Path
) -> None:
    words = (
        "replay-all",
        old_matches,
        "--rules",
        "newest",
        "--workers",
        "1",
        "--parquet",
        tmp_path / "tables",
    )
    first = foldtable(*words)
    assert first.exit_code == 0, first.output
    question = f"SELECT verdict, count(*), min(differs_at) FROM '{tmp_path}/tables/matches.parquet' GROUP BY 1 ORDER BY 1"
    answer = duckdb.sql(question).fetchall()
    assert sum(row[1] for row in answer) == 6
    assert {row[0] for row in answer} <= {"same", "differs"}
    lines = tmp_path / "tables" / "results.ndjson"
    whole = lines.read_bytes()
    lines.write_bytes(whole[: len(whole) // 2])
    again = foldtable(*words)
    assert lines.read_bytes() == whole
    assert duckdb.sql(question).fetchall() == answer
    assert again.stdout.splitlines()[:3] == first.stdout.splitlines()[:3]
    other = foldtable(*words[:2], "--parquet", tmp_path / "tables")
    assert (other.exit_code, 'rules "newest", not ""' in other.stderr) == (2, True)


def test_lines_of_many_matches_are_read_and_a_running_match_is_not_replayed(
    foldtable: Any, old_matches: Path, tmp_path: Path
) -> None:
    documents = [json.loads(file.read_bytes()) for file in sorted(old_matches.iterdir())[:3]]
    documents[0] |= {
        "secret": None,
        "status": "running",
        "outcome": None,
        "audience": {"kind": "public", "seat": None},
    }
    for move in documents[0]["moves"]:
        move["request_id"] = None
    lines = [{"match_id": one["match_id"], "page_token": "x", "export": one} for one in documents]
    lines.append({"match_id": documents[0]["match_id"], "page_token": "y", "problem": {"reason": "X"}})
    file = tmp_path / "matches.ndjson"
    file.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines))
    found = json.loads(foldtable("replay-all", file, "--workers", "1", "--json").stdout)
    assert found["matches"] == 3
    (game,) = found["games"]
    assert (game["same"], game["undecided"]) == (2, 1)
    assert "no secret" in next(iter(game["undecided_because"]))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--rules", "9.9.9", "x.json"), "no game has the rules '9.9.9'", id="rules"),
        pytest.param(("--game", "chess", "x.json"), "unknown game 'chess'", id="game"),
        pytest.param(("nowhere.json",), "no such file or folder", id="file"),
        pytest.param((".",), "no file ends in .json or .ndjson there", id="empty folder"),
        pytest.param(("--since", "2026-01-01", "x.json"), "leave it out with files", id="since"),
    ],
)
def test_what_was_asked_wrongly_is_said(
    foldtable: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = foldtable("replay-all", *words)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_line_that_is_no_match_is_named(foldtable: Any, tmp_path: Path) -> None:
    file = tmp_path / "broken.ndjson"
    file.write_text('{"match_id":"a"}\n{"match_id":7}\n')
    done = foldtable("replay-all", file, "--workers", "1")
    assert done.exit_code == 1
    assert "broken.ndjson: line 2 is no exported match" in done.stderr
