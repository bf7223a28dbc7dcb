"""`foldtable simulate`: whole random matches, the same for the same seed, counted and written down."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.chance import SeededChance
from engine.match.playout import random_match
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.cli.simulate import simulation as simulation_module
from services.cli.simulate.simulation import (
    MatchFailed,
    Simulation,
    batches,
    derived,
    log_name,
    play,
    play_batch,
)
from services.cli.simulate.tally import Tally
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document

FEW_SEATS = {game: str(min(registered_game(game).seat_counts)) for game in GAMES}


def a_simulation(game: str = "river_dragons", seed: int = 1, folder: Path | None = None) -> Simulation:
    return Simulation(game, b"{}", min(registered_game(game).seat_counts), seed, folder)


def tally_of(simulation: Simulation, matches: int) -> Tally:
    tally = Tally()
    for batch in batches(simulation, matches):
        tally.merge(play_batch(batch.work).tally)
    return tally


@pytest.mark.parametrize("game", GAMES)
def test_a_tally_is_what_the_matches_came_to(game: str) -> None:
    """Counted here once more, straight from the kernel's matches."""
    simulation, matches = a_simulation(game), 3
    tally = tally_of(simulation, matches)
    rules = registered_game(game)
    lengths, draws, actions, outcomes = [], [], Counter[str](), []
    for number in range(matches):
        luck, whims = (derived(simulation, number, purpose) for purpose in ("luck", "choices"))
        options = rules.options_codec.decode(b"{}")
        steps = list(random_match(rules, options, simulation.seats, luck, SeededChance(whims, 0)))
        lengths.append(len(steps) - 1)
        draws.append(sum(len(step.draws) for step in steps))
        actions.update(step.action.__struct_config__.tag for step in steps[1:])
        outcomes.append(rules.outcome(steps[-1].state))
    assert sorted(tally.lengths.counts.elements()) == sorted(lengths)
    assert sorted(tally.draws.counts.elements()) == sorted(draws)
    assert tally.actions == actions
    assert tally.reasons == Counter(outcome.reason for outcome in outcomes)
    assert tally.wins == Counter(seat for outcome in outcomes for seat in outcome.winners)
    assert tally.without_winner == sum(not outcome.winners for outcome in outcomes)
    assert tally.shared == sum(len(outcome.winners) > 1 for outcome in outcomes)
    assert (tally.longest.moves, tally.longest.number) == (max(lengths), lengths.index(max(lengths)))
    for seat in range(simulation.seats):
        points = [outcome.results[seat].score for outcome in outcomes if outcome.results[seat].seat == seat]
        if None not in points and len(points) == matches:
            assert sorted(tally.scores[seat].counts.elements()) == sorted(points)


def test_the_draws_of_a_match_are_all_that_its_verification_makes_again(tmp_path: Path) -> None:
    simulation = a_simulation("al_rashid", folder=tmp_path)
    tally = tally_of(simulation, 1)
    found = verify_document(read_document((tmp_path / log_name(simulation, 0)).read_bytes()))
    assert tally.draws.total() == len(found.draws) > 0


def test_older_rules_can_be_simulated(foldtable: Any, tmp_path: Path) -> None:
    words = ("simulate", "river_dragons", "--matches", "1", "--seats", "2", "--workers", "1", "--json")
    done = foldtable(*words, "--rules-version", "1.0.0", "--out", tmp_path)
    assert json.loads(done.stdout)["rules_version"] == "1.0.0"
    (log,) = tmp_path.iterdir()
    document = read_document(log.read_bytes())
    assert (document.rules_version, verify_document(document).decided_again) == ("1.0.0", True)
    unknown = foldtable(*words, "--rules-version", "0.9.0")
    assert unknown.exit_code == 2
    assert "there are: 1.2.0, 1.1.0, 1.0.0" in " ".join(unknown.stderr.split())


def test_options_are_judged_before_anything_is_played(foldtable: Any) -> None:
    """Matches that might never end are not simulated; rules that do not know an option refuse it."""
    words = ("simulate", "river_dragons", "--matches", "1", "--seats", "2", "--workers", "1")
    endless = foldtable(*words, "--option", "round_limit=none")
    assert (endless.exit_code, "NO_CERTAIN_END" in endless.stderr) == (2, True)
    older = foldtable(*words, "--option", "round_limit=7", "--rules-version", "1.1.0")
    assert (older.exit_code, "ROUND_LIMIT_FIXED" in older.stderr) == (2, True)
    short = foldtable(*words, "--option", "round_limit=1", "--json")
    assert json.loads(short.stdout)["options"] == {"variant": "islands", "round_limit": 1}


def test_how_matches_are_cut_and_in_which_order_they_are_counted_changes_nothing() -> None:
    simulation = a_simulation()
    forwards, backwards = Tally(), Tally()
    for number in range(5):
        play(simulation, number, forwards)
    for number in reversed(range(5)):
        one = Tally()
        play(simulation, number, one)
        backwards.merge(one)
    assert forwards == backwards == tally_of(simulation, 5)
    assert tally_of(a_simulation(seed=2), 5) != forwards


@pytest.mark.parametrize("game", GAMES)
def test_json_gives_everything_and_it_adds_up(foldtable: Any, game: str) -> None:
    words = ("simulate", game, "--matches", "9", "--workers", "1", "--seats", FEW_SEATS[game], "--json")
    done = foldtable(*words)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["game"], found["matches"], found["asked"], found["seed"]) == (game, 9, 9, 0)
    assert sum(share["count"] for share in found["ended_by"].values()) == 9
    assert sum(share["share"] for share in found["ended_by"].values()) == pytest.approx(1)
    assert sum(kind["share"] for kind in found["actions"].values()) == pytest.approx(1)
    moves, seats = found["moves"], int(FEW_SEATS[game])
    assert moves["least"] <= moves["lower_quartile"] <= moves["median"] <= moves["upper_quartile"]
    assert moves["upper_quartile"] <= moves["most"]
    assert len(found["wins"]) == len(found["scores"]) == seats
    won = sum(share["count"] for share in found["wins"])
    assert won + found["without_winner"]["count"] >= 9
    assert all(share["low"] <= share["share"] <= share["high"] for share in found["wins"])
    assert foldtable(*words).stdout == done.stdout
    assert foldtable(*words, "--seed", "7").stdout != done.stdout


@pytest.mark.parametrize("game", GAMES)
def test_people_get_lengths_draws_ends_actions_wins_and_speed(foldtable: Any, game: str) -> None:
    done = foldtable("simulate", game, "--matches", "2", "--workers", "1", "--seats", FEW_SEATS[game])
    assert done.exit_code == 0
    for word in ("2 random matches", "moves per match", "draws of luck", "ended by", "actions", "moves/s"):
        assert word in done.output
    for word in ("won", "95 % interval", "shared", "nobody"):
        assert word in done.output
    scored = json.loads(
        foldtable(
            "simulate", game, "--matches", "2", "--workers", "1", "--seats", FEW_SEATS[game], "--json"
        ).stdout
    )["scores"][0]
    assert ("points" in done.output) is (scored is not None)


def test_unsaid_seats_are_four_where_the_game_takes_four(foldtable: Any) -> None:
    found = json.loads(foldtable("simulate", "al_rashid", "--matches", "1", "--json").stdout)
    assert found["seats"] == 4


@pytest.mark.slow
def test_any_number_of_workers_prints_the_same_and_writes_the_same(foldtable: Any, tmp_path: Path) -> None:
    seen = []
    for workers in ("1", "2", "3"):
        folder = tmp_path / workers
        done = foldtable(
            "simulate", "al_rashid", "--matches", "30", "--workers", workers, "--seed", "3", "--json",
            "--out", folder,
        )  # fmt: skip
        assert done.exit_code == 0, done.output
        seen.append((done.stdout, {file.name: file.read_bytes() for file in folder.iterdir()}))
    assert len(seen[0][1]) == 30
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("game", GAMES)
def test_a_written_log_is_verified_and_replayed_like_any_other(
    foldtable: Any, tmp_path: Path, game: str
) -> None:
    done = foldtable(
        "simulate", game, "--matches", "2", "--workers", "1", "--seats", FEW_SEATS[game], "--out", tmp_path / "logs"
    )  # fmt: skip
    assert done.exit_code == 0
    logs = sorted((tmp_path / "logs").iterdir())
    assert [log.name for log in logs] == [f"{game}-0-000000.json", f"{game}-0-000001.json"]
    documents = [read_document(log.read_bytes()) for log in logs]
    assert len({document.match_id for document in documents}) == 2
    assert {(document.match_id.version, document.match_id.variant) for document in documents} == {
        (8, "specified in RFC 4122")
    }
    for log in logs:
        assert foldtable("verify", log).exit_code == 0
    last = str(len(documents[0].moves))
    assert "\n1. Seat " in foldtable("replay", logs[0], "--move", last).output


def test_options_go_to_the_game(foldtable: Any) -> None:
    done = foldtable(
        "simulate", "river_dragons", "--matches", "1", "--workers", "1", "--seats", "2", "--json",
        "--option", "variant=expert",
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found["options"] == {"variant": "expert"}
    assert "place_stone_at" in found["actions"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("harbour",), "unknown game", id="game"),
        pytest.param(("river_dragons", "--seats", "7"), "SEAT_COUNT", id="seats"),
        pytest.param(("river_dragons", "--option", "variant=lake"), "$.variant", id="option"),
        pytest.param(("river_dragons", "--option", "depth=3"), "$.depth", id="unknown option"),
        pytest.param(("river_dragons", "--option", "expert"), "NAME=VALUE", id="no option"),
        pytest.param(("river_dragons", "--out", "/dev/null/x"), "Not a directory", id="folder"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(foldtable: Any, words: tuple[str, ...], said: str) -> None:
    done = foldtable("simulate", *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_that_holds_something_is_not_written_into(foldtable: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = foldtable("simulate", "river_dragons", "--matches", "1", "--out", tmp_path)
    assert done.exit_code == 2
    assert "is not empty" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_match_that_breaks_the_rules_is_named_so_that_it_can_be_played_again(
    foldtable: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> Any:
        for number, step in enumerate(random_match(*arguments)):
            if number == 5:
                raise KeyError("a stone")
            yield step

    monkeypatch.setattr(simulation_module, "random_match", broken)
    with pytest.raises(
        MatchFailed, match=re.escape("river_dragons, match 3 of seed 1, move 6: KeyError('a stone')")
    ):
        play(a_simulation(), 3, Tally())
    done = foldtable("simulate", "river_dragons", "--matches", "1", "--workers", "1", "--seed", "4")
    assert done.exit_code == 1
    assert "match 0 of seed 4, move 6" in done.stderr
