"""Stored matches of Al-Rashid: which there are, and that they still read."""

from __future__ import annotations

from engine.al_rashid.events import MatchStarted
from engine.al_rashid.game import GAME
from tests.engine import golden_properties as owed
from tests.engine.al_rashid.matches import whole_match
from tests.golden.al_rashid.write_log import shows_table

every_log = owed.every_log(GAME)
every_version = owed.every_version(GAME)


@every_version
def test_there_is_a_log_for_every_number_of_players_and_a_leaver(version) -> None:
    seen, left = set(), False
    for started, somebody_leaves in owed.setups(GAME, version):
        assert isinstance(started, MatchStarted)
        seen.add(len(started.seats))
        left |= somebody_leaves
    assert seen == {*GAME.seat_counts}
    assert left


@every_log
def test_a_stored_log_folds_to_the_stored_end(path) -> None:
    owed.folds_to_the_stored_end(path)


@every_log
def test_a_stored_log_is_decided_again_without_a_difference(path) -> None:
    assert len(owed.is_decided_again_without_a_difference(path)) > 5


@every_log
def test_a_stored_log_looks_as_it_did(path) -> None:
    owed.looks_as_it_did(path)


@every_log
def test_a_replay_from_any_snapshot_equals_the_replay_from_the_start(path) -> None:
    owed.is_the_same_from_any_snapshot(path)


@owed.every_language
def test_the_transcript_reads_as_it_did(language) -> None:
    owed.reads_as_it_did(GAME, "players-2", whole_match(2, 40, keen=True), shows_table, language)
