"""Tests keep to themselves: what tests/support/hermetic.py promises, tried with tests that break it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli import console
from tests.support.hermetic import HOME, NOBODY, OF_TERMINALS, PROGRAM, cleaned, is_ours

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
    from tests.support.hermetic import clean_environment, set_up_guard

    clean_environment()

    def pytest_configure(config):
        config.addinivalue_line("markers", "slow: starts programs")
        set_up_guard(config.pluginmanager)
"""
MIGRATION = "[sys.executable, '-m', 'migrations', '--help']"


def outcomes(folder: Path, tests: str, **environment: str) -> str:
    """Run tests in a process of their own, in a checkout's folder; return what pytest says of them."""
    for name, text in (("conftest.py", CONFTEST), ("test_it.py", tests)):
        (folder / name).write_text("\n".join(line[4:] for line in text.splitlines()))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rA",
            "-p",
            "no:cacheprovider",
            "-c",
            os.devnull,
            f"--rootdir={folder}",
            folder,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_what_make_says_to_the_tests_reaches_them() -> None:
    """Otherwise the long form of a proof is the short one, and passes."""
    said = set(re.findall(r"^\t.*?\b(FOLDTABLE_[A-Z_]+)=", (ROOT / "Makefile").read_text(), re.MULTILINE))
    read = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"environ\.get\(\"(FOLDTABLE_[A-Z_]+)\"", path.read_text())
    }
    assert len(said) >= 4
    assert len(read) >= 6
    assert cleaned(dict.fromkeys(said | read, "1")).keys() >= said | read


def test_the_long_form_of_the_browser_proof_can_be_collected() -> None:
    """Nothing else does, before somebody runs it."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "tests/conformance/web"]
    environment = {**os.environ, "FOLDTABLE_BROWSER_LONG": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "al_rashid-touch" in done.stdout


def test_nothing_of_a_system_that_runs_elsewhere_reaches_tests(tmp_path: Path) -> None:
    said = outcomes(
        tmp_path,
        """
    import os
    from services.cli.console import OUT

    def test_it():
        assert [name for name in os.environ if name.startswith("FOLDTABLE_")] == ["FOLDTABLE_HOME"]
        assert not os.path.exists(os.environ["FOLDTABLE_HOME"])
        assert OUT.color_system is None
        assert OUT.width == 80
        """,
        FOLDTABLE_KEY="ft_dev_x",
        FOLDTABLE_URL="http://127.0.0.1:8080",
        FOLDTABLE_DATABASE_URL="postgresql://elsewhere",
        FORCE_COLOR="1",
        COLORTERM="truecolor",
        TERM="xterm-256color",
        COLUMNS="200",
    )
    assert "1 passed" in said, said


@pytest.mark.parametrize("tests", [
    pytest.param("open(HOME / 'running.json')", id="reads it"),
    pytest.param("(HOME / 'here').mkdir(parents=True)", id="writes it"),
    pytest.param("os.chdir(HOME.parent); Home(Path('.foldtable')).running()", id="by the usual name"),
])  # fmt: skip
def test_a_test_that_touches_the_checkout_s_own_system_fails(tmp_path: Path, tests: str) -> None:
    said = outcomes(
        tmp_path,
        f"""
    import os
    from pathlib import Path
    from services.cli.up.home import Home
    from tests.support.hermetic import HOME

    def test_it():
        {tests}
        """,
    )
    assert "1 failed" in said, said
    assert "must not touch the system of the checkout" in said
    assert not (HOME / "here").exists()


def test_a_test_may_remove_a_folder_that_holds_a_system(tmp_path: Path) -> None:
    said = outcomes(
        tmp_path,
        """
    import os
    import shutil
    from tests.support.hermetic import HOME

    def test_it(tmp_path):
        os.chdir(HOME.parent)
        (tmp_path / ".foldtable" / "log").mkdir(parents=True)
        shutil.rmtree(tmp_path)
        """,
    )
    assert "1 passed" in said, said


def test_only_a_slow_test_starts_a_program_of_ours(tmp_path: Path) -> None:
    said = outcomes(
        tmp_path,
        f"""
    import asyncio, subprocess, sys
    import pytest

    @pytest.mark.slow
    def test_slow():
        subprocess.run({MIGRATION}, check=False)

    def test_quick():
        subprocess.run({MIGRATION}, check=False)

    async def start():
        await asyncio.create_subprocess_exec(*{MIGRATION})

    def test_asyncio():
        asyncio.run(start())

    def test_another_program():
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        """,
    )
    assert {
        line.split()[1].rpartition("::")[2] for line in said.splitlines() if line.startswith("FAILED")
    } == {
        "test_quick",
        "test_asyncio",
    }, said
    assert "2 failed, 2 passed" in said, said


@pytest.mark.parametrize("first", ["slow", "quick"])
def test_a_fixture_that_starts_one_makes_its_tests_slow(tmp_path: Path, first: str) -> None:
    """Whichever test comes first: in the whole suite a slow one may have made it start."""
    tests = {
        "slow": "@pytest.mark.slow\n    def test_slow(server): pass",
        "quick": "def test_quick(server): pass",
    }
    order = [tests.pop(first), *tests.values()]
    said = outcomes(
        tmp_path,
        f"""
    import subprocess, sys
    import pytest

    @pytest.fixture(scope="session")
    def started():
        subprocess.run({MIGRATION}, check=False)

    @pytest.fixture
    def server(started): pass

    {order[0]}

    {order[1]}

    def test_neither(): pass
        """,
    )
    ends = {name: end for end, name in re.findall(r"^(PASSED|FAILED|ERROR) \S*::(\w+)", said, re.MULTILINE)}
    assert "mark it slow" in said
    assert (ends["test_quick"], ends["test_neither"]) == ("ERROR", "PASSED"), said
    assert ends["test_slow"] == ("PASSED" if first == "slow" else "ERROR"), "the fixture has failed"


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ([PROGRAM, "up"], True),
        (["sh", "-c", 'exec "$@"', "/dev/pts/0", str(PROGRAM), "replay"], True),
        ([sys.executable, "-m", "gateway"], True),
        ([sys.executable, "-m", "services.cli.up.tether", "services.rules"], True),
        ([sys.executable, "-m", "pip", "list"], False),
        ([sys.executable, "-c", "import gateway"], False),
        (["git", "clone", "https://host.example/foldtable"], False),
        ("true", False),
    ],
)
def test_our_own_programs_are_told_from_others(command: list[str], ours: bool) -> None:
    assert is_ours(command) is ours


def test_these_tests_are_run_so() -> None:
    assert cleaned(os.environ) == dict(os.environ)
    assert os.environ["FOLDTABLE_HOME"] == str(NOBODY)
    assert not OF_TERMINALS & set(os.environ)
    assert not console.OUT.is_terminal


def test_only_one_place_opens_a_tenant_that_tests_share() -> None:
    """A test that left it open would break those after it that ask without a credential."""
    opens = re.compile(r"anonymous_read\W+True\b")
    found = [path.name for path in (ROOT / "tests/gateway").rglob("*.py") if opens.search(path.read_text())]
    assert found == ["table.py"]
