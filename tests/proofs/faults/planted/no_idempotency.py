"""A rules server that does not look request ids up: a repeat is judged as if it had never been asked before."""

from __future__ import annotations

from services.rules.__main__ import main
from services.rules.match.loaded_match import LoadedMatch
from tests.proofs.faults.planted.planting import plant


def answered(_: LoadedMatch, __: str) -> None:
    """Know of no earlier answer."""


plant(LoadedMatch, "answered", answered)

if __name__ == "__main__":
    main()
