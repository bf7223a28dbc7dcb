"""The Dockerfile, read as text, and the wheel it would install, built for real."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def instructions(word: str) -> list[str]:
    return [
        line.removeprefix(word).strip() for line in DOCKERFILE.splitlines() if line.startswith(f"{word} ")
    ]


def test_the_image_runs_as_a_high_user_without_a_name() -> None:
    assert all(int(part) > 10_000 for part in instructions("USER")[-1].split(":"))


def test_what_is_copied_exists_and_is_sent_to_the_builder() -> None:
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {source for line in instructions("COPY") if "--from" not in line for source in line.split()[:-1]}
    assert copied == sent
    assert all((ROOT / source).exists() for source in copied)


def test_the_image_has_an_explicit_base_and_a_default_command() -> None:
    assert all(re.fullmatch(r"python:3\.11-slim( AS build)?", base) for base in instructions("FROM"))
    assert json.loads(instructions("CMD")[-1]) == ["python", "-m", "gateway"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy holding just what the builder is sent: the hook rebuilds stubs in place."""
    source = tmp_path_factory.mktemp("source")
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line.startswith("!"):
            path = ROOT / line[1:]
            if path.is_dir():
                ignore = shutil.ignore_patterns("gen", "__pycache__", "node_modules")
                shutil.copytree(path, source / line[1:], ignore=ignore)
            else:
                shutil.copy(path, source / line[1:])
    target = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index"]
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--wheel-dir", str(target), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = target.glob("*.whl")
    return built


@pytest.mark.slow
def test_the_wheel_carries_stubs_migrations_and_every_process(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "foldtable/matches/v1/match_service_pb2_grpc.py",
        "foldtable/rules/v1/rules_service_pb2_grpc.py",
        "gateway/__main__.py",
        "services/rules/__main__.py",
        "services/platform/__main__.py",
        "services/bots/__main__.py",
        "services/cli/main.py",
        "migrations/__main__.py",
        "foldtable_client/repeating.py",
    } <= names
    assert any(re.fullmatch(r"migrations/versions/\w+\.py", name) for name in names)
    assert not any(name.startswith(("tests/", "proto/", "docs/")) for name in names)


def built() -> set[str]:
    """Name the files of the front end, as the repository has them."""
    return {str(path.relative_to(ROOT)) for path in (ROOT / "gateway" / "web" / "built").iterdir()}


@pytest.mark.slow
def test_the_wheel_carries_the_front_end_and_not_what_it_is_made_of(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in names if name.startswith("gateway/web/")} == built()


@pytest.mark.slow
def test_the_source_distribution_carries_both(tmp_path: Path) -> None:
    """Built where npm has installed its packages, which stay out."""
    source = tmp_path / "source"
    ignore = shutil.ignore_patterns(
        ".git", ".venv", ".foldtable", "gen", "build", "__pycache__", "node_modules", ".*_cache"
    )
    shutil.copytree(ROOT, source, ignore=ignore)
    planted = source / "gateway" / "web" / "node_modules" / "planted" / "index.js"
    planted.parent.mkdir(parents=True)
    planted.write_text("")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert (
        built() | {"gateway/web/build.mjs", "gateway/web/package-lock.json", "gateway/web/src/main.tsx"}
        <= names
    )
    assert [name for name in names if "node_modules" in name] == []
