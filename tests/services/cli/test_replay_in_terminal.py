"""`foldtable replay` in a terminal: real key strokes, real screens, and the terminal is given back as it was."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.kernel.seats import PUBLIC, REFEREE, Seat, seat_audience
from services.texts.formatting import sentence
from tests.support.golden_documents import (
    ONE_OF_EACH,
    export_of,
    game_of,
    log_name,
    states_of,
    whole,
)
from tests.support.pseudo_terminal import (
    ALTERNATE,
    DOWN,
    END_KEY,
    HIDE_CURSOR,
    HOME_KEY,
    LEFT,
    ORDINARY,
    PAGE_DOWN,
    RIGHT,
    SHOW_CURSOR,
    PseudoTerminal,
    in_terminal,
)
from tests.support.running_system import FOLDTABLE

pytestmark = pytest.mark.slow

WIDE = {"columns": 300, "lines": 120}


@contextmanager
def replaying(
    tmp_path: Path, log: Path, *words: str, columns: int = 100, lines: int = 40
) -> Iterator[PseudoTerminal]:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(log))
    with in_terminal(FOLDTABLE, "replay", file, *words, columns=columns, lines=lines) as terminal:
        terminal.wait_for_line("move ", number=1)
        yield terminal


def is_given_back(terminal: PseudoTerminal) -> bool:
    shown, hidden = terminal.output.rfind(SHOW_CURSOR), terminal.output.rfind(HIDE_CURSOR)
    return terminal.output.rfind(ORDINARY) > terminal.output.rfind(ALTERNATE) and shown > hidden


@pytest.mark.slow
@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_a_match_is_stepped_through_key_by_key(tmp_path: Path, log: Path) -> None:
    """First move, a few on, one back, the end with its scores, and with other eyes."""
    game, states = game_of(log), states_of(log)
    last = len(states)

    def table(version: int, audience: object) -> list[str]:
        drawn = game.draw(game.view(states[version - 1], audience)).splitlines()
        return [line.rstrip() for line in drawn]

    with replaying(tmp_path, log, **WIDE) as terminal:

        def shows(version: int, audience: object) -> bool:
            expected = table(version, audience)
            return (
                terminal.screen[1:2] != []
                and terminal.screen[1].startswith(f"move {version} of {last}, ")
                and terminal.screen[2 : 2 + len(expected)] == expected
            )

        assert shows(1, REFEREE)
        for keys, version in (("n", 2), (RIGHT, 3), (" ", 4), ("\r", 5), ("p", 4), (LEFT, 3), ("\x7f", 2)):
            terminal.press(keys)
            terminal.wait_for(lambda version=version: shows(version, REFEREE))
        for keys, audience in (("1", seat_audience(Seat(1))), ("P", PUBLIC), ("R", REFEREE)):
            terminal.press(keys)
            terminal.wait_for(lambda audience=audience: shows(2, audience))
        terminal.press("g9\r")
        terminal.wait_for(lambda: shows(9, REFEREE))
        terminal.press(END_KEY)
        terminal.wait_for(lambda: shows(last, REFEREE))
        outcome = game.outcome(states[-1])
        assert outcome is not None
        assert any(f"(§{outcome.rule})" in line for line in terminal.screen)
        terminal.press(HOME_KEY)
        terminal.wait_for(lambda: shows(1, REFEREE))
        terminal.press("q")
        assert terminal.end() == 0
        assert is_given_back(terminal)


def test_an_event_is_found_and_the_help_comes_and_goes(tmp_path: Path) -> None:
    log = ONE_OF_EACH[0]
    game = game_of(log)
    event = game.event_codec.decode_many(bytes(whole(log).moves[40].events))[0]
    word = max(sentence(game, "en", game.texts.event(event)).split())
    with replaying(tmp_path, log, **WIDE) as terminal:
        terminal.press(f"/{word}")
        terminal.wait_for_line(f"find: {word}_")
        terminal.press("\r")
        terminal.wait_for(lambda: terminal.screen[1] != "" and "move 1 of" not in terminal.screen[1])
        assert any(word in line for line in terminal.screen[2:])
        terminal.press("?")
        terminal.wait_for_line("previous turn")
        terminal.press("x")
        terminal.wait_for(lambda: not any("previous turn" in line for line in terminal.screen))
        terminal.press("/no such thing\r")
        terminal.wait_for_line("nothing after this contains 'no such thing'")
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_a_small_window_is_paged_and_another_size_is_drawn_at_once(tmp_path: Path, log: Path) -> None:
    with replaying(tmp_path, log, "--move", "30", columns=60, lines=16) as terminal:
        terminal.wait_for_line("(lines 1 to ")
        assert max(map(len, terminal.screen)) <= 60
        terminal.press(DOWN)
        terminal.wait_for_line("(lines 2 to ")
        terminal.press(PAGE_DOWN * 30)
        terminal.wait_for(lambda: any(re.search(r"to (\d+) of \1:", line) for line in terminal.screen))
        terminal.resize(300, 120)
        terminal.wait_for(lambda: len(terminal.screen) == 120)
        assert not any("(lines " in line for line in terminal.screen)
        terminal.press("b")
        terminal.wait_for(lambda: not any(line.startswith("To act: ") for line in terminal.screen))
        terminal.press("b")
        terminal.wait_for_line("To act: ")
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("how", ["q", "\x03", "\x04", signal.SIGTERM, signal.SIGHUP], ids=repr)
def test_however_it_ends_the_terminal_is_given_back(tmp_path: Path, how: str | signal.Signals) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(ONE_OF_EACH[0]))
    with in_terminal(FOLDTABLE, "replay", file) as terminal:
        before = terminal.modes
        terminal.wait_for_line("move 1 of")
        assert terminal.modes != before
        if isinstance(how, str):
            terminal.press(how)
        else:
            terminal.process.send_signal(how)
        assert terminal.end() == (0 if isinstance(how, str) else 128 + how)
        assert terminal.modes == before
        assert is_given_back(terminal)
        assert "Traceback" not in terminal.output


def test_ctrl_z_gives_the_shell_its_terminal_and_fg_brings_the_screen_back(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(ONE_OF_EACH[0]))
    shell = 'set -m; "$0" replay "$1"; stty -a | grep -c -- " icanon"; echo the shell; fg'
    with in_terminal("sh", "-c", shell, FOLDTABLE, file) as terminal:
        terminal.wait_for_line("move 1 of")
        terminal.press("n")
        terminal.wait_for_line("move 2 of")
        terminal.press("\x1a")
        terminal.wait_for(lambda: "1\r\nthe shell" in terminal.output)
        before = terminal.output.index("the shell")
        assert terminal.output.rfind(ORDINARY, 0, before) > terminal.output.rfind(ALTERNATE, 0, before)
        terminal.wait_for(lambda: terminal.output.rfind(ALTERNATE) > before)
        terminal.press("n")
        terminal.wait_for_line("move 3 of")
        terminal.press("q")
        assert terminal.end() == 0
        assert is_given_back(terminal)


def test_in_a_terminal_that_can_do_nothing_or_with_plain_it_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(ONE_OF_EACH[0]))
    words = (FOLDTABLE, "replay", file, "--to", "3", "--show", "events")
    for terminal_type, more in (("dumb", ()), ("xterm-256color", ("--plain",))):
        with in_terminal(*words, *more, columns=40, TERM=terminal_type) as terminal:
            assert terminal.end() == 0
            assert "\x1b" not in terminal.output
            lines = terminal.output.split("\r\n")
            assert any(line.startswith("   3  ") for line in lines)
            assert max(map(len, lines[1:])) <= 40


def test_a_match_that_cannot_be_shown_leaves_the_terminal_alone(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(ONE_OF_EACH[0]).replace(b'"seq":3', b'"seq":4', 1))
    with in_terminal(FOLDTABLE, "replay", file) as terminal:
        assert terminal.end() == 1
        assert ALTERNATE not in terminal.output
        assert "error: move 3" in terminal.output
