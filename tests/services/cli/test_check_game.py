"""`foldtable check-game`: a line for each check, what to do about a fault, and exit codes for scripts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine import registry
from engine.registry import GAMES, GameUnusable
from services.cli.check_game import command
from services.kit.every_check import CHECKS
from tests.kit import planted


def test_it_prints_a_line_for_each_check(foldtable: Any) -> None:
    done = foldtable("check-game", "al_rashid", "--matches", 1, "--only", "plays", "--only", "ends")
    assert done.exit_code == 0, done.output
    title, *lines = done.output.splitlines()
    assert title == "al_rashid: Al-Rashid, rules 1.1.0"
    assert [line.split()[:2] for line in lines] == [["ok", "plays"], ["ok", "ends"]]
    assert "moves in 1 matches" in lines[0]


def test_without_a_name_it_checks_every_installed_game(foldtable: Any) -> None:
    done = foldtable("check-game", "--matches", 1, "--only", "rules-versions", "--json")
    assert done.exit_code == 0
    read = msgspec.json.decode(done.output)
    assert read["ok"]
    assert [*read["games"]] == [*GAMES]


def test_a_fault_says_what_where_and_what_to_do(foldtable: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = planted.adds_up_wrongly()
    monkeypatch.setattr("services.kit.subject.newest", lambda game_id: faulty)
    words = ("check-game", "al_rashid", "--matches", 1, "--only", "ends")
    done = foldtable(*words)
    assert done.exit_code == 1
    _, line, what, where, do = done.output.splitlines()
    assert line.split()[:2] == ["FAULT", "ends"]
    assert "its breakdown adds up to" in what
    assert where.strip().startswith("at match 0, 2 seats, move ")
    assert do.strip() == "Do: correct `outcome`"
    read = msgspec.json.decode(foldtable(*words, "--json").output)
    assert not read["ok"]
    (check,) = read["games"]["al_rashid"]
    assert check["faults"][0]["do"] == "correct `outcome`"


def test_without_matches_the_first_check_that_needs_them_is_red(
    foldtable: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = planted.raises_in_the_middle()
    monkeypatch.setattr("services.kit.subject.newest", lambda game_id: faulty)
    done = foldtable("check-game", "al_rashid", "--matches", 1, "--only", "ends", "--only", "replay")
    assert done.exit_code == 1
    _, replay, what, where, _, ends = done.output.splitlines()
    assert replay.split()[:2] == ["FAULT", "replay"]
    assert "KeyError: 'silk', raised in decide" in what
    assert where.strip().startswith("at match 0, 2 seats, after move ")
    assert ends.split()[:2] == ["--", "ends"]
    assert ends.endswith("matches cannot be played: see `replay`")


def test_other_matches_are_played_for_another_seed(foldtable: Any) -> None:
    words = ("check-game", "al_rashid", "--matches", 1, "--only", "ends", "--json", "--seed")
    told = {foldtable(*words, seed).output.split('"checked"')[1].split('"')[1] for seed in (0, 0, 1, 2)}
    assert len(told) > 1


def test_the_list_of_checks(foldtable: Any) -> None:
    done = foldtable("check-game", "--list")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()] == [check.name for check in CHECKS]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(("chess",), "unknown game 'chess'; there are: al_rashid", id="unknown game"),
        pytest.param(("--only", "play"), "no check 'play'; there are: plays", id="unknown check"),
        pytest.param(
            ("--write-golden", "first"), "--write-golden and --golden need the name of a game", id="no game"
        ),
    ],
)
def test_wrong_usage(foldtable: Any, words: tuple[str, ...], told: str) -> None:
    done = foldtable("check-game", *words)
    assert done.exit_code == 2
    assert told in done.output


def test_a_package_that_is_refused_says_why(foldtable: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = GameUnusable("ladders", "ladders 0.3.0", "it was written for another interface")
    monkeypatch.setitem(registry.REFUSED, "ladders", problem)
    assert command.REFUSED is registry.REFUSED
    for words in (("check-game", "ladders"), ("check-game",)):
        done = foldtable(*words)
        assert done.exit_code == 2
        assert "the game ladders of ladders 0.3.0 cannot be used: it was written for another" in done.output
