"""Runs the verifier of docs/examples, which shares no code with Foldtable, over many documents at once."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

NODE: Final = shutil.which("node")
SCRIPTS: Final = Path(__file__).resolve().parent.parent / "javascript"
WHY_NOT: Final = "" if NODE else "needs node, 20 or newer"
SECONDS: Final = 100


def found_in(documents: Sequence[bytes]) -> list[list[str]]:
    """Give what it finds in each document; an empty list where all agrees."""
    found: list[list[str]] = run("verify_all.mjs", b"[" + b",".join(documents) + b"]")
    return found


def run(script: str, given: bytes) -> Any:
    """Run a script of tests/javascript with node; give the JSON it prints."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(SCRIPTS / script)], input=given, capture_output=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return json.loads(done.stdout)
