"""Writes what the OpenAPI document of a system promises: `python -m tests.support.openapi_baseline <file>`.

Words and examples are no promise; without them the file is half as long, and changes only where a promise does.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx

from tests.support.running_system import running_system

NOT_SERVED: Final = (
    "What clients of this release rely on, to compare later releases with: without descriptions and examples. It is not what a "
    "server of today serves; that is at `GET /openapi.json`."
)
WORDS: Final = frozenset({"description", "examples", "example", "summary", "title", "tags", "links"})
NAMED: Final = frozenset({"properties", "schemas", "responses", "headers", "parameters", "paths"})
"""What stands below has names of its own: a member may be called `title`."""


def promises(value: Any, *, named: bool = False) -> Any:
    """Return the part of a document that clients rely on."""
    if isinstance(value, list):
        return [promises(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: promises(item, named=key in NAMED and isinstance(item, dict) and not named)
        for key, item in value.items()
        if named or key not in WORDS
    }


def baseline(document: Any) -> Any:
    """Return what is stored for a release: its promises, and in `info` which release that was."""
    release = document["info"]["version"]
    info = {"title": f"Foldtable {release}, its promises", "description": NOT_SERVED}
    kept = promises(document)
    return {**kept, "info": {**kept["info"], **info}}


def main(target: Path) -> None:
    """Start a system, ask it, and write what it promises, in a form that can be read and compared."""
    with TemporaryDirectory() as folder, running_system(Path(folder) / "home") as system:
        document = httpx.get(f"{system.address}/openapi.json", timeout=20).raise_for_status().json()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(baseline(document), indent=1, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
