"""Are all versions pinned? What is installed, here and in the image, is what was tested."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[3]
PAGE_LOCK: Final = "gateway/web/package-lock.json"
NPM_LOCKS: Final = ("tests/conformance/package-lock.json", PAGE_LOCK)
_PIN: Final = re.compile(r"(?P<name>[a-z0-9][a-z0-9-]*)==(?P<version>[0-9][0-9A-Za-z.!+]*)(?: ; .+)?")
_EXACT: Final = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?")


def constraints(root: Path = ROOT) -> list[tuple[str, str, str]]:
    """Return name, version and line of every pin; ValueError for a line that pins nothing."""
    pins = []
    for line in (root / "constraints.txt").read_text().splitlines():
        if (found := _PIN.fullmatch(line)) is None:
            raise ValueError(f"constraints.txt: this line pins no version: {line}")
        pins.append((found["name"], found["version"], line))
    return pins


def direct(root: Path = ROOT) -> list[Requirement]:
    """Return what pyproject.toml asks for, with all extras."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(line) for lines in (project["dependencies"], *extras) for line in lines]


def problems(root: Path = ROOT) -> list[str]:
    """Name everything that is not pinned, or installed otherwise than it is pinned."""
    try:
        pins = constraints(root)
    except ValueError as problem:
        return [str(problem)]
    return [*_unpinned(root, pins), *_installed_otherwise(pins), *_npm(root)]


def _unpinned(root: Path, pins: list[tuple[str, str, str]]) -> Iterator[str]:
    known: dict[str, list[str]] = {}
    for name, pinned, _ in pins:
        known.setdefault(name, []).append(pinned)
    for wanted in direct(root):
        versions = known.get(canonicalize_name(wanted.name), [])
        if not versions:
            yield f"pyproject.toml asks for {wanted.name}, and constraints.txt does not pin it"
        for pinned in versions:
            if not wanted.specifier.contains(pinned, prereleases=True):
                yield f"pyproject.toml asks for {wanted}, and constraints.txt pins {pinned}"


def _installed_otherwise(pins: list[tuple[str, str, str]]) -> Iterator[str]:
    """A package may be pinned once for each Python; one that is meant for other systems is not here."""
    for name in sorted({name for name, _, _ in pins}):
        pinned = {one for other, one, _ in pins if other == name}
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if installed not in pinned:
            yield f"{name} {installed} is installed, and {' or '.join(sorted(pinned))} is pinned"


def _npm(root: Path) -> Iterator[str]:
    for lock in NPM_LOCKS:
        package = json.loads((root / lock).with_name("package.json").read_text())
        for name, wanted in {**package["dependencies"], **package["devDependencies"]}.items():
            if _EXACT.fullmatch(wanted) is None:
                yield f"{lock}: {name} is asked for as {wanted}, not as one version"
        for place, locked in json.loads((root / lock).read_text())["packages"].items():
            if place and not str(locked.get("integrity", "")).startswith("sha512-"):
                yield f"{lock}: {place} has no SHA-512"
