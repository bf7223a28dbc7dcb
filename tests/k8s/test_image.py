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

from tests.support.fresh_environment import build_wheel

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


def installed(games: str) -> str:
    """Return what the step for games from outside would run, with `echo` instead of pip."""
    (step,) = [line for line in instructions("RUN") if "$GAMES" in line]
    script = step.replace("/opt/foldtable/bin/pip", "echo pip")
    done = subprocess.run(
        ["sh", "-c", script], env={"GAMES": games}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_games_from_outside_are_installed_beside_ours_and_after_us() -> None:
    assert instructions("ARG") == ["COMPILED=0", 'GAMES=""']
    assert installed("") == ""
    assert installed("ladders==1.0 mills==2.1") == (
        "pip install --constraint constraints.txt ladders==1.0 mills==2.1"
    )
    ours, second_stage = DOCKERFILE.index("pip wheel"), DOCKERFILE.rindex("\nFROM ")
    assert ours < DOCKERFILE.index("ARG GAMES") < DOCKERFILE.index("$GAMES") < second_stage


def test_the_readme_adds_a_game_to_an_image_as_root_and_returns_to_its_user() -> None:
    """The image's own user cannot write where packages are."""
    readme = (ROOT / "k8s" / "README.md").read_text()
    (shown,) = re.findall(r"```dockerfile\n(.*?)```", readme, flags=re.DOTALL)
    first, *steps = shown.splitlines()
    assert first.startswith("FROM registry.example/foldtable:")
    assert steps == ["USER root", "RUN pip install ladders==1.0", f"USER {instructions('USER')[-1]}"]
    assert "/opt/foldtable/bin:" in instructions("ENV")[-1], "so that this `pip` is that of the environment"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of what the builder is sent."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


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
    assert not any(name.startswith(("tests/", "proto/", "docs/", "clients/")) for name in names)


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
