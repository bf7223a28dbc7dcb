#!/usr/bin/env python3
"""Compile the hot modules with mypyc: the same source, a tenth to a third faster where the rules are worked out.

`[tool.foldtable.compiled]` in pyproject.toml lists the modules. Each becomes an extension module beside its source, where
Python prefers it, and all share one library. Without arguments this compiles in place, for development; `--remove` deletes
what it made. For a wheel, build_hook.py compiles a copy.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("engine", "proto/gen", "services", "gateway")
"""What mypy reads to compile."""
LIBRARY = "foldtable_compiled"
"""The name of the library that all extension modules share; mypyc adds `__mypyc`."""
ENDINGS = ("so", "pyd")
PLACE = "build/compiled"
"""Where the C files are written."""


def listed(root: Path) -> list[str]:
    """Return the modules to compile, as paths from the root. Raises FileNotFoundError for a pattern without a module.

    Modules that define structs are left out: mypyc drops the keywords of a class, such as `frozen` and `tag`.
    """
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["foldtable"]["compiled"]
    modules = set(_matching(root, settings["modules"])) - set(_matching(root, settings["exclude"]))
    return sorted(
        module
        for module in modules
        if Path(module).name != "__init__.py" and not has_class_keywords((root / module).read_text())
    )


def has_class_keywords(source: str) -> bool:
    """Return whether a class is defined with keywords, as structs are."""
    return any(isinstance(node, ast.ClassDef) and node.keywords for node in ast.walk(ast.parse(source)))


def _matching(root: Path, patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns:
        found = [path.relative_to(root).as_posix() for path in root.glob(pattern)]
        if not found:
            raise FileNotFoundError(f"[tool.foldtable.compiled] names {pattern}, and no module has this name")
        yield from found


def built(root: Path) -> list[Path]:
    """Return the extension modules beside the sources, and their library."""
    inside = [path for top in SOURCES for ending in ENDINGS for path in (root / top).rglob(f"*.{ending}")]
    library = [path for ending in ENDINGS for path in root.glob(f"{LIBRARY}__mypyc*.{ending}")]
    return sorted(inside + library)


def remove(root: Path) -> None:
    """Delete the extension modules: Python reads the sources again."""
    for path in built(root):
        path.unlink()


def copy_sources(root: Path, target: Path) -> None:
    """Copy what is needed to compile, without what is compiled already."""
    shutil.copy(root / "pyproject.toml", target)
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", *(f"*.{ending}" for ending in ENDINGS))
    for folder in SOURCES:
        shutil.copytree(root / folder, target / folder, ignore=ignored)


def compile_beside(root: Path, modules: Iterable[str] | None = None) -> None:
    """Compile modules, by default all that are listed, and put the extension modules beside their sources.

    A process of its own does it: mypyc and setuptools work in the current folder, and keep much in memory.
    """
    chosen = listed(root) if modules is None else list(modules)
    remove(root)
    shutil.rmtree(root / PLACE, ignore_errors=True)
    (root / PLACE).mkdir(parents=True)
    command = [sys.executable, str(Path(__file__).resolve()), "--only-these", *chosen]
    environment = os.environ | {"MYPY_CACHE_DIR": f"{PLACE}/types"}
    subprocess.run(command, cwd=root, env=environment, check=True)  # noqa: S603 - this very program


def build_extensions(modules: list[str]) -> None:
    """Compile modules, as paths from the current folder."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    extensions = mypycify(
        ["--follow-imports=silent", "--ignore-missing-imports", *modules],
        only_compile_paths=modules,
        opt_level="2",
        debug_level="0",
        target_dir=PLACE,
        group_name=LIBRARY,
    )
    settings = {"name": LIBRARY, "ext_modules": extensions, "packages": [], "py_modules": []}
    command = Distribution(settings).get_command_obj("build_ext")
    command.inplace = True
    command.build_temp = PLACE
    command.ensure_finalized()
    command.run()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--remove", action="store_true", help="delete the extension modules instead")
    parser.add_argument("--only-these", nargs="+", metavar="MODULE", help="paths from the current folder")
    arguments = parser.parse_args()
    if arguments.remove:
        remove(ROOT)
        print("Foldtable runs from its sources.")
    elif arguments.only_these:
        build_extensions(arguments.only_these)
    else:
        compile_beside(ROOT)
        print(
            f"Compiled {len(listed(ROOT))} modules. A change of them needs `make compiled` again; `make pure` removes them."
        )


if __name__ == "__main__":
    main()
