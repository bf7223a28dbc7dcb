"""What these tests share: the whole stack, for clients that others wrote."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import node
from tests.support.several_of_each import Several, several_of_each

HERE = Path(__file__).parent
WITHOUT_NODE = frozenset(
    {
        "test_caches.py",
        "test_embedding_in_java.py",
        "test_generated_clients.py",
        "test_reflection.py",
        "test_schemathesis.py",
        "test_upgrading_clients.py",
    }
)
LIMITS = "token.streams=1000000/60"
"""Nobody reconnects as often as a reader who is cut off at every event."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these tests; where node or the packages are missing, those that need them say so."""
    reason = node.why_not()
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.conformance)
            if reason and item.path.name not in WITHOUT_NODE:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def stack(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Several]:
    """A gateway, a rules server and a platform service, each a process of its own, for the whole session."""
    folder = tmp_path_factory.mktemp("conformance")
    with several_of_each(postgres_url, template_database, folder, replicas=1, rate_limits=LIMITS) as running:
        yield running
