"""What we depend on is pinned and licensed as we may use it, and a check that could not be made is not said to be one."""

from __future__ import annotations

import shutil
import tomllib
from importlib.metadata import distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.proofs.dependencies import licences, pins
from tests.proofs.dependencies.advisories import read_npm_audit, read_pip_audit
from tests.support.research import WHY_NOT

needs_research = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
MSGSPEC = f"msgspec=={version('msgspec')}"


def test_every_version_is_pinned_and_what_is_installed_is_what_is_pinned() -> None:
    assert pins.problems() == []


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what pins versions."""
    for name in ("constraints.txt", "pyproject.toml", *pins.NPM_LOCKS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(pins.ROOT / name, tmp_path / name)
        if name in pins.NPM_LOCKS:
            shutil.copy((pins.ROOT / name).with_name("package.json"), (tmp_path / name).parent)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        pytest.param(
            "constraints.txt", "msgspec==", "msgspec>=", "this line pins no version", id="a bound for a pin"
        ),
        pytest.param("constraints.txt", f"{MSGSPEC}\n", "", "does not pin it", id="no pin"),
        pytest.param(
            "constraints.txt",
            MSGSPEC,
            "msgspec==0.1.0",
            "pins 0.1.0",
            id="a pin below what is needed",
        ),
        pytest.param(
            pins.NPM_LOCKS[0], "sha512-", "sha1-", "has no SHA-512", id="an npm package without its checksum"
        ),
    ],
)
def test_what_is_not_pinned_is_named(checkout: Path, file: str, old: str, new: str, said: str) -> None:
    path = checkout / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    assert any(said in problem for problem in pins.problems(checkout))


def test_a_version_that_is_installed_and_not_pinned_is_named(checkout: Path) -> None:
    path = checkout / "constraints.txt"
    path.write_text(path.read_text().replace(MSGSPEC, "msgspec==0.99.0"))
    assert any(f"msgspec {version('msgspec')} is installed" in problem for problem in pins.problems(checkout))


@pytest.mark.slow  # not because it takes long: `make test-fast` works without some of it
def test_everything_the_tests_need_is_installed_so_that_none_is_left_out() -> None:
    extras = tomllib.loads((pins.ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wanted = [Requirement(line).name for extra in ("dev", "research") for line in extras[extra]]
    assert [name for name in wanted if not list(distributions(name=name))] == []


@needs_research
def test_every_licence_is_one_we_may_use() -> None:
    foreign = [one for one in licences.packages() if not licences.is_allowed(one.expression)]
    assert foreign == []


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("BSD-3-Clause AND 0BSD AND MIT", True),
        ("", False),
    ],
)
def test_of_alternatives_one_is_enough_of_a_sum_all_are_needed(expression: str, allowed: bool) -> None:
    assert licences.is_allowed(expression) is allowed


@needs_research
def test_the_page_of_licences_is_the_one_that_is_made() -> None:
    """`make docs` writes it."""
    assert licences.PAGE.read_text() == licences.page()


def test_what_no_advisory_source_knows_is_not_said_to_be_checked() -> None:
    unknown = {"name": "msgspec", "skip_reason": "Dependency not found on PyPI and could not be audited"}
    hole = {"name": "jinja2", "version": "2.10", "vulns": [{"id": "PYSEC-2019-217"}]}
    assert "NOT CHECKED" in str(read_pip_audit("pip", {"dependencies": [unknown]}))
    some = read_pip_audit("pip", {"dependencies": [unknown, hole]})
    assert (some.checked, some.unknown, some.holes) == (1, 1, ("jinja2 2.10: PYSEC-2019-217",))
    assert "NOT CHECKED" in str(read_npm_audit("npm", {"statusCode": 405}))
