"""`foldtable arena`: levels against each other; the same matches for the same seed, and who wins them."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from engine.kernel.outcome import Outcome, SeatResult
from engine.registry import GAMES
from services.cli.arena.matches import Arena
from services.cli.arena.tally import ArenaTally
from services.cli.main import app
from services.cli.simulate.distribution import interval
from services.cli.simulate.simulation import Simulation


def arena(*arguments: str) -> list[dict]:
    result = CliRunner().invoke(app, ["arena", *arguments, "--json"])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def without_times(reports: list[dict]) -> list[dict]:
    for report in reports:
        for level in report["levels"].values():
            del level["seconds_per_move"]
    return reports


def test_greedy_beats_random_in_every_game() -> None:
    """With 95 % confidence, even after one lost match: the whole interval lies above one half.

    `make bench B=bots` shows it for all levels.
    """
    reports = arena("--matches", "8", "--levels", "greedy,random", "--workers", "1", "--seed", "1")
    assert [report["game"] for report in reports] == list(GAMES)
    for report in reports:
        assert report["levels"]["greedy"]["low"] > 0.5
        assert report["levels"]["random"]["high"] < 0.5


def test_the_same_seed_gives_the_same_matches_whatever_the_number_of_workers() -> None:
    same = ("river_of_gold", "--matches", "2", "--levels", "random,greedy", "--seats", "3")
    (one,), (two,) = (without_times(arena(*same, "--workers", each)) for each in ("1", "2"))
    assert one == two


def test_every_level_plays_and_matches_are_rounded_up_until_each_has_had_every_seat() -> None:
    levels = ("random,greedy,search", "--seats", "3", "--budget", "1")
    (report,) = arena("river_of_gold", "--matches", "1", "--workers", "1", "--levels", *levels)
    assert (report["asked"], report["matches"]) == (3, 3)
    assert list(report["levels"]) == ["random", "greedy", "search"]
    assert sum(level["wins"] for level in report["levels"].values()) == pytest.approx(3)
    assert all(level["moves"] and level["mean_score"] for level in report["levels"].values())


def test_an_option_of_the_game_and_a_time_for_each_move() -> None:
    arguments = ("river_of_gold", "--matches", "1", "--levels", "random,greedy", "--workers", "1")
    (report,) = arena(*arguments, "--option", "patrons=draft", "--seconds", "0.001")
    assert report["options"]["patrons"] == "draft"
    assert report["budget"] == {"seconds": 0.001}


def test_the_results_are_printed_in_a_line_for_each_level() -> None:
    result = CliRunner().invoke(app, ["arena", "river_of_gold", "--matches", "2", "--workers", "1"])
    assert result.exit_code == 0
    title, heads, _, greedy, randomly, under, end = (
        line for line in result.stdout.splitlines() if line.strip()
    )
    assert title.strip() == "River of Gold: 2 matches, 2 players"
    assert heads.split() == [
        "level",
        "wins",
        "95",
        "%",
        "interval",
        "mean",
        "points",
        "moves",
        "ms",
        "a",
        "move",
    ]
    assert greedy.split()[:5] == ["greedy", "100.0%", "34.2", "to", "100.0%"]
    assert randomly.split()[:5] == ["random", "0.0%", "0.0", "to", "65.8%"]
    assert under.strip().startswith("seed 0, 24 playouts a move, median")
    assert end.strip() == "100.0%  The last turns have been played. Victory: …"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "unknown game 'chess'"),
        (
            ["al_rashid", "--levels", "greedy,brilliant"],
            "unknown level 'brilliant'; there are: random, greedy, search",
        ),
        (["al_rashid", "--levels", "greedy"], "two or more different levels"),
        (["al_rashid", "--levels", "greedy,greedy"], "two or more different levels"),
        (["al_rashid", "--levels", "greedy,random,search"], "3 levels need as many --seats"),
        (["al_rashid", "--seats", "9"], "2, 3, 4, 5"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_line(arguments: list[str], why: str) -> None:
    result = CliRunner().invoke(app, ["arena", *arguments])
    assert result.exit_code == 2
    assert why in " ".join(result.output.split())


@pytest.mark.parametrize(("seats", "levels"), [(2, "ab"), (3, "ab"), (4, "ab"), (4, "abc"), (3, "abc")])
def test_every_level_sits_everywhere_equally(seats: int, levels: str) -> None:
    one = Arena(Simulation("any", b"{}", seats, 0), tuple(levels), 1)
    lineups = [one.lineup(number) for number in range(len(levels) * 2)]
    for seat in range(seats):
        assert Counter(lineup[seat] for lineup in lineups) == dict.fromkeys(levels, 2)


def over(*winners: int) -> Outcome:
    results = tuple(SeatResult(seat=seat, rank=1, score=10 * seat) for seat in range(3))
    return Outcome(reason="DONE", rule="1", winners=winners, results=results)


@pytest.mark.parametrize(
    ("winners", "a", "b"),
    [
        pytest.param((0,), 1, 0, id="one winner"),
        pytest.param((0, 1), 0.5, 0.5, id="shared"),
        pytest.param((0, 2), 1, 0, id="shared among seats of one level"),
        pytest.param((), 2 / 3, 1 / 3, id="nobody: shared by all"),
    ],
)
def test_a_win_is_counted_in_parts_where_it_is_shared(winners: tuple[int, ...], a: float, b: float) -> None:
    tally = ArenaTally()
    tally.count(("a", "b", "a"), {"a": 4, "b": 2}, {"a": 0.5, "b": 0.25}, over(*winners))
    assert (tally.levels["a"].wins, tally.levels["b"].wins) == pytest.approx((a, b))
    assert tally.levels["a"].scores.counts == {0: 1, 20: 1}
    assert tally.levels["b"].moves == 2


def test_half_a_win_lies_between_none_and_one() -> None:
    """Wilson's interval: known values for 10 of 20, and the ends."""
    assert interval(10, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    none, half, one = (interval(wins, 20) for wins in (0, 0.5, 1))
    assert none[0] == 0.0 < half[0] < one[0]
    assert none[1] < half[1] < one[1]
