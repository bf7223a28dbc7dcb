"""Every command of README and docs is typed here, literally, against a real system, and prints what the document says.

That system listens at other ports than the usual ones; a document that names a port does not work when it is taken.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.support.documents import MARKS, ROOT, RUN, Block, agrees, blocks, documents
from tests.support.running_system import System
from tests.support.shell import paste

ADDRESS, GRPC_ADDRESS = "127.0.0.1:8080", "127.0.0.1:7100"
"""As the greeting in the README has them; the system of the tests listens elsewhere."""
SEVERAL_TIMES = (
    "docs/run/accounts.md",
    "docs/build/embed-the-rules.md",
    "docs/play/history.md",
    "docs/play/lobby.md",
    "docs/play/players.md",
    "docs/play/quickstart.md",
    "docs/build/command-line.md",
)
"""Documents that keep something between one reading and the next; they are followed twice."""
ELSEWHERE = ROOT / "docs" / "add-a-game.md"
"""It makes an environment of its own, without this repository: tests/outside/test_page.py follows it."""
SEPARATOR = "=== block"
PROGRAMS = {"python": ("python", "py"), "js": ("node", "mjs")}
"""What runs a block that is no command, and how its file ends."""


def by_name(document: Path) -> str:
    return str(document.relative_to(ROOT))


def at(system: System, text: str) -> str:
    """Put the addresses of this system into a text."""
    grpc_address = system.part("rules")["address"]
    return text.replace(ADDRESS, system.address.removeprefix("http://")).replace(GRPC_ADDRESS, grpc_address)


def script_of(run: list[Block], folder: Path) -> str:
    """Return one script for all blocks of a document, with a line before each so that their outputs can be told apart."""
    lines = []
    for number, block in enumerate(run):
        lines.append(f"printf '\\n{SEPARATOR} {number}\\n'")
        if block.language in PROGRAMS:
            interpreter, ending = PROGRAMS[block.language]
            program = folder / f"block_{number}.{ending}"
            program.write_text(block.content)
            lines.append(f"{interpreter} '{program}'")
        else:
            lines.append(block.content)
    return "\n".join(lines)


def outputs_of(printed: str) -> list[str]:
    return re.split(rf"^{SEPARATOR} \d+\n", printed, flags=re.MULTILINE)[1:]


@pytest.fixture
def checkout(system: System, tmp_path: Path) -> Path:
    """The folder that `make run` was started in, as far as documents see it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / ".foldtable").symlink_to(system.home)
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


@pytest.mark.slow
@pytest.mark.timeout(600)  # starts a system, and plays whole matches of all games, also on a busy machine
@pytest.mark.parametrize(
    "document",
    [path for path in documents() if path != ELSEWHERE and any(b.is_run for b in blocks(path))],
    ids=by_name,
)
def test_every_command_of_a_document_works_and_prints_what_it_says(
    checkout: Path, tmp_path: Path, document: Path
) -> None:
    found = blocks(document)
    run = [block for block in found if block.is_run]
    if shutil.which("node") is None and any(block.language == "js" for block in run):
        pytest.skip("needs node")
    before = set(checkout.iterdir())
    for _ in range(2 if by_name(document) in SEVERAL_TIMES else 1):
        done = paste(script_of(run, tmp_path), folder=checkout, tools=tmp_path / "tools")
        printed = outputs_of(done.stdout)
        assert done.returncode == 0, (
            f"{run[len(printed) - 1]} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        )
        for position, block in enumerate(found):
            if block.mark == "output":
                earlier = [each for each in found[:position] if each.is_run]
                assert agrees(block.content, printed[len(earlier) - 1]), (
                    f"{block}: printed was\n{printed[len(earlier) - 1]}"
                )
    assert set(checkout.iterdir()) == before, "it writes into the checkout, where `make check` would judge it"


def test_no_document_names_the_place_of_a_system_that_may_listen_elsewhere() -> None:
    """But the greeting, which says what is printed."""
    named = [
        str(block)
        for path in documents()
        for block in blocks(path)
        if (ADDRESS in block.content or GRPC_ADDRESS in block.content) and block.mark != "greeting"
    ]
    assert named == []


def test_the_readme_names_the_commands_that_run_and_test_everything() -> None:
    """In its first block of commands, each alone on a line, as CI and newcomers type them."""
    first = next(block for block in blocks(ROOT / "README.md") if block.language == "sh")
    assert [line.partition("#")[0].strip() for line in first.content.splitlines()] == [
        "make run",
        "make demo",
        "make test",
    ]


@pytest.mark.slow
def test_the_first_screen_is_what_up_prints(system: System) -> None:
    (greeting,) = [block for block in blocks(ROOT / "README.md") if block.mark == "greeting"]
    assert agrees(at(system, greeting.content), system.output)


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


def test_how_often_a_stream_was_kept_alive_does_not_matter() -> None:
    assert agrees("retry: 3000\n\nid: 2", "retry: 3000\n: ping\n\nid: 2")
    assert not agrees("retry: 3000\n\nid: 2", "retry: 3000\n\nevent: ping\n\nid: 2")
