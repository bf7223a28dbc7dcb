"""Sentences in four languages: which one is chosen, what follows it and what does not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.kernel.seats import PUBLIC
from engine.kernel.text.text import Text
from engine.kernel.text.texts import LANGUAGES
from engine.registry import GAMES, newest
from services.cli.console import printable
from services.cli.languages import Language, language_of
from services.cli.sentences import printable_sentence
from tests.support.golden_documents import ONE_OF_EACH, export_of, game_id_of, log_name, running_export

ROUND_2 = {
    "en": "Round 2: ",
    "it": "Turno 2: ",
    "fr": "Manche 2\N{NO-BREAK SPACE}: ",
    "pl": "Runda 2: ",
}
"""Of River Dragons."""


def test_the_languages_are_those_of_the_catalogues() -> None:
    assert tuple(Language) == LANGUAGES


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        pytest.param({}, "en", id="no locale"),
        pytest.param({"LANG": "it_IT.UTF-8"}, "it", id="of a country"),
        pytest.param({"LANG": "pl"}, "pl", id="of no country"),
        pytest.param({"LANG": "fr-CH"}, "fr", id="as a tag"),
        pytest.param({"LANG": "fr_CA@euro"}, "fr", id="with a modifier"),
        pytest.param({"LANG": "de_DE.UTF-8"}, "en", id="another language"),
        pytest.param({"LANG": "plt_MG.UTF-8"}, "en", id="a language that begins like one"),
        pytest.param({"LANG": "C.UTF-8"}, "en", id="none"),
        pytest.param({"LANG": "it_IT", "LC_MESSAGES": "pl_PL"}, "pl", id="of messages"),
        pytest.param({"LANG": "it_IT", "LC_MESSAGES": "pl_PL", "LC_ALL": "fr_FR"}, "fr", id="of everything"),
        pytest.param({"LANG": "it_IT", "LC_ALL": "C"}, "en", id="of everything, none"),
        pytest.param({"LANG": "it_IT", "LC_ALL": ""}, "it", id="an empty one does not count"),
    ],
)
def test_without_a_choice_the_locale_decides(environment: dict[str, str], language: str) -> None:
    assert language_of(None, environment=environment) == language


def test_a_choice_comes_before_the_locale_and_scripts_get_english() -> None:
    italian = {"LANG": "it_IT.UTF-8"}
    assert language_of(Language.PL, environment=italian) == "pl"
    assert language_of(Language.PL, as_json=True, environment=italian) == "pl"
    assert language_of(None, as_json=True, environment=italian) == "en"


@pytest.mark.parametrize("command", ["replay", "simulate", "arena", "demo"])
def test_another_language_is_refused_with_those_that_there_are(foldtable: Any, command: str) -> None:
    done = foldtable(command, *(["river_dragons"] if command != "demo" else []), "--lang", "de")
    assert done.exit_code == 2
    assert all(f"'{language}'" in done.stderr for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_replay_is_told_in_the_language_of_the_option_or_of_the_locale(
    foldtable: Any, export_file: Path, language: str
) -> None:
    words = ("replay", export_file, "--show", "events")
    chosen = foldtable(*words, "--lang", language.upper())
    assert chosen.exit_code == 0
    for other, beginning in ROUND_2.items():
        assert (beginning in chosen.output) is (other == language)
    assert foldtable(*words, LC_ALL=f"{language}.UTF-8").output == chosen.output


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_a_match_has_its_sentence(
    foldtable: Any, tmp_path: Path, log: Path, language: str
) -> None:
    """A record without one would be printed as JSON."""
    file = tmp_path / "match.json"
    file.write_bytes(export_of(log))
    done = foldtable("replay", file, "--show", "events", "--lang", language)
    assert done.exit_code == 0
    assert '"type"' not in "\n".join(done.output.splitlines()[2:])
    assert "\\x" not in done.output


def test_json_follows_the_option_and_never_the_locale(foldtable: Any, export_file: Path) -> None:
    words = ("replay", export_file, "--json", "--move", "9")
    english = json.loads(foldtable(*words).stdout)
    assert json.loads(foldtable(*words, LC_ALL="pl_PL.UTF-8").stdout) == english
    polish = json.loads(foldtable(*words, "--lang", "pl").stdout)
    assert {name for name in english if polish[name] != english[name]} == {"event_texts", "request_text"}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "This game is not for 9 players."),
        ("it", "Questo gioco non è per 9 giocatori."),
        ("fr", "9 joueurs"),
        ("pl", "Ta gra nie jest dla 9 graczy."),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_refused_options_are_explained_in_the_language(
    foldtable: Any, command: str, language: str, words: str
) -> None:
    done = foldtable(command, "river_dragons", "--seats", "9", "--lang", language)
    assert done.exit_code == 2
    assert words in done.stderr
    assert "SEAT_COUNT" in done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_a_simulation_says_how_matches_ended(foldtable: Any, game: str) -> None:
    words = ("simulate", game, "--matches", "2", "--seats", "2", "--workers", "1", "--lang")
    ends = {
        next(line for line in foldtable(*words, language).output.splitlines() if "ended by" in line)
        for language in LANGUAGES
    }
    assert len(ends) == len(LANGUAGES)


def test_what_no_rules_wrote_is_shown_as_it_is_written(foldtable: Any, tmp_path: Path) -> None:
    """A file of a running match cannot be checked. No language has a word for an area that there is not."""
    log = next(log for log in ONE_OF_EACH if game_id_of(log) == "al_rashid")
    document = json.loads(running_export(log, 30, PUBLIC))
    placed = next(
        event for move in document["moves"] for event in move["events"] if event["type"] == "piece_placed"
    )
    placed["area"] = "\x1b[2Jatlantis"
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(document))
    done = foldtable("replay", file, "--show", "events")
    assert done.exit_code == 0
    assert '"area":"\\u001b[2Jatlantis"' in done.stdout
    assert "\x1b" not in done.stdout
    dragons = newest("river_dragons")
    assert (
        printable_sentence(dragons, "pl", lambda: Text("seat", {"seat": "\x1b[2J"}), "a\x1b[2J")
        == "a\\x1b[2J"
    )
    assert printable_sentence(dragons, "pl", lambda: Text("word", {"word": "\x1b[2J"}), "") == "\\x1b[2J"


def test_spaces_that_do_not_break_and_joiners_are_harmless() -> None:
    assert printable("Manche 2\N{NO-BREAK SPACE}: 1\N{NARROW NO-BREAK SPACE}234") == (
        "Manche 2\N{NO-BREAK SPACE}: 1\N{NARROW NO-BREAK SPACE}234"
    )
    assert printable("\N{LINE SEPARATOR}\N{RIGHT-TO-LEFT OVERRIDE}") == "\\x2028\\x202e"
    assert printable("👨‍👩‍👧 می‌خواهم") == "👨‍👩‍👧 می‌خواهم"


def test_the_library_for_sentences_is_not_loaded_before_it_is_needed() -> None:
    script = (
        "import sys, atexit; atexit.register(lambda: print('icu4py' in sys.modules));"
        "sys.argv[1:] = ['--version']; from services.cli.main import app; app()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    version, loaded = done.stdout.splitlines()
    assert (version.split()[0], loaded) == ("foldtable", "False")
