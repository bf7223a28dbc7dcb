"""Keeps tests to themselves; a pytest plugin, loaded by tests/conftest.py.

- No setting of a system that runs elsewhere reaches them (`FOLDTABLE_…`), and nothing that the caller's terminal likes (colours, widths).
- None reads or writes the `.foldtable` of the checkout, where the caller's own system may be running.
- Only tests marked `slow` start programs of ours, so that `make test-fast` is fast. A test that uses a fixture which starts
  one is a test that starts one, also where another test made the fixture start it.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
HOME: Final = ROOT / ".foldtable"
NOBODY: Final = Path(tempfile.gettempdir()) / f"no-foldtable-{os.getpid()}"
"""The home that commands find where none is named: nothing is there."""
OF_THE_TESTS: Final = (
    "FOLDTABLE_BROWSER_",
    "FOLDTABLE_FUZZ_",
    "FOLDTABLE_HOSTILE_",
    "FOLDTABLE_REPLAY_",
    "FOLDTABLE_SCHEMATHESIS",
)
"""What make targets say to the tests themselves."""
OF_TERMINALS: Final = frozenset(
    {
        *(
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "COLORTERM",
            "COLUMNS",
            "FORCE_COLOR",
            "GITHUB_ACTIONS",
            "LINES",
            "NO_COLOR",
        ),
        *("PY_COLORS", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE"),
    }
)
"""What rich, typer and pytest read; `GITHUB_ACTIONS` makes typer think of a terminal."""
OURS: Final = frozenset({"gateway", "migrations", "services", "tests"})
PROGRAM: Final = Path(sys.executable).with_name("foldtable")
_TOUCHING: Final = frozenset(
    {"open", "os.listdir", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.scandir"}
)


def cleaned(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without what tests must not depend on, the language of their reader included."""
    kept = {
        name: value
        for name, value in environment.items()
        if name not in OF_TERMINALS and (not name.startswith("FOLDTABLE_") or name.startswith(OF_THE_TESTS))
    }
    return {**kept, "FOLDTABLE_HOME": str(NOBODY), "LC_ALL": "C.UTF-8"}


def is_ours(command: Sequence[Any] | str | bytes) -> bool:
    """Return whether a command starts a whole program of ours: the command line, a server, the migration."""
    words = [os.fsdecode(word) for word in ([command] if isinstance(command, str | bytes) else command)]
    modules = [after for before, after in pairwise(words) if before == "-m"]
    return str(PROGRAM) in words or any(module.split(".")[0] in OURS for module in modules)


class Guard:
    """Watches files and processes with an audit hook (PEP 578): nothing in this process gets past it."""

    def __init__(self) -> None:
        self._test: pytest.Item | None = None
        self._fixtures: list[Any] = []
        self._starting: set[int] = set()
        """The fixtures, by identity, that have started a program of ours."""

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen":
            if is_ours(arguments[1]):
                self._started()
        elif event in _TOUCHING and arguments and isinstance(arguments[0], str | os.PathLike):
            place = os.fspath(arguments[0])
            if (
                isinstance(place, str)
                and ".foldtable" in place
                and _is_within(place, HOME)
                and not _is_in_another_folder()
            ):
                pytest.fail(
                    f"{event} {place}: a test must not touch the system of the checkout", pytrace=True
                )

    def _started(self) -> None:
        self._starting |= {id(fixture) for fixture in self._fixtures}
        if self._test is not None and not is_slow(self._test):
            pytest.fail("this test starts a program of ours: mark it slow", pytrace=True)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._test = item
        try:
            return (yield)
        finally:
            self._test = None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        self._fixtures.append(fixturedef)
        try:
            return (yield)
        finally:
            self._fixtures.pop()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        done = yield
        used = getattr(item, "_fixtureinfo", None)
        fixtures = (
            [] if used is None else [each for all_of in used.name2fixturedefs.values() for each in all_of]
        )
        if not is_slow(item) and any(id(each) in self._starting for each in fixtures):
            pytest.fail("a fixture of this test starts a program of ours: mark it slow", pytrace=False)
        return done


def is_slow(item: pytest.Item) -> bool:
    """Return whether `make test-fast` leaves a test out."""
    return any(item.get_closest_marker(mark) for mark in ("slow", "conformance"))


def _is_within(place: str, folder: Path) -> bool:
    whole = Path(os.path.abspath(place))  # noqa: PTH100 - a link that leads elsewhere is still in the folder
    return whole == folder or folder in whole.parents


def _is_in_another_folder() -> bool:
    """Return whether shutil removes a tree, whose names are those of an open folder, not of the working directory.

    The event does not say which folder. Only the entries of a tree are found so: its root is opened by `rmtree` itself.
    """
    removing = sys._getframe(2)  # of the guard's caller, where an audit hook adds no frame of its own
    return removing.f_code.co_filename == shutil.__file__ and removing.f_code.co_name.startswith(
        "_rmtree_safe_fd"
    )


def clean_environment() -> None:
    """Clean this process's environment; before anything of ours is imported that reads it."""
    clean = cleaned(os.environ)
    os.environ.clear()
    os.environ.update(clean)


def set_up_guard(plugins: pytest.PytestPluginManager) -> None:
    """Begin to watch."""
    guard = Guard()
    plugins.register(guard, "hermetic")
    sys.addaudithook(guard.hear)
