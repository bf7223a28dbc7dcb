"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest

import pytest

import engine.al_rashid.box.goods
import engine.al_rashid.rules.audience


@pytest.mark.parametrize("module", [engine.al_rashid.box.goods, engine.al_rashid.rules.audience])
def test_examples_in_docstrings_run(module) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed
