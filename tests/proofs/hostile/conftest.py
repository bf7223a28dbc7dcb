"""What the tests of this folder share: a system of their own, since they are not kind to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.proofs.hostile.load_attack import SHORT
from tests.support.deployment import GENEROUS
from tests.support.several_of_each import Several, several_of_each


@pytest.fixture(scope="session")
def attacked(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Several]:
    """One of each process, for all tests of this folder."""
    folder = tmp_path_factory.mktemp("besieged")
    settings = {"rate_limits": GENEROUS, **SHORT.gateway_settings()}
    with several_of_each(postgres_url, template_database, folder, replicas=1, **settings) as system:
        yield system
