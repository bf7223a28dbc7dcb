"""What a type checker knows of the Python client, and that both of its faces have the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from inspect import getattr_static, iscoroutinefunction, signature
from pathlib import Path
from typing import get_type_hints

import pytest

import foldtable_client
from foldtable_client import AsyncClient, Client, tables, types
from foldtable_client.client import Players
from foldtable_client.games import al_rashid, river_dragons, river_of_gold
from foldtable_client.players import AsyncPlayers
from tests.support.documents import ROOT

OF_ONE = {"aclose": "close"}
"""What each calls in its own way."""
ONLY_BLOCKING = {"until"}


def public(of: type) -> dict[str, object]:
    return {name: getattr_static(of, name) for name in dir(of) if not name.startswith("_")}


@pytest.mark.parametrize(("blocking", "declared"), [(Client, AsyncClient), (Players, AsyncPlayers)])
def test_both_faces_have_the_same_methods_with_the_same_parameters(blocking: type, declared: type) -> None:
    ours, theirs = public(blocking), public(declared)
    assert set(ours) - ONLY_BLOCKING == {OF_ONE.get(name, name) for name in theirs}
    for name, method in theirs.items():
        if isinstance(method, property) or name in OF_ONE:
            continue
        twin = ours[name]
        assert callable(method)
        assert callable(twin)
        assert not iscoroutinefunction(twin)
        if name != "play":  # its callback is of another kind
            assert signature(twin) == signature(method), name
            assert twin.__doc__ == method.__doc__
        assert list(signature(twin).parameters) == list(signature(method).parameters), name


def test_what_iterates_is_a_generator_that_can_be_closed() -> None:
    client = Client("http://table.test")
    following = client.follow("m")
    assert isinstance(following, Generator)
    assert isinstance(AsyncClient("http://table.test").follow("m"), AsyncGenerator)
    following.close()
    client.close()


@pytest.mark.parametrize("module", [types, tables, al_rashid, river_dragons, river_of_gold])
def test_every_type_can_be_evaluated(module: object) -> None:
    """As programs do that validate JSON by types."""
    typed = [one for one in vars(module).values() if hasattr(one, "__total__")]
    assert len(typed) > 5
    for one in typed:
        get_type_hints(one)


@pytest.mark.slow
def test_a_strict_type_checker_knows_what_is_what(tmp_path: Path) -> None:
    """A line that it would have to refuse, and does not, is an unused `ignore`."""
    program = Path(__file__).with_name("typed_program.py")
    checked = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--config-file",
            os.devnull,
            "--cache-dir",
            tmp_path,
            program,
        ],
        env={**os.environ, "MYPYPATH": str(ROOT / "clients" / "python" / "src")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.stdout.startswith("Success"), checked.stdout


def test_what_is_exported_is_there() -> None:
    assert [name for name in foldtable_client.__all__ if not hasattr(foldtable_client, name)] == []
