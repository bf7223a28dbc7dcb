"""The file `env` in the home: a shell reads it (`. .foldtable/env`) to find the programs, addresses and key of the running system."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path


def environment_file(home: Path, *, url: str, grpc: str, key: str, programs: Path | None = None) -> str:
    """Return its text, for POSIX shells. Reading it twice has the same effect as reading it once.

    `programs`: the folder of `foldtable` and `python`; by default the one this program runs from.
    """
    folder = shlex.quote(str(programs or Path(sys.executable).parent))
    lines = (
        "# Written by `foldtable up` while it runs; readable only by its owner, because it contains the key.",
        f'case ":$PATH:" in *:{folder}:*) ;; *) export PATH={folder}:"$PATH" ;; esac',
        f"export FOLDTABLE_HOME={shlex.quote(str(home.absolute()))}",
        f"export FOLDTABLE_URL={shlex.quote(url)}",
        f"export FOLDTABLE_GRPC={shlex.quote(grpc)}",
        f"export FOLDTABLE_KEY={shlex.quote(key)}",
    )
    return "\n".join(lines) + "\n"
