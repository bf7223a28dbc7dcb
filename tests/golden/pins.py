"""The checksums of the stored logs. A log is added with its own; one that is there never changes.

python -m tests.golden.pins        adds the logs that are new
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Final

GOLDEN: Final = Path(__file__).parent
PINS: Final = GOLDEN / "SHA256SUMS"
"""As `sha256sum --check` reads it."""


def stored() -> dict[str, str]:
    """Give the checksum of every stored log, by its path."""
    return {
        str(log.relative_to(GOLDEN)): hashlib.sha256(log.read_bytes()).hexdigest()
        for log in sorted(GOLDEN.glob("*/v*/*.jsonl"))
    }


def pinned() -> dict[str, str]:
    """Give the checksums that are written down, by path."""
    lines = PINS.read_text().splitlines() if PINS.exists() else []
    return {path: checksum for checksum, _, path in (line.partition("  ") for line in lines)}


def main() -> int:
    """Add what is new; give 1 where a log is not what it was, and leave everything as it is."""
    there, before = stored(), pinned()
    if changed := [path for path, checksum in before.items() if there.get(path) != checksum]:
        sys.stderr.write(f"golden logs never change: {', '.join(changed)}\n")
        return 1
    PINS.write_text("".join(f"{checksum}  {path}\n" for path, checksum in there.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
