"""Does anybody know of a hole in a version we use? Asks the package indexes' own sources of advisories.

Not every index has one. What could not be asked is never counted as checked: pip-audit, for one, says «no known
vulnerabilities» also of packages its source has never heard of.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.proofs.dependencies.pins import NPM_LOCKS, ROOT

ENVIRONMENT: Final = ROOT / "build" / "audit"
SECONDS: Final = 600


class SourceReport(NamedTuple):
    """What a source of advisories said."""

    source: str
    checked: int
    """Packages it knew."""
    unknown: int
    """Packages it could say nothing about."""
    holes: tuple[str, ...]
    trouble: str = ""
    """Why it could not be asked at all; empty: it answered."""

    def __str__(self) -> str:
        if self.trouble:
            return f"{self.source}: NOT CHECKED, {self.trouble}"
        if not self.checked:
            return f"{self.source}: NOT CHECKED, it knows none of the {self.unknown} packages"
        return f"{self.source}: {self.checked} checked, {self.unknown} unknown to it, {len(self.holes)} holes"


def python_packages(pins: Path = ROOT / "constraints.txt") -> SourceReport:
    """Ask about everything that a file pins; installs pip-audit into build/audit."""
    source = "advisories for Python packages (pip-audit)"
    try:
        audit = _pip_audit()
        asked = (audit, "--requirement", str(pins), "--no-deps", "--disable-pip", "--format", "json")
        answer = json.loads(_run(*asked))
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        return SourceReport(source, 0, 0, (), _words(problem))
    return read_pip_audit(source, answer)


def read_pip_audit(source: str, answer: dict[str, Any]) -> SourceReport:
    """Read what pip-audit prints as JSON."""
    known = [one for one in answer["dependencies"] if "skip_reason" not in one]
    holes = [f"{one['name']} {one['version']}: {hole['id']}" for one in known for hole in one["vulns"]]
    return SourceReport(source, len(known), len(answer["dependencies"]) - len(known), tuple(holes))


def npm_packages(lock: str) -> SourceReport:
    """Ask about a lock of npm's."""
    source = f"advisories for npm packages ({lock})"
    npm = shutil.which("npm")
    if npm is None:
        return SourceReport(source, 0, 0, (), "npm is not installed")
    try:
        answer = json.loads(
            _run(npm, "audit", "--package-lock-only", "--audit", "--json", folder=(ROOT / lock).parent)
        )
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        return SourceReport(source, 0, 0, (), _words(problem))
    return read_npm_audit(source, answer)


def read_npm_audit(source: str, answer: dict[str, Any]) -> SourceReport:
    """Read what `npm audit --json` prints."""
    if "metadata" not in answer:
        return SourceReport(
            source,
            0,
            0,
            (),
            f"the registry does not answer such questions ({answer.get('statusCode', 'no status')})",
        )
    holes = tuple(f"{name}: {hole['severity']}" for name, hole in answer["vulnerabilities"].items())
    return SourceReport(source, answer["metadata"]["dependencies"]["total"], 0, holes)


def ask() -> list[SourceReport]:
    """Ask every source there is."""
    return [python_packages(), *(npm_packages(lock) for lock in NPM_LOCKS)]


def _pip_audit() -> str:
    found = ENVIRONMENT / "bin" / "pip-audit"
    if not found.exists():
        _run(sys.executable, "-m", "venv", str(ENVIRONMENT))
        _run(
            str(ENVIRONMENT / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", "pip-audit"
        )
    return str(found)


def _run(*command: str, folder: Path = ROOT) -> str:
    """Return what a tool printed; 1 is how auditors say that they found something."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS)
    if done.returncode not in {0, 1} or not (done.stdout or done.returncode == 0):
        raise OSError(f"{Path(command[0]).name} ended with {done.returncode}")
    return done.stdout


def _words(problem: Exception) -> str:
    return str(problem).splitlines()[0][:120]
