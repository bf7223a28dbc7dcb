"""`foldtable replay` without a terminal: everything is printed, and nothing an audience may not know."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, Seat, seat_audience
from engine.kernel.text.text import Text
from engine.registry import game as registered_game
from services.cli.console import printable
from services.texts.formatting import sentence
from tests.support.golden_documents import (
    ALL_LOGS,
    ONE_OF_EACH,
    TO_SHOW,
    export_of,
    game_of,
    log_name,
    running_export,
    states_of,
    whole,
)
from tests.support.match_documents import a_match_that_never_began, document_of
from tests.support.running_system import FOLDTABLE, environment

Exported = Callable[[Path], Path]


@pytest.fixture
def exported(tmp_path: Path) -> Exported:
    """Write a golden log down as an export."""

    def write(log: Path) -> Path:
        file = tmp_path / f"{log.stem}.json"
        file.write_bytes(export_of(log))
        return file

    return write


BEGINNING = r"^ *\d+  (?=start: |Seat \d|Time is up for )"
"""Of a move, in English."""


def numbered(output: str) -> list[int]:
    return [int(line[:4]) for line in output.splitlines() if re.match(BEGINNING, line)]


@pytest.mark.parametrize("log", TO_SHOW, ids=log_name)
def test_a_pipe_gets_every_move_its_events_its_table_and_who_is_next(
    foldtable: Any, exported: Exported, log: Path
) -> None:
    game, states = game_of(log), states_of(log)
    done = foldtable("replay", exported(log))
    assert done.exit_code == 0
    assert numbered(done.output) == list(range(1, len(states) + 1))
    pages = re.split(BEGINNING, done.output, flags=re.MULTILINE)[1:]
    for page, move, state in zip(pages, whole(log).moves, states, strict=True):
        for event in game.event_codec.decode_many(bytes(move.events)):
            assert f"      {sentence(game, 'en', game.texts.event(event))}\n" in page
        assert page.count(game.draw(game.view(state, REFEREE))) == 1
        for waiting in game.pending(state):
            line = next(line for line in page.splitlines() if line.startswith("      To act: "))
            prompt = sentence(game, "en", game.texts.decision(waiting))
            assert f"Seat {waiting.seat}" in line
            assert f" – {prompt} (§{waiting.rule})" in line


@pytest.mark.parametrize("log", TO_SHOW, ids=log_name)
def test_the_end_shows_every_seats_rank_and_the_score_line_by_line(
    foldtable: Any, exported: Exported, log: Path
) -> None:
    game = game_of(log)
    outcome = game.outcome(states_of(log)[-1])
    assert outcome is not None
    ending = foldtable("replay", exported(log)).output.splitlines()[-1 - len(outcome.results) :]
    assert ending[0] == f"{sentence(game, 'en', game.texts.end(outcome))} (§{outcome.rule})"
    ranks = [int(line.split(".")[0]) for line in ending[1:]]
    assert ranks == sorted(result.rank for result in outcome.results)
    for result in outcome.results:
        (line,) = [line for line in ending[1:] if f". Seat {result.seat}" in line]
        if result.score is not None:
            assert f": {result.score}" in line
        for part in result.breakdown:
            reason = sentence(game, "en", game.texts.score_line(part))
            assert f"{reason} {part.points:+d} (§{part.rule})" in line


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
@pytest.mark.parametrize("audience", [PUBLIC, REFEREE, seat_audience(Seat(1))], ids=lambda one: one.kind)
def test_json_gives_a_line_per_move_with_what_the_audience_saw_then(
    foldtable: Any, exported: Exported, log: Path, audience: Any
) -> None:
    game, states = game_of(log), states_of(log)
    words = "1" if audience.seat is not None else str(audience.kind)
    done = foldtable("replay", exported(log), "--json", "--as", words)
    lines = [json.loads(line) for line in done.output.splitlines()]
    assert [line["version"] for line in lines] == list(range(1, len(states) + 1))
    for line, state, move in zip(lines, states, whole(log).moves, strict=True):
        assert line["view"] == msgspec.json.decode(encode(game.view(state, audience)))
        assert line["pending"] == msgspec.json.decode(encode(game.pending(state)))
        events = [game.redact(event, audience) for event in game.event_codec.decode_many(bytes(move.events))]
        assert line["events"] == msgspec.json.decode(encode(tuple(events)))
        assert line["event_texts"] == [sentence(game, "en", game.texts.event(event)) for event in events]
        may_know = move.seat is None or audience.sees_seat(Seat(move.seat))
        assert line["request"] == (msgspec.json.decode(bytes(move.request)) if may_know else None)
        assert (line["request_text"] == "(not shown)") is not may_know
    assert [line["outcome"] is not None for line in lines] == [False] * (len(lines) - 1) + [True]


def test_one_move_is_printed_alone(foldtable: Any, export_file: Path) -> None:
    done = foldtable("replay", export_file, "--move", "9")
    assert numbered(done.output) == [9]
    assert foldtable("replay", export_file, "--at", "9").output == done.output
    (line,) = foldtable("replay", export_file, "--move", "9", "--json").output.splitlines()
    assert json.loads(line)["version"] == 9


@pytest.mark.parametrize(
    ("words", "versions"),
    [
        pytest.param(("--from", "3", "--to", "5"), [3, 4, 5], id="between"),
        pytest.param(("--to", "2"), [1, 2], id="up to"),
        pytest.param(("--from", "41"), [41, 42], id="from"),
        pytest.param(("--from", "41", "--to", "99999"), [41, 42], id="beyond the end"),
    ],
)
def test_a_stretch_of_moves_is_printed(
    foldtable: Any, export_file: Path, words: tuple[str, ...], versions: list[int]
) -> None:
    assert len(json.loads(export_file.read_bytes())["moves"]) == 42
    assert numbered(foldtable("replay", export_file, *words).output) == versions


def test_board_and_events_can_be_had_alone(foldtable: Any, export_file: Path) -> None:
    legend = "(07) island"
    events = foldtable("replay", export_file, "--move", "9", "--show", "events").output
    board = foldtable("replay", export_file, "--move", "9", "--show", "board").output
    assert numbered(events) == [9]
    assert legend not in events
    assert numbered(board) == []
    assert legend in board
    (line,) = foldtable(
        "replay", export_file, "--move", "9", "--show", "events", "--json"
    ).output.splitlines()
    assert json.loads(line)["view"] is None


def test_a_resignation_is_printed(foldtable: Any, export_file: Path) -> None:
    assert "Seat 0 resigns." in foldtable("replay", export_file, "--show", "events").output


def test_standard_input_can_be_read(foldtable: Any, export_file: Path) -> None:
    from typer.testing import CliRunner

    from services.cli.main import app

    done = CliRunner().invoke(app, ["replay", "-", "--move", "9"], input=export_file.read_bytes())
    assert done.output == foldtable("replay", export_file, "--move", "9").output


def test_a_seat_does_not_see_what_another_one_submits_in_secret(foldtable: Any, export_file: Path) -> None:
    document = json.loads(export_file.read_bytes())
    first = next(move for move in document["moves"] if move["request"]["type"] == "submit_program")
    dragons = registered_game("river_dragons")
    cards = ", ".join(
        sentence(dragons, "en", Text(f"component.{card}")) for card in first["request"]["cards"]
    )
    words = ("replay", export_file, "--move", str(first["seq"]), "--as")
    own = foldtable(*words, str(first["seat"])).output
    for other in (str(1 - first["seat"]), "public"):
        seen = foldtable(*words, other).output
        assert "(not shown)" in seen
        assert f"      Seat {first['seat']} submits a program.\n" in seen
        assert cards not in seen
    assert "(not shown)" not in own
    assert own.count(f"Seat {first['seat']} submits a program: {cards}.") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--as", "5"), "seats 0 to 1", id="a seat that is not there"),
        pytest.param(("--as", "admiral"), "a seat's number, public, or referee", id="nobody"),
        pytest.param(("--move", "43"), "moves 1 to 42", id="a move that is not there"),
        pytest.param(("--from", "43"), "moves 1 to 42", id="a beginning that is not there"),
        pytest.param(("--from", "7", "--to", "3"), "--from 7 lies after --to 3", id="backwards"),
        pytest.param(("--move", "7", "--to", "3"), "one or the other", id="one and several"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(
    foldtable: Any, export_file: Path, words: tuple[str, ...], said: str
) -> None:
    done = foldtable("replay", export_file, *words)
    assert done.exit_code in {1, 2}
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_forged_export_is_not_replayed(foldtable: Any, export_file: Path, tmp_path: Path) -> None:
    document = json.loads(export_file.read_bytes())
    document["moves"][4]["events"] = []
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps(document))
    done = foldtable("replay", forged)
    assert done.exit_code == 1
    assert "move 5" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_a_running_matchs_file_shows_what_its_audience_may_know_and_no_table(
    foldtable: Any, tmp_path: Path, log: Path
) -> None:
    game, holder, moves = game_of(log), seat_audience(Seat(0)), 30
    file = tmp_path / "running.json"
    file.write_bytes(running_export(log, moves, holder))
    done = foldtable("replay", file, "--json")
    assert done.exit_code == 0
    assert "no views: the match still runs" in done.stderr
    for line, move in zip(map(json.loads, done.stdout.splitlines()), whole(log).moves[:moves], strict=True):
        assert (line["view"], line["pending"], line["outcome"]) == (None, None, None)
        events = [game.redact(event, holder) for event in game.event_codec.decode_many(bytes(move.events))]
        assert line["events"] == msgspec.json.decode(encode(tuple(events)))
        assert (line["request"] is not None) == (move.seat == 0)


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_a_running_matchs_file_can_be_looked_at_with_less_but_not_with_other_eyes(
    foldtable: Any, tmp_path: Path, log: Path
) -> None:
    game, file = game_of(log), tmp_path / "running.json"
    file.write_bytes(running_export(log, 30, seat_audience(Seat(0))))
    for other in ("1", "referee"):
        refused = foldtable("replay", file, "--as", other)
        assert refused.exit_code == 1
        assert "holds what seat 0 may know" in refused.stderr
    lines = map(json.loads, foldtable("replay", file, "--json", "--as", "public").stdout.splitlines())
    for line, move in zip(lines, whole(log).moves[:30], strict=True):
        events = [game.redact(event, PUBLIC) for event in game.event_codec.decode_many(bytes(move.events))]
        assert line["events"] == msgspec.json.decode(encode(tuple(events)))
        assert (line["request"] is None) is (move.seat is not None or line["version"] == 1)


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_a_referees_file_of_a_running_match_holds_everything(
    foldtable: Any, tmp_path: Path, log: Path
) -> None:
    file = tmp_path / "running.json"
    file.write_bytes(running_export(log, 30, REFEREE))
    for words, audience in (("referee", REFEREE), ("1", seat_audience(Seat(1))), ("public", PUBLIC)):
        done = foldtable("replay", file, "--move", "30", "--as", words, "--json")
        seen = game_of(log).view(states_of(log)[29], audience)
        assert json.loads(done.stdout)["view"] == msgspec.json.decode(encode(seen))
        assert done.stderr == ""


def test_a_referees_file_with_moves_that_do_not_fit_together_is_refused(
    foldtable: Any, tmp_path: Path
) -> None:
    document = json.loads(running_export(ONE_OF_EACH[0], 30, REFEREE))
    document["moves"][0]["events"] = []
    file = tmp_path / "running.json"
    file.write_text(json.dumps(document))
    done = foldtable("replay", file)
    assert done.exit_code == 1
    assert "do not fit together" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_match_that_waits_for_players_has_nothing_to_show(foldtable: Any, tmp_path: Path) -> None:
    document = json.loads(running_export(ONE_OF_EACH[0], 1, PUBLIC))
    document |= {"moves": [], "version": 0, "status": "waiting"}
    file = tmp_path / "waiting.json"
    file.write_text(json.dumps(document))
    done = foldtable("replay", file)
    assert done.exit_code == 0
    assert "nothing to see yet" in done.output


def test_a_match_that_was_aborted_before_it_began_is_printed_without_a_view(
    foldtable: Any, tmp_path: Path
) -> None:
    file = tmp_path / "never.json"
    file.write_bytes(document_of(*a_match_that_never_began()))
    done = foldtable("replay", file)
    assert done.exit_code == 0
    assert "The match is called off; there is no result." in done.output
    assert "aborted before it began: it has no state" in done.stderr


def test_a_game_that_is_not_here_is_named(foldtable: Any, tmp_path: Path, export_file: Path) -> None:
    file = tmp_path / "unknown.json"
    file.write_bytes(export_file.read_bytes().replace(b'"river_dragons"', b'"harbour"'))
    done = foldtable("replay", file)
    assert done.exit_code == 1
    assert "no game 'harbour'" in done.stderr


def test_nothing_in_a_file_can_steer_the_terminal(foldtable: Any, tmp_path: Path) -> None:
    """A running match's file cannot be checked: anybody may have written anything into its free texts."""
    document = json.loads(running_export(ONE_OF_EACH[0], 30, REFEREE))
    document["moves"][0]["request"] = {
        "type": "start_match",
        "seats": 2,
        "options": {"\x1b[2J": "\u202e\x9b"},
    }
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps(document))
    for words in (("--plain",), ("--json",)):
        done = foldtable("replay", file, *words)
        assert done.exit_code == 0
        assert not set("\x1b\x07\x9b\u202e") & set(done.output)
    first = json.loads(done.output.splitlines()[0])
    assert first["request"]["options"] == {"\x1b[2J": "\u202e\x9b"}
    assert printable("a\x1b[2J\u202eb\nc") == "a\\x1b[2J\\x202eb\nc"


def test_a_match_of_rules_that_are_not_here_is_not_shown(foldtable: Any, tmp_path: Path) -> None:
    """It would be shown wrongly; what there is, is told, and what the file calls its rules steers no terminal."""
    document = json.loads(running_export(ONE_OF_EACH[0], 30, REFEREE))
    document["rules_version"] = "9\x1b]0;owned\x07\x9b2J"
    file = tmp_path / "newer.json"
    file.write_text(json.dumps(document))
    done = foldtable("replay", file)
    assert done.exit_code == 1
    assert "there are: 1.1.0, 1.0.0" in " ".join(done.stderr.split())
    assert not set("\x1b\x07\x9b") & set(done.output)


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(max(ALL_LOGS, key=lambda log: len(states_of(log)))))
    piped = '"$0" replay "$1" | head -n 1'
    done = subprocess.run(
        ["sh", "-c", piped, FOLDTABLE, file], capture_output=True, text=True, check=True, env=environment()
    )
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""
