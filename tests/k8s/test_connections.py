"""How many connections to Postgres the manifests can come to, and that the documentation tells the operator so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from services.postgres.database import NOTIFYING, DatabaseSettings
from tests.k8s.routes import of_kind, settings_of

Manifest = dict[str, Any]
PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "run" / "databases.md"
WATCHDOG: Final = {"rules": 1}
MIGRATION: Final = 1


def most_connections(manifests: list[Manifest]) -> int:
    """Return what all processes can open at once: every autoscaler at its maximum, while a release is rolled out."""
    deployed = {one["metadata"]["name"]: one for one in of_kind(manifests, "Deployment")}
    total = MIGRATION
    for scaler in of_kind(manifests, "HorizontalPodAutoscaler"):
        name = scaler["spec"]["scaleTargetRef"]["name"]
        deployment, settings = deployed[name], settings_of(manifests)[name]
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        if not any(one["name"] == "FOLDTABLE_DATABASE_URL" for one in container["env"]):
            continue
        of_each = DatabaseSettings(
            "",
            readers=int(settings.get("FOLDTABLE_DATABASE_READERS", DatabaseSettings.readers)),
            writers=int(settings.get("FOLDTABLE_DATABASE_WRITERS", DatabaseSettings.writers)),
        ).most_connections
        pods = scaler["spec"]["maxReplicas"] + deployment["spec"]["strategy"]["rollingUpdate"]["maxSurge"]
        total += pods * (of_each + WATCHDOG.get(name, 0))
    return total


def test_the_documentation_tells_what_the_manifests_come_to(manifests: list[Manifest]) -> None:
    told = re.search(r"all together open at most (\d+) connections", PAGE.read_text())
    assert told
    assert int(told[1]) == most_connections(manifests)


def test_the_documentation_tells_what_a_process_opens() -> None:
    page = PAGE.read_text()
    for words, number in (
        ("`FOLDTABLE_DATABASE_READERS`, {} unless", DatabaseSettings.readers),
        ("`FOLDTABLE_DATABASE_WRITERS`, {} unless", DatabaseSettings.writers),
    ):
        assert words.format(number) in page
    assert NOTIFYING == 2, "the table says: one to send and one to receive"
