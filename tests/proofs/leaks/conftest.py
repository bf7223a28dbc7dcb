"""Two empty databases for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.proofs.leaks.databases import two_databases


@pytest.fixture
def databases(postgres_url: str, template_database: str) -> Iterator[tuple[str, str]]:
    with two_databases(postgres_url, template_database) as both:
        yield both
