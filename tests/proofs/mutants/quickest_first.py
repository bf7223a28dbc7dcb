"""A pytest plugin: runs the tests in the order in which they were named, whatever else orders them."""

from __future__ import annotations

import pytest

from tests.proofs.mutants.recorder import function


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    order = {name: rank for rank, name in enumerate(config.args)}
    items.sort(key=lambda item: order.get(function(item.nodeid), len(order)))
