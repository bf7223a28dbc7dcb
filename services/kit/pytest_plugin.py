"""pytest plug-in: the kit for the tests of a game. Imports nothing of ours until a test asks for it.

    @pytest.mark.foldtable_game("ladders")
    def test_the_kit(game_check): game_check()

is one test for each check of the kit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from services.kit.subject import Subject

MARKER: Final = "foldtable_game"
FIXTURE: Final = "game_check"
_SUBJECTS: Final = pytest.StashKey[dict[tuple[Any, ...], Any]]()


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(id, *, matches, seed, only, golden): the game whose checks the fixture `{FIXTURE}` runs",
    )
    config.stash[_SUBJECTS] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test for each check."""
    if FIXTURE not in metafunc.fixturenames:
        return
    from services.kit.every_check import named  # noqa: PLC0415 - this file is read in every run of pytest

    marker = _marker(metafunc.definition)
    try:
        checks = named(tuple(marker.kwargs.get("only", ())))
    except KeyError as unknown:
        raise pytest.UsageError(unknown.args[0]) from None
    metafunc.parametrize(FIXTURE, [check.name for check in checks], indirect=True, scope="function")


@pytest.fixture
def game_check(request: pytest.FixtureRequest) -> Callable[[], None]:
    """Return a function that runs one check of the kit, and fails with what it finds."""
    from services.kit.every_check import named  # noqa: PLC0415 - this file is read in every run of pytest
    from services.kit.printed import printed  # noqa: PLC0415 - this file is read in every run of pytest
    from services.kit.running import run  # noqa: PLC0415 - this file is read in every run of pytest

    (check,) = named((request.param,))

    def look() -> None:
        result = run(check, _subject(request))
        if result.faults:
            pytest.fail(printed(check, result), pytrace=False)
        if result.skipped:
            pytest.skip(result.skipped)

    return look


def _subject(request: pytest.FixtureRequest) -> Subject:
    """Return the game of the marker, with the matches that all its checks share."""
    from engine.registry import GAMES, GameUnusable  # noqa: PLC0415 - this file is read in every run of pytest
    from services.kit.subject import MATCHES, Subject  # noqa: PLC0415 - this file is read in every run of pytest

    marker = _marker(request.node)
    (game_id,) = marker.args
    wanted = {
        "matches": marker.kwargs.get("matches", MATCHES),
        "seed": marker.kwargs.get("seed", 0),
        "golden": marker.kwargs.get("golden"),
    }
    subjects = request.config.stash[_SUBJECTS]
    key = (game_id, *wanted.values())
    if key not in subjects:
        try:
            subjects[key] = Subject(game_id, **wanted)
        except KeyError:
            pytest.fail(f"no game {game_id!r} is installed; there are: {', '.join(GAMES)}", pytrace=False)
        except GameUnusable as problem:
            pytest.fail(str(problem), pytrace=False)
    found: Subject = subjects[key]
    return found


def _marker(node: Any) -> pytest.Mark:
    """Return the marker of a test. Raises UsageError if it has none, or names no game, or something unknown."""
    marker = node.get_closest_marker(MARKER)
    if marker is None or len(marker.args) != 1:
        raise pytest.UsageError(f'{node.nodeid}: `{FIXTURE}` needs @pytest.mark.{MARKER}("the id of a game")')
    unknown = marker.kwargs.keys() - {"matches", "seed", "only", "golden"}
    if unknown:
        raise pytest.UsageError(f"{node.nodeid}: {MARKER} has no argument {', '.join(sorted(unknown))}")
    found: pytest.Mark = marker
    return found
