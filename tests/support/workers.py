"""Says which tests go to the same worker, where several run them (pytest-xdist): a pytest plugin, loaded by tests/conftest.py.

The tests of a module do. So do modules whose tests use the same programs, which another worker would have to start again.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
SHARED: Final = ("several", "stack", "system")
"""Fixtures that start programs for many modules."""
SHARING_FOLDERS: Final = ("tests/conformance/web/",)
"""Folders with such a fixture of their own."""
MIN_WORKERS: Final = 4
"""Workers on a machine with two cores: much of what the tests of whole processes do is waiting."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many workers `-n auto` starts."""
    return max(MIN_WORKERS, os.cpu_count() or 1)


@cache
def group(module: str) -> str:
    """Return what a module shares with others, by name; the module itself if it is nothing, or if its fixture is its own."""
    for folder in SHARING_FOLDERS:
        if module.startswith(folder):
            return folder
    text = (ROOT / module).read_text()
    for name in SHARED:
        if re.search(rf"\b{name}: (Several|System)\b", text) and not re.search(rf"def {name}\(", text):
            return name
    return module


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return a scheduler that knows the groups. xdist's own, by marks, does nothing with pytest 9.2 (it changes ids that are fixed)."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid.partition("::")[0])

    return ByGroup(config, log)
