"""Stepping through a match: what each key does, on golden logs of every game. No terminal is needed for that."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.records import Action
from engine.kernel.seats import PUBLIC, REFEREE, Seat, seat_audience
from engine.match.requests import read_request
from engine.registry import GAMES
from services.cli.matches.audience import read_audience
from services.cli.replay.browser import Browser, Show
from services.cli.replay.keys import BINDINGS, HINT, press
from services.cli.replay.recorded_match import NotShown, Recorded, recorded
from services.cli.replay.screen import frame
from services.movelog.export.format import read_document
from services.texts.formatting import sentence
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

SIZES = [(100, 60), (79, 24), (40, 12), (20, 5), (5, 3), (1, 1)]


@cache
def match_of(log: Path) -> Recorded:
    return recorded(whole(log))


def browsing(log: Path, version: int = 1, audience: Any = REFEREE) -> Browser:
    return Browser(match_of(log), version, audience, "en")


def typed(browser: Browser, keys: str) -> Browser:
    """Press keys one after the other; `⏎` is Enter."""
    for key in keys:
        press(browser, "enter" if key == "⏎" else key)
    return browser


def seats(log: Path) -> list[int | None]:
    return [None, *(move.seat for move in whole(log).moves)]  # so that seats[v] is who made move v


def text(browser: Browser, size: tuple[int, int] = (200, 400)) -> list[str]:
    return [line.plain.rstrip() for line in frame(browser, *size)]


@pytest.mark.parametrize("log", TO_SHOW, ids=log_name)
def test_the_whole_way_there_and_back_every_table_is_the_one_that_was_then(log: Path) -> None:
    game, states = game_of(log), states_of(log)
    browser = browsing(log)
    for audience in (REFEREE, PUBLIC, seat_audience(Seat(0))):
        browser.look_as(audience)
        for state in states:
            assert browser.view() == game.view(state, audience)
            press(browser, "right")
        assert browser.message == "this is the last move"
        for state in reversed(states):
            assert browser.view() == game.view(state, audience)
            press(browser, "left")
        assert browser.message == "this is the first move"


@pytest.mark.parametrize("log", TO_SHOW, ids=log_name)
def test_turns_go_to_where_another_seat_begins_to_act(log: Path) -> None:
    acted, browser = seats(log), browsing(log)
    begins = [v for v in range(1, len(acted)) if v == 1 or acted[v] != acted[v - 1]]
    seen = [browser.version]
    while typed(browser, "t").message != "there is none":
        seen.append(browser.version)
    assert seen == begins
    typed(browser, "l")
    back = []
    while typed(browser, "T").message != "there is none":
        back.append(browser.version)
    assert back == [v for v in reversed(begins) if v < len(acted) - 1]


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_decisions_go_through_the_moves_of_the_seat_one_looks_as_or_names(log: Path) -> None:
    own = [version for version, seat in enumerate(seats(log)) if seat == 1]
    for browser, key in ((browsing(log, audience=seat_audience(Seat(1))), "d"), (browsing(log), "d1⏎")):
        seen = []
        while "no move of seat 1" not in typed(browser, key).message:
            seen.append(browser.version)
        assert seen == own
        back = [browser.version]
        while "no move of seat 1" not in typed(browser, key.upper()).message:
            back.append(browser.version)
        assert back == own[::-1]
    assert "seats 0 to" in typed(browsing(log), "d77⏎").message
    assert "seats 0 to" in typed(browsing(log), "dx⏎").message


def test_jumps_stay_within_the_match() -> None:
    log = ONE_OF_EACH[0]
    last = len(states_of(log))
    assert typed(browsing(log), "g17⏎").version == 17
    assert typed(browsing(log), "l").version == last
    assert typed(browsing(log, 9), "f").version == 1
    assert typed(browsing(log), "g999999⏎").version == last
    assert typed(browsing(log, 9), "g0⏎").version == 1
    for nonsense in ("", "x", "-3", "²", "9" * 30):
        browser = typed(browsing(log, 9), f"g{nonsense}⏎")
        assert browser.version == 9
        assert f"there are the moves 1 to {last}" in browser.message


def test_a_question_can_be_mended_or_given_up() -> None:
    browser = typed(browsing(ONE_OF_EACH[0]), "g99")
    press(browser, "backspace")
    assert browser.question is not None
    assert browser.question.typed == "9"
    press(browser, "up")  # no character: says nothing
    assert typed(browser, "⏎").version == 9
    press(typed(browser, "g5"), "escape")
    assert (browser.version, browser.question) == (9, None)
    assert typed(typed(browser, "g"), "q").done is False  # q is a character here
    press(browser, "closed")
    assert browser.done


def test_eyes_can_be_changed_by_number_by_letter_and_by_name() -> None:
    browser = browsing(ONE_OF_EACH[0])
    assert typed(browser, "1").audience == seat_audience(Seat(1))
    assert typed(browser, "P").audience == PUBLIC
    assert typed(browser, "R").audience == REFEREE
    assert typed(browser, "aseat 0⏎").audience == seat_audience(Seat(0))
    assert typed(browser, "apublic⏎").audience == PUBLIC
    assert "is not a seat's number" in typed(browser, "aadmiral⏎").message
    assert "this match has the seats 0 to" in typed(browser, "9").message
    assert browser.audience == PUBLIC


def test_eyes_are_written_in_several_ways() -> None:
    for words in ("1", "seat 1", "seat1", "Seat:1", " seat-1 "):
        assert read_audience(words) == seat_audience(Seat(1))
    assert read_audience("PUBLIC") == PUBLIC
    for words in ("", "seat", "-1", "100", "1 2", "everybody"):
        assert read_audience(words) is None


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_an_event_is_found_forwards_and_backwards(log: Path) -> None:
    browser = browsing(log)
    told_at = {version: words_of(log, version) for version in range(1, browser.last + 1)}
    word = max((line.split()[-1] for line in told_at[browser.last // 2]), key=len)
    wanted = [version for version, lines in told_at.items() if any(word in line for line in lines)]
    found = []
    keys = f"/{word.upper()}⏎"
    while typed(browser, keys).message == "":
        found.append(browser.version)
        keys = "m"
    assert found == [version for version in wanted if version > 1]
    typed(browser, "l")
    back = []
    while typed(browser, "M").message == "":
        back.append(browser.version)
    assert back == [version for version in reversed(wanted) if version < browser.last]


def words_of(log: Path, version: int) -> list[str]:
    """What was asked for and what came of it, in English."""
    game, move = game_of(log), whole(log).moves[version - 1]
    request = read_request(game, bytes(move.request))
    asked = [game.texts.chosen(move.seat, request)] if isinstance(request, Action) else []
    events = map(game.texts.event, game.event_codec.decode_many(bytes(move.events)))
    return [sentence(game, "en", text) for text in (*asked, *events)]


def test_what_is_hidden_is_not_found() -> None:
    log = next(log for log in ALL_LOGS if game_id_of(log) == "river_dragons")
    submitted = next(move for move in whole(log).moves if b"submit_program" in bytes(move.request))
    cards = words_of(log, submitted.seq)[0].partition(": ")[2]
    other = next(seat for seat in range(whole(log).seats) if seat != submitted.seat)
    assert typed(browsing(log), f"/{cards}⏎").version == submitted.seq
    hidden = typed(browsing(log, audience=seat_audience(Seat(other))), f"/{cards}⏎")
    assert hidden.version == 1
    assert "nothing after this contains" in hidden.message


def test_nothing_sought_is_said() -> None:
    assert "no search yet" in typed(browsing(ONE_OF_EACH[0]), "m").message


def test_board_and_events_take_turns() -> None:
    browser = browsing(ONE_OF_EACH[0], 30)
    shown = []
    for _ in range(4):
        shown.append((browser.show, len(text(browser)) == 400))
        typed(browser, "b")
    assert [show for show, _ in shown] == [Show.BOTH, Show.BOARD, Show.EVENTS, Show.BOTH]


def test_help_names_every_key_and_goes_away() -> None:
    browser = typed(browsing(ONE_OF_EACH[0]), "?")
    shown = "\n".join(text(browser))
    for binding in BINDINGS:
        assert binding.help in shown
    press(browser, "n")
    assert (browser.help, browser.version) == (False, 1)
    assert text(browser)[-1] == HINT


def test_no_key_means_two_things() -> None:
    keys = [key for binding in BINDINGS for key in binding.keys]
    assert len(keys) == len(set(keys))


def test_keys_without_a_meaning_do_nothing() -> None:
    browser = browsing(ONE_OF_EACH[0], 9)
    for key in ("x", "é", "escape", "resized", "\x1b[1;5C", ""):
        press(browser, key)
    assert (browser.version, browser.message, browser.done) == (9, "", False)


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_screen_has_its_size_whatever_is_on_it(log: Path, size: tuple[int, int]) -> None:
    last = len(states_of(log))
    for version in (1, last // 2, last):
        for show in Show:
            for state in ("", "?", "g12", "ax⏎"):
                browser = browsing(log, version)
                browser.show = show
                lines = frame(typed(browser, state), *size)
                assert len(lines) == size[1]
                assert {line.cell_len for line in lines} == {size[0]}


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_the_screen_shows_the_table_what_happened_who_is_next_and_in_the_end_the_scores(log: Path) -> None:
    game, states = game_of(log), states_of(log)
    for version in (1, 25, len(states)):
        lines = text(browsing(log, version), (400, 400))
        table = game.draw(game.view(states[version - 1], REFEREE)).splitlines()
        assert [line.rstrip() for line in table] == lines[2 : 2 + len(table)]
        for event in game.event_codec.decode_many(bytes(whole(log).moves[version - 1].events)):
            assert f"  {sentence(game, 'en', game.texts.event(event))}" in lines
        outcome = game.outcome(states[version - 1])
        if outcome is None:
            (line,) = [line for line in lines if line.startswith("To act: ")]
            for each in game.pending(states[version - 1]):
                assert f"{sentence(game, 'en', game.texts.decision(each))} (§{each.rule})" in line
        else:
            assert any(
                line == f"{sentence(game, 'en', game.texts.end(outcome))} (§{outcome.rule})" for line in lines
            )
            assert sum(line.startswith(("1. ", "2. ", "3. ", "4. ", "5. ")) for line in lines) == len(
                outcome.results
            )


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_a_long_board_is_paged_to_its_last_line_and_no_further(log: Path) -> None:
    browser, size = browsing(log, 30), (79, 24)
    browser.show = Show.BOARD
    whole_board = text(browser, (79, 300))[2:]
    whole_board = whole_board[: max(i for i, line in enumerate(whole_board[:-1]) if line) + 1]
    seen: list[str] = []
    for _ in range(len(whole_board)):
        page = text(browser, size)[2:-2]
        top = browser.top
        seen[top:] = page
        press(browser, "page down")
    assert seen == whole_board
    for _ in range(200):
        press(browser, "up")
    assert text(browser, size)[2:-2] == whole_board[: len(page)]


def test_a_drawing_that_is_too_wide_is_cut_and_can_be_moved_sideways() -> None:
    log = next(log for log in ALL_LOGS if game_id_of(log) == "river_dragons")
    browser = browsing(log, 1)
    browser.show = Show.BOARD
    full = next(line for line in text(browser, (100, 60)) if "BLUE" in line or "RED" in line)
    cut = text(browser, (40, 60))
    assert any(line.endswith("›") for line in cut)
    for _ in range(30):
        typed(browser, ">")
        text(browser, (40, 60))
    moved = text(browser, (40, 60))
    assert any(line and line in full for line in moved)
    assert moved != cut
    for _ in range(30):
        typed(browser, "<")
    assert text(browser, (40, 60)) == cut


def test_who_is_next_stays_on_a_small_screen_however_much_happened() -> None:
    log = max(ONE_OF_EACH, key=lambda log: len(whole(log).moves))
    longest = max(whole(log).moves[:-1], key=lambda move: len(bytes(move.events)))
    lines = text(browsing(log, longest.seq), (60, 18))
    assert any(line.startswith("To act: ") for line in lines)
    assert any("more lines: b shows them all" in line for line in lines)


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
    log = ONE_OF_EACH[0]
    holder = seat_audience(Seat(0))
    match = recorded(read_document(running_export(log, 20, holder)))
    browser = Browser(match, 20, holder, "en")
    with pytest.raises(NotShown):
        browser.view()
    assert "the match still runs" in "\n".join(text(browser))
    assert "holds what seat 0 may know" in typed(browser, "1").message
    assert "holds what seat 0 may know" in typed(browser, "R").message
    assert browser.audience == holder
    assert typed(browser, "P").audience == PUBLIC
    assert "nothing to reload" in typed(browser, "r").message
    browser.go(3)
    assert any(line.startswith("To act: Seat ") for line in text(browser))
