"""Builds the published clients as files to install: `make clients`.

    python -m tests.support.built_clients build/clients

The versions are those of clients/python/pyproject.toml and clients/typescript/package.json. The types of the TypeScript client
are made from the OpenAPI document as this checkout serves it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support import node
from tests.support.documents import ROOT

PYTHON: Final = ROOT / "clients" / "python"
TYPESCRIPT: Final = ROOT / "clients" / "typescript"


def build_python(target: Path) -> tuple[Path, Path]:
    """Return the source distribution of the Python client, and the wheel built from it."""
    with TemporaryDirectory() as folder:
        source = _hatched("sdist", PYTHON, Path(folder) / "sdist")
        shutil.unpack_archive(source, Path(folder) / "unpacked")
        (unpacked,) = (Path(folder) / "unpacked").iterdir()
        wheel = _hatched("wheel", unpacked, Path(folder) / "wheel")
        target.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(source, target)), Path(shutil.copy(wheel, target))


def _hatched(kind: str, project: Path, target: Path) -> Path:
    _run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target), at=project)
    (built,) = target.iterdir()
    return built


def build_npm(target: Path) -> Path:
    """Return the package file of the TypeScript client. Needs node, and the packages of tests/conformance."""
    target.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        copy, document = Path(folder) / "client", Path(folder) / "openapi.json"
        ignored = shutil.ignore_patterns("node_modules", "dist", "schema.ts", "package-lock.json")
        shutil.copytree(TYPESCRIPT, copy, ignore=ignored)
        _run(sys.executable, "-m", "tests.support.served_document", str(document), at=ROOT)
        schema = json.loads((copy / "package.json").read_text())["scripts"]["schema"]
        node.run("sh", "-c", schema, folder=copy, FOLDTABLE_OPENAPI=str(document))
        node.run("tsc", folder=copy)
        packed = node.run(
            "npm", "pack", "--json", "--pack-destination", str(target.resolve()), folder=copy, HOME=folder
        )
    name: str = json.loads(packed)[0]["filename"]
    return target / name


def _run(*command: str, at: Path) -> None:
    """Run a program; it must end with 0."""
    done = subprocess.run(command, cwd=at, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")


def main(target: Path) -> None:
    """Build everything that can be built here, and print the files."""
    built = list(build_python(target))
    if reason := node.why_not():
        print(f"the TypeScript client is not built: {reason}", file=sys.stderr)
    else:
        built.append(build_npm(target))
    for path in built:
        print(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
