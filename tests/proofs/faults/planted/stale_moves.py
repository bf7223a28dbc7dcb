"""A rules server that takes moves whatever version they were decided on: the rules alone say what is too late."""

from __future__ import annotations

from services.rules.__main__ import main
from services.rules.match import moves
from services.rules.match.appending import Request
from services.rules.match.loaded_match import LoadedMatch
from tests.proofs.faults.planted.planting import plant


def check_version(_: LoadedMatch, __: Request) -> None:
    """Refuse nothing."""


plant(moves, "check_version", check_version)

if __name__ == "__main__":
    main()
