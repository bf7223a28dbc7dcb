"""What `foldtable replay` takes for granted of games, and what it shows of a recorded match, on golden logs of every game."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.kernel.seats import PUBLIC, REFEREE, Seat, seat_audience
from engine.registry import GAMES
from services.cli.matches.audience import read_audience
from services.cli.replay.recorded_match import NotShown, recorded
from services.cli.replay.words import next_up
from services.movelog.export.format import read_document
from tests.support.golden_documents import (
    ALL_LOGS,
    ONE_OF_EACH,
    TO_SHOW,
    game_id_of,
    game_of,
    log_name,
    running_export,
    states_of,
    whole,
)


def test_eyes_are_written_in_several_ways() -> None:
    for words in ("1", "seat 1", "seat1", "Seat:1", " seat-1 "):
        assert read_audience(words) == seat_audience(Seat(1))
    assert read_audience("PUBLIC") == PUBLIC
    for words in ("", "seat", "-1", "100", "1 2", "everybody"):
        assert read_audience(words) is None


@pytest.mark.parametrize("log", TO_SHOW, ids=log_name)
def test_every_table_is_the_one_that_was_then(log: Path) -> None:
    game, match = game_of(log), recorded(whole(log))
    for audience in (REFEREE, PUBLIC, seat_audience(Seat(0))):
        match.admit(audience)
        for version, state in enumerate(states_of(log), start=1):
            assert match.view(version, audience) == game.view(state, audience)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_games_view_says_who_is_next_and_how_it_ended(game_id: str) -> None:
    """What is shown as next and as the end comes from the view, and must be what the rules say."""
    for log in (log for log in ALL_LOGS if game_id_of(log) == game_id):
        game = game_of(log)
        for state in states_of(log):
            for audience in (PUBLIC, REFEREE, seat_audience(Seat(0))):
                view = game.view(state, audience)
                assert (view.pending, view.outcome) == (game.pending(state), game.outcome(state))


@pytest.mark.parametrize("log", TO_SHOW, ids=log_name)
def test_what_was_redacted_can_be_redacted_further_and_a_referee_sees_all(log: Path) -> None:
    """What lets a seat's file be shown to the public, and a referee's file be folded."""
    game = game_of(log)
    for move in whole(log).moves:
        for event in game.event_codec.decode_many(bytes(move.events)):
            assert game.redact(event, REFEREE) == event
            for seat in range(whole(log).seats):
                own = game.redact(event, seat_audience(Seat(seat)))
                assert game.redact(own, PUBLIC) == game.redact(event, PUBLIC)
                assert game.redact(own, seat_audience(Seat(seat))) == own


def test_a_running_matchs_file_says_why_there_is_no_table_and_keeps_to_its_audience() -> None:
    holder = seat_audience(Seat(0))
    match = recorded(read_document(running_export(ONE_OF_EACH[0], 20, holder)))
    assert match.usual() == holder
    with pytest.raises(NotShown, match="the match still runs"):
        match.view(20, holder)
    for other in (seat_audience(Seat(1)), REFEREE):
        with pytest.raises(NotShown, match="holds what seat 0 may know"):
            match.admit(other)
    with pytest.raises(NotShown, match="this match has the seats 0 to"):
        match.admit(seat_audience(Seat(9)))
    match.admit(PUBLIC)
    assert next_up(match, 3, None, "en").startswith("To act: Seat ")
