"""Runs the verifier of docs/examples, which shares no code with Foldtable, over many documents at once."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.process.public_keys import jwk_set

NODE: Final = shutil.which("node")
SCRIPTS: Final = Path(__file__).resolve().parent.parent / "javascript"
WHY_NOT: Final = "" if NODE else "needs node, 20 or newer"
SECONDS: Final = 100


def found_in(documents: Sequence[bytes]) -> list[list[str]]:
    """Return what it finds in each document; an empty list where all agrees."""
    found: list[list[str]] = run("verify_all.mjs", b"[" + b",".join(documents) + b"]")
    return found


def vouched_for(documents: Sequence[bytes], keys: Iterable[Ed25519PublicKey]) -> list[str]:
    """Return what it says of each document's signature; `fits` where the holder of one of the keys signed it."""
    given = {"keys": jwk_set(keys)["keys"], "documents": [document.decode() for document in documents]}
    said: list[str] = run("vouch_all.mjs", json.dumps(given).encode())
    return said


def run(script: str, given: bytes) -> Any:
    """Run a script of tests/javascript with node; give the JSON it prints."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(SCRIPTS / script)], input=given, capture_output=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return json.loads(done.stdout)
