"""docs/add-a-game.md, followed to the letter: every command, every patch, and what is printed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.documents import ROOT, Block, agrees, blocks
from tests.support.fresh_environment import SECONDS, Environment, fresh_environment

PAGE: Final = ROOT / "docs" / "add-a-game.md"
OFFLINE: Final = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}
"""pip asks no index: what it would fetch is there. The name is pip's own; 0 means that builds are not isolated."""


class Reader:
    """Somebody who types what the page says, one block after another, in one shell."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._folder = environment.work

    def run(self, block: Block) -> subprocess.CompletedProcess[str]:
        """Run a block where the one before it has ended."""
        where = self._environment.work / "where"
        done = subprocess.run(
            ["sh", "-euc", f"{block.content}\npwd > '{where}'"],
            cwd=self._folder,
            env={**self._environment.variables, **OFFLINE, "PATH": self._path},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        if done.returncode == 0:
            self._folder = Path(where.read_text().strip())
        return done

    def patch(self, block: Block) -> None:
        """Apply a patch in the folder of the game."""
        game = self._environment.work / "ladders"
        applied = subprocess.run(
            ["git", "apply", "--verbose", "-"],
            cwd=game,
            input=block.content,
            capture_output=True,
            text=True,
            check=False,
        )
        assert applied.returncode == 0, f"{block}: {applied.stderr}"

    @property
    def _path(self) -> str:
        return f"{self._environment.python.parent}:{self._environment.variables['PATH']}"


@pytest.mark.slow
def test_the_page_leads_to_a_changed_game(wheel: Path, tmp_path: Path) -> None:
    environment = fresh_environment(tmp_path)
    environment.install(wheel)
    reader, printed = Reader(environment), ""
    for block in map(made_before, blocks(PAGE)):
        if block.is_run:
            done = reader.run(block)
            printed = done.stdout + done.stderr
            assert done.returncode == (block.mark == "fails"), (
                f"{block} ended with {done.returncode}:\n{printed}"
            )
        elif block.mark == "patch":
            reader.patch(block)
        elif block.mark == "output":
            assert agrees(block.content, printed), f"{block}: printed was\n{printed}"


def made_before(block: Block) -> Block:
    """Return a block without the line that makes an environment: it is there, with a wheel of this checkout in it."""
    lines = [line for line in block.content.splitlines(keepends=True) if "-m venv" not in line]
    return Block(block.document, block.line, block.language, block.mark, "".join(lines))
