"""Every command of README and docs is typed here, against a real house, and prints what the document says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.support.documents import MARKS, ROOT, RUN, Block, agrees, blocks, documents
from tests.support.running_house import House
from tests.support.shell import paste

ADDRESS, GRPC_ADDRESS = "127.0.0.1:8080", "127.0.0.1:7100"
"""As the documents have them; the house of the tests listens elsewhere."""
SEPARATOR = "=== block"
PROGRAMS = {"python": ("python", "py"), "js": ("node", "mjs")}
"""What runs a block that is no command, and how its file ends."""


def by_name(document: Path) -> str:
    return str(document.relative_to(ROOT))


def at(house: House, text: str) -> str:
    """Put the addresses of this house into a text."""
    grpc_address = house.part("rules")["address"]
    return text.replace(ADDRESS, house.address.removeprefix("http://")).replace(GRPC_ADDRESS, grpc_address)


def script_of(house: House, run: list[Block], folder: Path) -> str:
    """Give one script for all blocks of a document, with a line before each so that their outputs can be told apart."""
    lines = []
    for number, block in enumerate(run):
        lines.append(f"printf '\\n{SEPARATOR} {number}\\n'")
        if block.language in PROGRAMS:
            interpreter, ending = PROGRAMS[block.language]
            program = folder / f"block_{number}.{ending}"
            program.write_text(at(house, block.content))
            lines.append(f"{interpreter} {program.name}")
        else:
            lines.append(at(house, block.content))
    return "\n".join(lines)


def outputs_of(printed: str) -> list[str]:
    return re.split(rf"^{SEPARATOR} \d+\n", printed, flags=re.MULTILINE)[1:]


@pytest.mark.slow
@pytest.mark.parametrize(
    "document", [path for path in documents() if any(b.is_run for b in blocks(path))], ids=by_name
)
def test_every_command_of_a_document_works_and_prints_what_it_says(
    house: House, tmp_path: Path, document: Path
) -> None:
    (tmp_path / ".foldtable").symlink_to(house.home)
    found = blocks(document)
    run = [block for block in found if block.is_run]
    if shutil.which("node") is None and any(block.language == "js" for block in run):
        pytest.skip("needs node")
    done = paste(script_of(house, run, tmp_path), folder=tmp_path)
    printed = outputs_of(done.stdout)
    assert done.returncode == 0, (
        f"{run[len(printed) - 1]} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    )
    for position, block in enumerate(found):
        if block.mark == "output":
            before = [earlier for earlier in found[:position] if earlier.is_run]
            assert agrees(at(house, block.content), printed[len(before) - 1]), (
                f"{block}: printed was\n{printed[len(before) - 1]}"
            )


@pytest.mark.slow
def test_the_first_screen_is_what_up_prints(house: House) -> None:
    (greeting,) = [block for block in blocks(ROOT / "README.md") if block.mark == "greeting"]
    assert agrees(at(house, greeting.content), house.output)


def test_every_block_is_run_compared_or_marked_as_an_illustration() -> None:
    unclear = [str(b) for path in documents() for b in blocks(path) if not b.mark and b.language not in RUN]
    unknown = [str(b) for path in documents() for b in blocks(path) if b.mark not in MARKS | {""}]
    assert unclear + unknown == []


def test_every_fence_was_understood() -> None:
    for path in documents():
        fences = len(re.findall(r"^```", path.read_text(), re.MULTILINE))
        assert fences == 2 * len(blocks(path)), path


def test_an_output_that_is_not_printed_is_noticed() -> None:
    assert agrees('{"a": …, "c": 3}', '{"a":1,"b":2,"c":3}')
    assert not agrees('{"a": …, "c": 4}', '{"a":1,"b":2,"c":3}')
