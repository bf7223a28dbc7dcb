"""The kit among the tests of a game: one test for each check, with the words of the command."""

from __future__ import annotations

import sys

import pytest

from engine.registry import newest
from services.kit.every_check import CHECKS
from tests.kit import planted

pytest_plugins = "pytester"

TEST = """
import pytest

@pytest.mark.foldtable_game({arguments})
def test_the_kit(game_check):
    game_check()
"""
PLAIN = ("-p", "no:cacheprovider", "-p", "no:asyncio")
"""The second warns where it is not configured."""
FEW = '"al_rashid", matches=1, only=("plays", "ends")'


def run(pytester: pytest.Pytester, arguments: str) -> pytest.RunResult:
    pytester.makepyfile(TEST.format(arguments=arguments))
    return pytester.runpytest_inprocess("--strict-markers", "-v", *PLAIN)


def test_every_check_is_a_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST.format(arguments='"al_rashid"'))
    collected = pytester.runpytest_inprocess("--collect-only", "-q", *PLAIN).stdout.str()
    assert [line for line in collected.splitlines() if "::" in line] == [
        f"test_every_check_is_a_test.py::test_the_kit[{check.name}]" for check in CHECKS
    ]


def test_a_game_that_fulfils_them_passes(pytester: pytest.Pytester) -> None:
    result = run(pytester, FEW)
    result.assert_outcomes(passed=2)


def test_a_fault_is_told_as_the_command_tells_it(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = planted.adds_up_wrongly()
    monkeypatch.setattr("services.kit.subject.newest", lambda game_id: faulty)
    result = run(pytester, FEW)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["FAULT*ends*", "*its breakdown adds up to*", "*at match 0, *", "*Do: correct*"]
    )
    assert "Traceback" not in result.stdout.str()


def test_what_needs_whole_matches_is_skipped_without_them(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = planted.raises_in_the_middle()
    monkeypatch.setattr("services.kit.subject.newest", lambda game_id: faulty)
    result = run(pytester, FEW)
    result.assert_outcomes(skipped=1, failed=1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param('"chess"', "no game 'chess' is installed; there are: al_rashid", id="unknown game"),
        pytest.param("", "needs @pytest.mark.foldtable_game", id="no game"),
        pytest.param('"al_rashid", matchs=3', "has no argument matchs", id="misspelt"),
        pytest.param('"al_rashid", only=("play",)', "no check 'play'; there are: plays", id="unknown check"),
    ],
)
def test_a_wrong_marker_says_what_is_wrong(pytester: pytest.Pytester, arguments: str, told: str) -> None:
    result = run(pytester, arguments)
    assert result.ret != 0
    assert told in result.stdout.str() + result.stderr.str()


def test_the_plug_in_imports_nothing_of_ours_until_it_is_used(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_there():
            ours = {name for name in sys.modules if name.startswith(("engine", "services"))}
            assert ours == {"services", "services.kit", "services.kit.pytest_plugin"}
        """
    )
    result = pytester.runpytest_subprocess(*PLAIN)
    result.assert_outcomes(passed=1)


def test_the_games_are_the_installed_ones() -> None:
    """Otherwise the faults above would not be planted where the plug-in looks."""
    # A game that a rules server watches is another value, with the same versions.
    assert newest("al_rashid").versions is planted.RASHID.versions
    assert "services.kit.subject" in sys.modules
