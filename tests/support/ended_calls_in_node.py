"""Calls of the TypeScript client that are aborted in everything they can wait for. For tests and for the benchmark; used by name."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.node import SCRIPTS, printed_by, run
from tests.support.silent_server import silent_server, unreachable

SCRIPT = "typescript_ending.mjs"


class Aborted(NamedTuple):
    """How a call ended; `wrong` is empty if it threw the signal's reason."""

    state: str
    milliseconds: float
    wrong: str


def project_with(package: Path, folder: Path) -> Path:
    """Return an empty npm project in which a package file is installed, and nothing else."""
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"type": "module", "private": true}')
        run(
            "npm",
            "install",
            "--offline",
            "--no-audit",
            "--no-fund",
            str(package),
            folder=folder,
            HOME=str(folder),
        )
    return folder


def printed(folder: Path, address: str, key: str) -> dict[str, Any]:
    """Run the script in a project that has the client; give what it prints."""
    shutil.copy(SCRIPTS / SCRIPT, folder)
    with silent_server() as server, unreachable() as nowhere:
        host, port = server.server_address[:2]
        settings = {"GATEWAY": address, "KEY": key, "SILENT": f"{host}:{port}", "NOWHERE": nowhere}
        return printed_by(SCRIPT, folder=folder, **settings)


def aborted(package: Path, folder: Path, address: str, key: str) -> list[Aborted]:
    """Return how each call ended. AssertionError if one did not end as it should."""
    ends = [Aborted(**one) for one in printed(project_with(package, folder), address, key)["ended"]]
    assert [one for one in ends if one.wrong] == []
    return ends
