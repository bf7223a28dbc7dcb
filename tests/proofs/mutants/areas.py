"""The parts of the product that mutation testing tells apart, and which tests look after each.

A change of a part is looked for by the tests of its folders only. A mutant that only a test elsewhere notices survives here:
whoever breaks a part should see red beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[3]
PRODUCT: Final = ("engine", "services", "gateway", "migrations", "clients/python/src")
"""What is installed for users."""
NOT_MUTATED: Final = {
    "migrations/versions": "statements of SQL, run once: tests/migrations compares what they make",
    "services/cli/new_game/template": "a game for others to begin with, and its own tests",
    "gateway/web": "the page, which is TypeScript",
    "clients/python/src/foldtable_client/types.py": "types only, written by `make docs`",
}
"""Folders and files of the product, and why they stay as they are."""
NEED_MORE: Final = ("tests/bench", "tests/conformance", "tests/proofs", "tests/traces", "tests/web")
"""Folders whose tests need a browser or node, or minutes each."""


@dataclass(frozen=True)
class Area:
    """A part of the product."""

    name: str
    sources: tuple[str, ...]
    """Folders and files, from the root of the repository."""
    tests: tuple[str, ...]
    """Folders and files; of a folder only its own modules if it ends with `/*`."""


def _game(name: str) -> Area:
    return Area(name, (f"engine/{name}",), (f"tests/engine/{name}",))


AREAS: Final = (
    Area("gateway", ("gateway",), ("tests/gateway",)),
    Area("rules", ("services/rules",), ("tests/services/rules",)),
    Area(
        "movelog",
        ("services/movelog", "services/postgres", "migrations"),
        ("tests/services/movelog", "tests/migrations", "tests/services/test_database.py"),
    ),
    Area("platform", ("services/platform",), ("tests/services/platform", "tests/gateway/routes")),
    Area("webhooks", ("services/webhooks",), ("tests/services/webhooks",)),
    Area(
        "people",
        ("services/bots", "services/texts", "services/identity", "services/free_text", "engine/bots"),
        (
            *("tests/services/bots", "tests/services/identity", "tests/services/test_free_text.py"),
            *("tests/engine/bots", "tests/services/rules", "tests/services/platform", "tests/services/rpc"),
        ),
    ),
    Area(
        "kernel",
        (
            "engine/kernel",
            "engine/match",
            "engine/interface.py",
            "engine/registry.py",
            "engine/trial.py",
        ),
        (
            *("tests/engine/kernel", "tests/engine/layout", "tests/engine/*"),
            *(
                f"tests/engine/{game}/test_texts.py"
                for game in ("al_rashid", "river_dragons", "river_of_gold")
            ),
        ),
    ),
    _game("al_rashid"),
    _game("river_dragons"),
    _game("river_of_gold"),
    Area("kit", ("services/kit", "services/cli"), ("tests/kit", "tests/services/cli")),
    Area(
        "rest",
        (
            *("services/process", "services/rpc", "services/client", "services/embedded_postgres"),
            *(
                "services/audit",
                "services/batch",
                "services/replays",
                "engine/research",
                "clients/python/src",
            ),
        ),
        (
            *("tests/services/rpc", "tests/services/client", "tests/services/embedded_postgres"),
            *("tests/services/audit", "tests/services/*", "tests/engine/research", "tests/clients"),
        ),
    ),
)


def named(name: str) -> Area:
    """Return an area by its name. Raises KeyError if there is none."""
    return {area.name: area for area in AREAS}[name]


def sources_of(area: Area, root: Path = ROOT) -> list[str]:
    """Return the modules that are mutated, from the root of the repository."""
    return [name for name in _modules(area.sources, root) if not name.startswith(tuple(NOT_MUTATED))]


def modules_of_tests(area: Area, root: Path = ROOT) -> list[str]:
    """Return the modules of tests that look after an area, each once, in the order of its folders."""
    found = [name for name in _modules(area.tests, root) if Path(name).name.startswith("test_")]
    return [name for name in dict.fromkeys(found) if not name.startswith(NEED_MORE)]


def _modules(places: tuple[str, ...], root: Path) -> list[str]:
    found: list[Path] = []
    for place in places:
        if place.endswith(".py"):
            found.append(root / place)
        elif place.endswith("/*"):
            found += sorted((root / place).parent.glob("*.py"))
        else:
            found += sorted((root / place).rglob("*.py"))
    return [path.relative_to(root).as_posix() for path in found]
