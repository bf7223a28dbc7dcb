"""Bring the virtual environment and the stubs up to date; called by .ci/prepare, standard library only.

Both are judged by content, not by time: a stamp holds a digest of everything they were made from, one for each level.
A lock makes it safe to call several times at once; the second waits and finds the work done.
"""

# ruff: noqa: S603 - a build script, not a package; it prints, and runs our own commands

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
VENV_STAMP = VENV / ".made-from"
STUBS_STAMP = ROOT / "proto" / "gen" / ".made-from"
DESCRIPTOR_SET = ROOT / "proto" / "gen" / "foldtable" / "descriptors.binpb"
JAVASCRIPT = ROOT / "tests" / "conformance"
JAVASCRIPT_STAMP = JAVASCRIPT / "node_modules" / ".made-from"
BUILD_TOOLS = ("hatchling", "editables", "grpcio-tools", "googleapis-common-protos")
LEVELS = ("run", "dev", "research")
"""Each adds to those before it; the last two are extras in pyproject.toml."""
WHAT_FOR = {
    "run": "`make run`",
    "dev": "the development of Foldtable",
    "research": "research (OpenSpiel, PettingZoo, NumPy)",
}


def digest(files: Iterable[Path], *more: str) -> str:
    """Return one hash over files and words."""
    whole = hashlib.sha256()
    for path in files:
        whole.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode() + path.read_bytes())
    for word in more:
        whole.update(word.encode() + b"\n")
    return whole.hexdigest()


def packaging() -> str:
    """Return the part of pyproject.toml that an installation depends on; rules for linters do not count."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    parts = [project["build-system"], project["project"], project["tool"]["hatch"]]
    return json.dumps(parts, sort_keys=True)


def stamped(stamp: Path) -> str:
    return stamp.read_text().strip() if stamp.exists() else ""


def run(*command: str | Path) -> None:
    """Run a step; a failure has already said why, so only name the step."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, check=False)
    if done.returncode != 0:
        raise SystemExit(f"this step failed: {' '.join(str(word) for word in command)}")


def pip(*words: str) -> None:
    run(
        PYTHON,
        "-m",
        "pip",
        "install",
        "-qq",
        "--disable-pip-version-check",
        "--constraint",
        "constraints.txt",
        *words,
    )


def prepare_venv(level: str) -> None:
    """Install what a level needs, in the versions of constraints.txt, and ourselves in place.

    A level that is there in its present form is not touched, nor is one above the level that is asked for.
    """
    place = f"{'.'.join(map(str, sys.version_info[:3]))} {VENV}"
    wanted = digest([ROOT / "constraints.txt"], packaging())
    made = read_stamp(place)
    if not made:
        print("Making the virtual environment in .venv (once) ...", flush=True)
        run(getattr(sys, "_base_executable", sys.executable), "-m", "venv", "--clear", ".venv")
        made = {"place": place}
    for name in LEVELS[: LEVELS.index(level) + 1]:
        if made.get(name) == wanted:
            continue
        print(f"Installing what {WHAT_FOR[name]} needs ...", flush=True)
        made.pop(name, None)
        write_stamp(made)  # a step that is broken off was not made
        install(name)
        made[name] = wanted
        write_stamp(made)


def read_stamp(place: str) -> dict[str, str]:
    """Return the digests of the levels that are installed; nothing for another Python or a checkout that was moved."""
    text = stamped(VENV_STAMP)
    try:
        made: dict[str, str] = json.loads(text or "{}")
    except json.JSONDecodeError:  # of a time without levels: what is installed will be found to be
        made = {"place": place} if text.endswith(f" {place}") else {}
    return made if made.get("place") == place else {}


def write_stamp(made: dict[str, str]) -> None:
    VENV_STAMP.write_text(json.dumps(made, indent=2) + "\n")


def install(level: str) -> None:
    """Install what a level adds to the one before. Only the first installs ourselves: what runs may be running."""
    if level == "run":
        pip(*BUILD_TOOLS)
        pip("--no-build-isolation", "--editable", ".")
        return
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    pip(*extras[level])


def prepare_stubs() -> None:
    """Build the stubs, and the descriptor set that buf reads, if a contract or what builds them changed."""
    sources = [
        *sorted((ROOT / "proto" / "foldtable").rglob("*.proto")),
        ROOT / "proto" / "build_stubs.py",
        ROOT / "constraints.txt",
    ]
    types = "with types" if (VENV / "bin" / "protoc-gen-mypy").exists() else "without types"
    wanted = digest(sources, types)
    if stamped(STUBS_STAMP) == wanted and DESCRIPTOR_SET.exists():
        return
    run(PYTHON, "proto/build_stubs.py")
    STUBS_STAMP.write_text(wanted + "\n")


def prepare_javascript() -> None:
    """Install the npm packages of tests/conformance; without them, tests that need them say why they were skipped."""
    wanted = digest(JAVASCRIPT / name for name in ("package.json", "package-lock.json"))
    if stamped(JAVASCRIPT_STAMP) == wanted:
        return
    if shutil.which("npm") is None:
        print("There is no npm: tests that need JavaScript will be skipped, and say so.", flush=True)
        return
    print("Installing the npm packages of tests/conformance ...", flush=True)
    command = ["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    if subprocess.run(command, cwd=JAVASCRIPT, check=False).returncode == 0:
        JAVASCRIPT_STAMP.write_text(wanted + "\n")
    else:
        print("npm could not install them; everything else works without.", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Bring .venv and the stubs up to date.")
    parser.add_argument(
        "level", nargs="?", choices=LEVELS, default=LEVELS[-1], help="how much; default: everything"
    )
    level = parser.parse_args().level
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "prepare.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        prepare_venv(level)
        prepare_stubs()
        if level != "run":
            prepare_javascript()


if __name__ == "__main__":
    main()
