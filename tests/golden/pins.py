"""The checksums of the stored logs and of the stored records. One is added with its own; what is there never changes.

python -m tests.golden.pins        adds what is new
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

GOLDEN: Final = Path(__file__).parent
PINS: Final = GOLDEN / "SHA256SUMS"
"""Of the logs, as `sha256sum --check` reads it."""
PINS_OF_RECORDS: Final = GOLDEN / "records" / "SHA256SUMS"
"""Of each line of a file of records: new ones come after it."""


def stored() -> dict[str, str]:
    """Give the checksum of every stored log, by its path."""
    return {
        str(log.relative_to(GOLDEN)): hashlib.sha256(log.read_bytes()).hexdigest()
        for log in sorted(GOLDEN.glob("*/v*/*.jsonl"))
    }


def stored_records() -> dict[str, str]:
    """Give the checksum of every stored record, by its file and line."""
    return {
        f"{file.name}:{number}": hashlib.sha256(line).hexdigest()
        for file in sorted(PINS_OF_RECORDS.parent.glob("*.jsonl"))
        for number, line in enumerate(file.read_bytes().splitlines(), 1)
    }


def pinned(pins: Path = PINS) -> dict[str, str]:
    """Give the checksums that are written down, by what they are of."""
    lines = pins.read_text().splitlines() if pins.exists() else []
    return {path: checksum for checksum, _, path in (line.partition("  ") for line in lines)}


def main() -> int:
    """Add what is new; give 1 where something is not what it was, and leave everything as it is."""
    kept: tuple[tuple[Path, Callable[[], dict[str, str]]], ...] = (
        (PINS, stored),
        (PINS_OF_RECORDS, stored_records),
    )
    changed = [
        name
        for pins, there in kept
        for name, checksum in pinned(pins).items()
        if there().get(name) != checksum
    ]
    if changed:
        sys.stderr.write(f"golden logs and records never change: {', '.join(changed)}\n")
        return 1
    for pins, there in kept:
        pins.write_text("".join(f"{checksum}  {name}\n" for name, checksum in there().items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
