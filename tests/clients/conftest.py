"""What the tests of the Python client share."""

from __future__ import annotations

import pytest

from foldtable_client import sending


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client was to pause between its tries, which here takes no time."""
    told: list[float] = []

    async def sleep(seconds: float) -> None:
        told.append(seconds)

    monkeypatch.setattr(sending, "sleep", sleep)
    return told
