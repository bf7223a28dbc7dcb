"""What these tests share: two gateways before two rules servers, with every kind of key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.several_of_each import Several, several_of_each

GENEROUS = ",".join(
    [
        "address.anonymous=1000000/60",
        *(f"token.{bucket}=1000000/60" for bucket in ("reads", "moves", "lobby", "streams", "admin")),
        *(f"key.{bucket}=1000000/60" for bucket in ("reads", "moves", "lobby", "streams", "admin")),
    ]
)
"""Rate limits have tests of their own; those who ask for everything must not meet them here."""


@pytest.fixture(scope="session")
def several(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Several]:
    """Running for the whole session; every test makes matches of its own and harms nothing."""
    folder = tmp_path_factory.mktemp("several")
    with several_of_each(postgres_url, template_database, folder, rate_limits=GENEROUS) as running:
        yield running
