"""Write the JSON Schema of exported matches: to docs, and to the gateway, which serves it.

python -m tests.docs.export_schema
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from services.movelog.export.format import export_schema

ROOT: Final = Path(__file__).resolve().parents[2]
FILES: Final = (
    ROOT / "docs" / "match-export.schema.json",
    ROOT / "gateway" / "schemas" / "match-export.schema.json",
)


def main() -> None:
    """Write both files."""
    for file in FILES:
        file.write_text(json.dumps(export_schema(), indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
