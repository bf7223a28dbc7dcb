"""The examples in the docstrings of the rules are true."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import engine

ENGINE = Path(engine.__path__[0])
WITH_EXAMPLES = [
    ".".join(path.relative_to(ENGINE.parent).with_suffix("").parts)
    for path in sorted(ENGINE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_in_docstrings_run(module: str) -> None:
    done = doctest.testmod(import_module(module))
    assert (done.attempted > 0, done.failed) == (True, 0)
