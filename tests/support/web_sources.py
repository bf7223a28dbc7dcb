"""What the built files of the front end are made of, as gateway/web/build.mjs counts it: a test without node compares the two."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
WEB: Final = ROOT / "gateway" / "web"
CLIENT: Final = ROOT / "clients" / "typescript" / "src"
NOT_IN_THE_PAGE: Final = frozenset({"schema.ts"})
"""Types of the client, of which nothing is left in JavaScript."""


def sources() -> Iterator[Path]:
    """Yield every file that is built from, the recipe and the versions of packages included."""
    yield from (path for path in (WEB / "src").rglob("*") if path.is_file())
    yield from (path for path in CLIENT.rglob("*") if path.is_file() and path.name not in NOT_IN_THE_PAGE)
    yield WEB / "build.mjs"
    yield WEB / "package-lock.json"


def digest_of_sources() -> str:
    """Return the digest that `built/sources.sha256` should hold."""
    digest = sha256()
    for name, path in sorted((path.relative_to(ROOT).as_posix(), path) for path in sources()):
        digest.update(f"{name}\n{sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()
