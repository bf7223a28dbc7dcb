"""`make prove P=audit` believes no program that says one thing and ends with another."""

from __future__ import annotations

import pytest

from tests.proofs.audit.__main__ import proved, read_row
from tests.proofs.audit.rows import Row, program

GOOD = '{"proof":"luck","what":"draws","count":5,"violations":0}\n'
BAD = '{"proof":"luck","what":"draws","count":5,"violations":2}\n'


def test_a_row_is_read() -> None:
    row = Row(proof="luck", what="draws", count=5, violations=0)
    assert read_row("x", GOOD, 0) == row


@pytest.mark.parametrize(
    ("printed", "code", "what"),
    [
        pytest.param("", 0, "ended with 0 and told nothing", id="no row"),
        pytest.param("Traceback\n", 1, "ended with 1 and told nothing", id="a crash"),
        pytest.param(GOOD, 1, "ended with 1, yet tells of 0 violations", id="good, yet 1"),
        pytest.param(BAD, 0, "ended with 0, yet tells of 2 violations", id="bad, yet 0"),
    ],
)
def test_a_program_that_contradicts_itself_has_failed(printed: str, code: int, what: str) -> None:
    assert read_row("x", printed, code) == Row(proof="x", what=what, count=0, violations=1)


def test_violations_are_believed() -> None:
    assert read_row("x", BAD, 1).violations == 2


def test_a_program_prints_its_row_and_ends_accordingly(capsys: pytest.CaptureFixture[str]) -> None:
    for violations in (0, 1):
        row = Row(proof="luck", what="draws", count=1, violations=violations)
        code = program("", lambda _short, row=row: row, ["--row"])
        assert read_row("x", capsys.readouterr().out, code) == row


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tests.proofs.audit.vectors", "tests.proofs.audit.golden"])
def test_the_programs_prove_something(name: str) -> None:
    """The two that take no time; the others are proven by tests of their own."""
    row, _ = proved(name, ())
    assert row.violations == 0
    assert row.count > 0
