"""A pytest plugin: tells coverage which test runs, also in the processes that it starts, and writes down how long it took.

What runs while a fixture is set up that several tests share belongs to the fixture, and so does a program which it starts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import coverage
import pytest

CONTEXT: Final = "MUTANTS_CONTEXT"
"""The variable that says to a started process for whom it runs; coverage.ini reads it."""
RECORD: Final = "MUTANTS_RECORD"
"""The file for what the tests took."""
FIXTURE: Final = "fixture "
"""What the name of a fixture begins with where the name of a test could stand."""

_tests: dict[str, dict[str, Any]] = {}


def function(nodeid: str) -> str:
    """Return the id of a test without its parameters."""
    return nodeid.partition("[")[0]


@contextmanager
def _belongs_to(name: str) -> Iterator[None]:
    before = os.environ.get(CONTEXT, "")
    _switch(name)
    try:
        yield
    finally:
        _switch(before)


def _switch(name: str) -> None:
    os.environ[CONTEXT] = name
    if (running := coverage.Coverage.current()) is not None:
        running.switch_context(name)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    shared = {
        one.argname
        for name in getattr(item, "fixturenames", ())
        for one in item._fixtureinfo.name2fixturedefs.get(name, ())
        if one.scope != "function"
    }
    known = _tests.setdefault(function(item.nodeid), {"seconds": 0.0, "passed": True, "fixtures": []})
    known["fixtures"] = sorted({*known["fixtures"], *shared})
    with _belongs_to(function(item.nodeid)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Iterator[Any]:
    if fixturedef.scope == "function":
        return (yield)
    with _belongs_to(FIXTURE + fixturedef.argname):
        return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    known = _tests[function(report.nodeid)]
    known["seconds"] += report.duration
    known["passed"] &= not report.failed


def pytest_sessionfinish() -> None:
    Path(os.environ[RECORD]).write_text(json.dumps(_tests))
