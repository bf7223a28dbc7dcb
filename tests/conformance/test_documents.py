"""The JavaScript of docs/clients.md runs as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.documents import ROOT, Block, blocks
from tests.support.node import MODULES, run
from tests.support.several_of_each import Several

PROGRAMS = [block for block in blocks(ROOT / "docs" / "clients.md") if block.language == "js"]


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_a_program_of_the_documentation_runs(stack: Several, tmp_path: Path, program: Block) -> None:
    (tmp_path / "node_modules").symlink_to(MODULES)
    text = program.content.replace("http://127.0.0.1:8080", stack.urls[0])
    (tmp_path / "program.mjs").write_text(text.replace("127.0.0.1:7100", stack.rules_addresses[0]))
    assert run("node", "program.mjs", folder=tmp_path, FOLDTABLE_KEY=stack.key)
