"""The front end is built again from its sources: byte for byte what is committed; and its types fit the API's."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from gateway.http.pages.front_end import BUILT
from tests.support.several_of_each import Several
from tests.support.web_sources import CLIENT, ROOT, WEB

pytestmark = pytest.mark.skipif(
    not (WEB / "node_modules" / "esbuild").is_dir(),
    reason="needs the npm packages of gateway/web: make conformance installs them",
)
IN_THE_CHECKOUT = shutil.ignore_patterns("schema.ts", "node_modules", "built", "dist")
"""What a developer may have made there; each checkout has its own."""

BUNDLED = "preact"
"""The package that gets into the files. esbuild names modules by their places, which links would lead out of the copy."""


def run(*command: str, folder: Path, **environment: str) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"


def read(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """The front end and the client that it is built with, in a clean copy at another place."""
    web = tmp_path / WEB.relative_to(ROOT)
    shutil.copytree(WEB, web, ignore=IN_THE_CHECKOUT)
    client = CLIENT.parent  # what its package.json and tsconfig.json say decides about the bytes, too
    shutil.copytree(client, tmp_path / client.relative_to(ROOT), ignore=IN_THE_CHECKOUT)
    modules = web / "node_modules"
    shutil.copytree(WEB / "node_modules" / BUNDLED, modules / BUNDLED)
    for package in (WEB / "node_modules").iterdir():
        if package.name != BUNDLED:
            (modules / package.name).symlink_to(package)
    return web


def test_the_same_sources_give_the_same_bytes_wherever_they_are(elsewhere: Path) -> None:
    run("node", "build.mjs", folder=elsewhere)
    again, committed = read(elsewhere / "built"), read(BUILT)
    assert again.keys() == committed.keys(), "make web"
    assert [name for name, contents in again.items() if contents != committed[name]] == [], "make web"


def test_the_types_fit_those_of_a_running_server(elsewhere: Path, stack: Several) -> None:
    document = elsewhere / "openapi.json"
    with stack.client(None) as client:
        document.write_bytes(client.get("/openapi.json").content)
    run("npm", "run", "--silent", "schema", folder=elsewhere, FOLDTABLE_OPENAPI=str(document))
    run("npm", "run", "--silent", "check", folder=elsewhere)
