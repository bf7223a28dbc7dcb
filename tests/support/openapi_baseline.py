"""Writes the OpenAPI document of a house as it is now: `python -m tests.support.openapi_baseline <file>`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from tests.support.running_house import running_house


def main(target: Path) -> None:
    """Start a house, ask it, and write what it says, in a form that can be read and compared."""
    with TemporaryDirectory() as folder, running_house(Path(folder) / "home") as house:
        document = httpx.get(f"{house.address}/openapi.json", timeout=20).raise_for_status().json()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
