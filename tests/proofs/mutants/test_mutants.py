"""The tool tells what tests notice from what they do not, tried with a planted package; and equivalent.toml is of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.mutants import report
from tests.proofs.mutants.areas import AREAS, ROOT, Area, modules_of_tests, named, sources_of
from tests.proofs.mutants.coverage_map import CoverageMap
from tests.proofs.mutants.equivalent import equivalent, stale
from tests.proofs.mutants.ledger import Entry, Fate, Ledger
from tests.proofs.mutants.mutants import Mutation, mutants_of, mutation
from tests.proofs.mutants.operators import OPERATORS, OmitCall, OppositeMembership
from tests.proofs.mutants.sampling import drawn, every_place, on_lines
from tests.proofs.mutants.trying import Trial

PLANTED = '''"""Counts."""
import subprocess
import sys
from typing import Final

LEAST: Final = [3]


def is_enough(number: int | None) -> bool:
    return number is not None and number >= LEAST[0]


def is_even(number: int) -> bool:
    return number % 2 == 0


def down(number: int) -> int:
    while number > 0:
        number -= 1
    return number


def unused(number: int) -> int:
    return number + 1


def ask(number: int) -> str:
    program = f"from planted_counts import shout; shout({number})"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def shout(number: int) -> None:
    print(number * 2)
'''
THE_TESTS = """
import pytest
from planted_counts import ask, down, is_enough, is_even


@pytest.mark.parametrize("number", [2, 3, 4])
def test_enough(number):
    assert is_enough(number) is (number >= 3)


def test_nothing_is_not_enough():
    assert not is_enough(None)


def test_even():
    is_even(2)


def test_down():
    assert down(3) == 0


@pytest.fixture(scope="module")
def asked():
    return ask(4)


def test_it_says_twice_as_much(asked):
    assert asked == "8\\n"
"""
AREA = Area("planted", ("planted_counts.py",), ("test_planted.py",))


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A package of one module, and its tests."""
    root = tmp_path / "planted"
    root.mkdir()
    (root / "planted_counts.py").write_text(PLANTED)
    (root / "test_planted.py").write_text(THE_TESTS)
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '--import-mode=importlib'\n")
    return root


def trial(planted: Path, ledger: Ledger) -> Trial:
    """Tries mutants where the sources are: nobody else needs them."""
    coverage_map = CoverageMap(planted.parent / "map", planted, product=["."])
    return Trial(planted, coverage_map, ledger, [planted])


def mutations(planted: Path, *, operator: str = "") -> list[Mutation]:
    every = every_place([AREA], planted, planted.parent / "places", lambda: None)
    sample, _ = drawn([one for one in every if operator in one.operator], None, "1", planted, {})
    return sample


def fates(entries: list[Entry]) -> dict[str, Fate]:
    return {entry.name.partition("::")[2]: entry.fate for entry in entries}


@pytest.mark.slow
def test_what_a_test_notices_is_killed_and_what_none_notices_survives(planted: Path) -> None:
    ledger = Ledger(planted.parent / "ledger.jsonl", "today")
    trying = trial(planted, ledger)
    assert trying.outdated(AREA) == ["test_planted.py"]
    trying.record(trying.outdated(AREA), lambda: None)
    assert trial(planted, ledger).outdated(AREA) == []
    wanted = {
        "is_enough: return number is not None and number >= LEAST[0] → return number is not None and number > LEAST[0]": Fate.KILLED,
        "is_enough: return number is not None and number >= LEAST[0] → return number is not None or number >= LEAST[0]": Fate.KILLED,
        "module: LEAST: Final = [3] → LEAST: Final = [ 4]": Fate.KILLED,
        "is_even: return number % 2 == 0 → return number % 2 != 0": Fate.SURVIVED,
        "unused: return number + 1 → return number - 1": Fate.UNCOVERED,
        "shout: print(number * 2) → print(number // 2)": Fate.KILLED,
    }
    sample = [one for one in mutations(planted) if one.name.partition("::")[2] in wanted]
    trying.attempt(AREA, trying.unfinished(sample), lambda: None)
    entries = ledger.entries(one.mutant.id for one in sample)
    assert fates(entries) == wanted
    assert (planted / "planted_counts.py").read_text() == PLANTED
    assert trial(planted, Ledger(planted.parent / "ledger.jsonl", "today")).unfinished(sample) == []
    others = trial(planted, Ledger(planted.parent / "ledger.jsonl", "tomorrow")).unfinished(sample)
    assert {one.mutant.line for one in others} == {14, 24}, "other tests may notice what survived"
    assert report.share(entries) == 4 / 6
    assert [line.split(" ")[0] for line in report.survivors(entries)] == [
        "planted_counts.py:14",
        "planted_counts.py:24",
    ]


@pytest.mark.slow
def test_the_map_says_who_runs_a_line_also_in_a_program_that_a_fixture_starts(planted: Path) -> None:
    trying = trial(planted, Ledger(planted.parent / "ledger.jsonl", "today"))
    trying.record(["test_planted.py"], lambda: None)
    record = trying.coverage_map.records["test_planted.py"]
    lines = {text.strip(): number for number, text in enumerate(PLANTED.splitlines(), start=1)}

    def runners(text: str) -> set[str]:
        return record.runners_of("planted_counts.py", [lines[text]])

    assert runners("number -= 1") == {"test_planted.py::test_down"}
    assert runners("print(number * 2)") == {"fixture asked"}
    assert "" in runners("LEAST: Final = [3]")
    assert runners("return number + 1") == set()
    assert "asked" in record.tests["test_planted.py::test_it_says_twice_as_much"].fixtures
    assert record.is_of_today("test_planted.py", planted)
    (planted / "planted_counts.py").write_text(f"{PLANTED}\n")
    assert not record.is_of_today("test_planted.py", planted)


@pytest.mark.slow
def test_tests_that_do_not_end_have_noticed(planted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.proofs.mutants.running.LEAST_SECONDS", 4.0)
    ledger = Ledger(planted.parent / "ledger.jsonl", "today")
    trying = trial(planted, ledger)
    trying.record(trying.outdated(AREA), lambda: None)
    (endless,) = [one for one in mutations(planted, operator="NumberReplacer") if "number -= 0" in one.after]
    trying.attempt(AREA, [endless], lambda: None)
    assert [entry.fate for entry in ledger.entries([endless.mutant.id])] == [Fate.TIMEOUT]


def entry(mutant: str, fate: Fate, **more: object) -> Entry:
    return Entry(id=mutant, area="planted", name="x.py::f: a → b", line=1, fate=fate, **more)  # type: ignore[arg-type]


def test_what_is_finished_is_not_tried_again_and_a_survivor_only_by_other_tests(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger = Ledger(path, "today")
    ledger.write(entry("one", Fate.KILLED, tests_hash="today"))
    ledger.write(entry("two", Fate.SURVIVED, tests_hash="today"))
    path.write_bytes(path.read_bytes() + b'{"id":"three","fa')  # ended while it wrote
    again = Ledger(path, "today")
    again.write(entry("four", Fate.UNCOVERED, tests_hash="today"))
    assert [one.id for one in Ledger(path, "today").entries(["one", "two", "three", "four"])] == [
        "one",
        "two",
        "four",
    ]
    assert [one.id for one in Ledger(path, "tomorrow").entries(["one", "two", "four"])] == ["one"]


def test_a_change_of_the_source_makes_other_mutants() -> None:
    (before,) = mutants_of("x.py", "y = a < b\n")
    (after,) = mutants_of("x.py", "\ny = a < b\n")
    assert before.id != after.id
    with pytest.raises(ValueError, match=r"x\.py is not what it was"):
        mutation(before, "\ny = a < b\n")
    assert mutation(before, "y = a < b\n").name == mutation(after, "\ny = a < b\n").name


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x: int | None\n", id="an annotation"),
        pytest.param("def f(a: int | None, *, b: int) -> str | None: ...\n", id="annotations of a function"),
        pytest.param("if TYPE_CHECKING:\n    x = 1\n", id="what only mypy sees"),
        pytest.param("__all__ = [*a, 'b' + c]\n", id="what a module exports"),
        pytest.param("def f():\n    assert x is not None\n", id="what narrows a type"),
        pytest.param("def f():\n    log.info('x', y=1)\n", id="words for a log"),
        pytest.param("Action = Load | EndTurn\n", id="a union of types"),
        pytest.param("def f():\n    return isinstance(x, int | str)\n", id="types to compare with"),
        pytest.param("@cache\ndef f(): ...\n", id="a cache"),
        pytest.param("class A(B, frozen=True):\n    x: int\n", id="how a record is declared"),
        pytest.param("MAX: Final = 64 * 1024\n", id="a number with a name"),
        pytest.param('"""1 + 1, not True."""\n', id="a docstring"),
    ],
)
def test_what_nobody_could_notice_is_not_mutated(source: str) -> None:
    assert [
        mutation(one, source).after for one in mutants_of("x.py", source) if mutation(one, source).compiles
    ] == []


def test_the_numbers_of_the_rules_are_mutated() -> None:
    assert mutants_of("engine/x.py", "LIMIT: Final = 3\n")


def test_inside_a_match_statement_too() -> None:
    source = "def f(x):\n    match x:\n        case A():\n            return x.y < 1\n"
    (one,) = [one for one in mutants_of("x.py", source) if "Lt_LtE" in one.operator]
    assert mutation(one, source).after == source.replace("<", "<=")
    assert one.line == 4


@pytest.mark.parametrize("operator", [OmitCall, OppositeMembership])
def test_our_own_operators_do_what_their_examples_say(operator: type[OmitCall | OppositeMembership]) -> None:
    for example in operator.examples():
        source = example.pre_mutation_code
        (one,) = [one for one in mutants_of("x.py", source) if one.operator == operator.__name__]
        assert mutation(one, source).after == example.post_mutation_code


def test_an_exception_that_is_not_caught_goes_on_as_it_is() -> None:
    source = "try:\n    f()\nexcept KeyError:\n    pass\n"
    (one,) = [one for one in mutants_of("x.py", source) if one.operator == "ExceptionReplacer"]
    assert "except BytesWarning:" in mutation(one, source).after


def test_every_operator_that_is_named_is_one_of_cosmic_rays() -> None:
    from tests.proofs.mutants.operators import REPLACED

    assert [end for end in REPLACED if not any(name.endswith(f"Operator_{end}") for name in OPERATORS)] == []


def test_a_larger_sample_holds_the_smaller_one(planted: Path) -> None:
    every = list(every_place([AREA], planted, planted.parent / "places", lambda: None))
    few, _ = drawn(every, 3, "7", planted, {})
    more, _ = drawn(every, 6, "7", planted, {})
    other, _ = drawn(every, 3, "8", planted, {})
    assert {one.mutant for one in few} < {one.mutant for one in more}
    assert {one.mutant for one in few} != {one.mutant for one in other}


def test_equivalent_ones_are_passed_over(planted: Path) -> None:
    every = list(every_place([AREA], planted, planted.parent / "places", lambda: None))
    name = mutations(planted, operator="Mod_FloorDiv")[0].name
    sample, passed_over = drawn(every, None, "1", planted, {name: "for a reason"})
    assert passed_over == 1
    assert name not in [one.name for one in sample]


def test_only_the_lines_of_a_branch(planted: Path) -> None:
    every = list(every_place([AREA], planted, planted.parent / "places", lambda: None))
    assert {one.line for one in on_lines(every, {"planted_counts.py": {14, 15, 16}})} == {14}


def test_every_equivalent_mutant_is_one_of_today() -> None:
    assert stale(equivalent(), ROOT) == []


def test_one_that_is_no_mutant_any_more_is_named(planted: Path) -> None:
    name = mutations(planted, operator="Mod_FloorDiv")[0].name
    gone = name.replace("is_even", "is_odd")
    assert stale({name: "a reason", gone: "a reason"}, planted) == [gone]


@pytest.mark.parametrize(
    "rows",
    [
        "[[equivalent]]\nmutant = 'a'\n",
        "[[equivalent]]\nmutant = 'a'\nreason = ' '\n",
        "[[equivalent]]\nmutant = 'a'\nreason = 'b'\n[[equivalent]]\nmutant = 'a'\nreason = 'c'\n",
    ],
)
def test_an_equivalent_mutant_has_a_reason_and_stands_there_once(tmp_path: Path, rows: str) -> None:
    file = tmp_path / "equivalent.toml"
    file.write_text(rows)
    with pytest.raises(ValueError, match="each has a mutant and a reason"):
        equivalent(file)


def test_too_few_are_told_in_all_and_of_an_area() -> None:
    killed = [entry(f"{number}", Fate.KILLED) for number in range(94)]
    low = report.too_few([*killed, *(entry(f"x{number}", Fate.SURVIVED) for number in range(6))])
    assert low == ["all: 94.0% noticed, and 95% are asked for"]
    lower = report.too_few([*killed, *(entry(f"x{number}", Fate.UNCOVERED) for number in range(16))])
    assert [line.split(":")[0] for line in lower] == ["all", "planted"]
    assert report.too_few([*killed, entry("x", Fate.TIMEOUT)]) == []


def test_the_areas_are_all_of_the_product_and_each_has_tests() -> None:
    product = {
        path.relative_to(ROOT).as_posix()
        for folder in ("engine", "services", "gateway")
        for path in (ROOT / folder).rglob("*.py")
        if "template" not in path.parts and "web" not in path.parts
    }
    covered = [name for area in AREAS for name in sources_of(area)]
    assert len(covered) == len(set(covered))
    assert product - set(covered) - {"engine/__init__.py", "services/__init__.py"} == set()
    assert all(modules_of_tests(area) for area in AREAS)
    with pytest.raises(KeyError):
        named("nothing")
