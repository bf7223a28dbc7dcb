"""A rules server that takes moves whatever version they were decided on: the rules alone say what is too late."""

from __future__ import annotations

from services.rules import acting
from services.rules.__main__ import main
from services.rules.acting import Request
from services.rules.tables import Table
from tests.faults.planted.planting import plant


def check_version(_: Table, __: Request) -> None:
    """Refuse nothing."""


plant(acting, "check_version", check_version)

if __name__ == "__main__":
    main()
