"""Stored matches of River of Gold: which there are, and that they still read."""

from __future__ import annotations

from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.events import MatchStarted, RiverOfGoldEvent
from engine.river_of_gold.game import GAME
from tests.engine import golden_properties as owed
from tests.engine.river_of_gold.matches import whole_match
from tests.golden.river_of_gold.write_log import shows_table

every_log = owed.every_log(GAME)
every_version = owed.every_version(GAME)


@every_version
def test_there_is_a_log_for_every_number_of_players_with_patrons_one_without_and_one_with_leavers(
    version,
) -> None:
    with_patrons, modes, left = set(), set(), False
    for started, somebody_leaves in owed.setups(GAME, version):
        assert isinstance(started, MatchStarted)
        modes.add(started.patrons)
        if started.patrons is not PatronMode.NONE:
            with_patrons.add(len(started.order))
        left |= somebody_leaves
    assert with_patrons == {*GAME.seat_counts}
    assert modes == {*PatronMode}
    assert left


def test_every_kind_of_event_is_in_a_log() -> None:
    """So no shape of an event can change without an upcaster."""
    assert owed.kinds_of_events(GAME) == {*RiverOfGoldEvent.__args__}


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
    match = whole_match(2, 40, patrons=PatronMode.DRAFT, keen=True)
    owed.reads_as_it_did(GAME, "players-2", match, shows_table, language)
