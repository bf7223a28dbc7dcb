"""Stored matches of River Dragons: which there are, and that they still read."""

from __future__ import annotations

from engine.river_dragons.box.components import Variant
from engine.river_dragons.events import MatchStarted
from engine.river_dragons.game import GAME
from tests.engine import golden_properties as owed
from tests.engine.river_dragons.matches import whole_match
from tests.golden.river_dragons.write_log import shows_table

every_log = owed.every_log(GAME)
every_version = owed.every_version(GAME)


@every_version
def test_there_is_a_log_for_every_number_of_players_the_expert_side_and_a_leaver(version) -> None:
    seen, left = set(), False
    for started, somebody_leaves in owed.setups(GAME, version):
        assert isinstance(started, MatchStarted)
        seen.add((started.variant, len(started.seats)))
        left |= somebody_leaves
    assert {(Variant.ISLANDS, players) for players in GAME.seat_counts} <= seen
    assert (Variant.EXPERT, 4) in seen
    assert left


@every_log
def test_a_stored_log_folds_to_the_stored_end(path) -> None:
    owed.folds_to_the_stored_end(path)


@every_log
def test_a_stored_log_is_decided_again_and_only_the_setup_draws(path) -> None:
    assert owed.is_decided_again_without_a_difference(path) == {1}


@every_log
def test_a_stored_log_looks_as_it_did(path) -> None:
    owed.looks_as_it_did(path)


@every_log
def test_a_replay_from_any_snapshot_equals_the_replay_from_the_start(path) -> None:
    owed.is_the_same_from_any_snapshot(path)


@owed.every_language
def test_the_transcript_reads_as_it_did(language) -> None:
    owed.reads_as_it_did(
        GAME, "islands-2", whole_match(2, Variant.ISLANDS, 40, keen=True), shows_table, language
    )
