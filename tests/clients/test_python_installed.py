"""The Python client as a file to install: in an environment of its own it plays, by both its faces, and brings its types."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.support.built_clients import PYTHON, TYPESCRIPT, build_python
from tests.support.documents import ROOT
from tests.support.fresh_environment import Environment, empty_environment
from tests.support.running_system import System

PLAYED = """
import asyncio
import os
import random

from foldtable_client import AsyncClient, Client, RefusedByTheRules

url, key = os.environ["SYSTEM"], os.environ["KEY"]


def any_action(legal):
    return random.choice(legal["actions"] or legal["samples"])


with Client(url, key) as client:
    match = client.create_match(game="al_rashid", seats=2)["match"]["match_id"]
    for _ in range(3):
        told = client.match(match)
        legal = client.legal_actions(match, seat=told["to_act"][0], samples=1)
        client.move(match, any_action(legal), version=legal["version"], seat=legal["seat"])


async def go_on():
    async with AsyncClient(url, key) as client:
        for _ in range(3):
            told = await client.match(match)
            legal = await client.legal_actions(match, seat=told["to_act"][0], samples=1)
            await client.move(match, any_action(legal), version=legal["version"], seat=legal["seat"])
        try:
            seat = (await client.match(match))["to_act"][0]
            await client.move(match, {"type": "end_turn"}, version=7, seat=seat)
        except RefusedByTheRules as refused:
            print("refused", bool(refused.rule))
        return (await client.table(match))["version"]


print(asyncio.run(go_on()))
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution and the wheel that `make clients` builds."""
    return build_python(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel, and with the libraries that it asks for."""
    wheel = built[1]
    environment = empty_environment(tmp_path_factory.mktemp("installed"), libraries=["httpx"])
    environment.install(wheel)
    return environment


def test_the_wheel_plays_against_a_system(installed: Environment, system: System) -> None:
    told = installed.printed("python", "-c", PLAYED, SYSTEM=system.address, KEY=system.key)
    *refused, version = told.splitlines()
    assert version == "7"
    assert refused in ([], ["refused True"])


def test_the_wheel_asks_for_what_it_imports_and_brings_its_types(built: tuple[Path, Path]) -> None:
    project = tomllib.loads((PYTHON / "pyproject.toml").read_text())["project"]
    assert [re.match(r"\w+", one)[0] for one in project["dependencies"]] == ["httpx"]  # type: ignore[index]
    source, wheel = built
    version = project["version"]
    assert (source.name, wheel.name) == (
        f"foldtable_client-{version}.tar.gz",
        f"foldtable_client-{version}-py3-none-any.whl",
    )


def test_what_is_installed_is_typed_and_licensed(installed: Environment) -> None:
    (package,) = installed.folder.glob("lib/python*/site-packages/foldtable_client")
    assert (package / "py.typed").exists()
    assert (package / "games" / "river_dragons.py").exists()
    (licence,) = package.parent.glob("foldtable_client-*.dist-info/licenses/LICENSE")
    assert licence.read_text() == (ROOT / "LICENSE").read_text()


def test_the_versions_of_the_clients_are_the_server_s() -> None:
    package = (TYPESCRIPT / "package.json").read_text()
    versions = {
        tomllib.loads((PYTHON / "pyproject.toml").read_text())["project"]["version"],
        re.search(r'"version": "(.+)"', package)[1],  # type: ignore[index]
    }
    assert versions == {distribution("foldtable").version}
