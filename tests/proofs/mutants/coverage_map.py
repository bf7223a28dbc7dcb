"""Which tests run which lines, and how long they take: recorded a module of tests at a time, and kept until it is out of date.

A record is out of date when its module has changed, or a module of the product that its tests ran. The map does not see what
is remembered between tests: a function with a cache belongs to the first test that calls it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from coverage import CoverageData

from tests.proofs.mutants.areas import PRODUCT
from tests.proofs.mutants.mutants import digest
from tests.proofs.mutants.recorder import CONTEXT, FIXTURE, RECORD
from tests.proofs.promises.checkout import run_tests

RECORDING_SECONDS: Final = 900
"""How long the tests of a module may take while they are recorded; those of whole processes take minutes."""
SETTINGS: Final = """[run]
parallel = true
core = ctrace
data_file = {folder}/data
context = ${{{context}-}}
source =
{sources}
sigterm = true
disable_warnings = no-data-collected,module-not-measured,module-not-imported,couldnt-parse,already-imported,no-sysmon,dynamic-conflict
"""


class TimedTest(msgspec.Struct, frozen=True):
    """A test function with all its parameters."""

    seconds: float
    """Its fixtures included, of those that it shares with others only what it was the first to ask for."""
    passed: bool
    fixtures: list[str] = []
    """Those that it shares with others."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """What the tests of one module ran."""

    module_hash: str
    tests: dict[str, TimedTest]
    """By their ids."""
    sources: dict[str, str]
    """The modules of the product that they ran, each with its hash."""
    runners: list[str]
    """Who runs lines: tests, fixtures (`fixture x`), and "" for the import of a module."""
    lines: dict[str, dict[int, list[int]]]
    """For each of these modules its lines, and who runs them, as places in `runners`."""

    def runners_of(self, path: str, lines: Iterable[int]) -> set[str]:
        """Return who runs some of these lines of a module."""
        known = self.lines.get(path, {})
        return {self.runners[place] for line in lines for place in known.get(line, ())}

    def is_of_today(self, module: str, root: Path) -> bool:
        """Return whether it says what a run would say today."""
        return self.module_hash == _hash(root / module) and all(
            _hash(root / path) == known for path, known in self.sources.items()
        )


class CoverageMap:
    """The records of modules of tests."""

    def __init__(self, folder: Path, root: Path, product: Sequence[str] = PRODUCT) -> None:
        """`folder` keeps the records; `product` are the folders of `root` whose lines count."""
        self._folder = folder
        self._root = root
        self._product = product
        self.records: dict[str, Record] = {}

    def missing(self, modules: Iterable[str]) -> list[str]:
        """Read what is recorded of some modules; return those that have to be recorded."""
        absent: list[str] = []
        for module in modules:
            record = self._kept(module)
            if record is not None and record.is_of_today(module, self._root):
                self.records[module] = record
            else:
                absent.append(module)
        return absent

    def _kept(self, module: str) -> Record | None:
        try:
            return msgspec.json.decode(self._path(module).read_bytes(), type=Record)
        except (
            FileNotFoundError,
            msgspec.DecodeError,
        ):  # the latter: kept by an earlier form of this program
            return None

    def record(self, module: str, copy: Path) -> Record:
        """Run the tests of a module in a copy of the sources that nothing has changed, and keep what they ran."""
        folder = copy.parent / f"{copy.name}-recording"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        settings = folder / "coverage.ini"
        sources = "\n".join(f"    {copy / name}" for name in self._product)
        settings.write_text(SETTINGS.format(folder=folder, context=CONTEXT, sources=sources))
        told = folder / "tests.json"
        run_tests(
            copy,
            *("-p", "tests.proofs.mutants.recorder", module),
            seconds=RECORDING_SECONDS,
            settings={RECORD: str(told), "COVERAGE_PROCESS_START": str(settings)},
        )
        tests = msgspec.json.decode(told.read_bytes(), type=dict[str, TimedTest]) if told.exists() else {}
        runners, lines = _lines(folder, copy)
        record = Record(
            module_hash=_hash(copy / module),
            tests=tests,
            sources={path: _hash(copy / path) for path in lines},
            runners=runners,
            lines=lines,
        )
        self._folder.mkdir(parents=True, exist_ok=True)
        self._path(module).write_bytes(msgspec.json.encode(record))
        self.records[module] = record
        return record

    def _path(self, module: str) -> Path:
        return self._folder / f"{module.replace('/', '.')}.json"


def _lines(folder: Path, copy: Path) -> tuple[list[str], dict[str, dict[int, list[int]]]]:
    places: dict[str, int] = {}
    found: dict[str, dict[int, set[int]]] = {}
    for path in folder.glob("data.*"):
        data = CoverageData(str(path))
        data.read()
        for file in data.measured_files():
            if not Path(file).is_relative_to(copy):
                continue
            of_file = found.setdefault(Path(file).relative_to(copy).as_posix(), {})
            for line, contexts in data.contexts_by_lineno(file).items():
                of_file.setdefault(line, set()).update(
                    places.setdefault(one, len(places)) for one in contexts
                )
        data.close()
    return list(places), {
        path: {line: sorted(runners) for line, runners in sorted(of_file.items())}
        for path, of_file in sorted(found.items())
        if of_file
    }


def _hash(path: Path) -> str:
    return digest(path.read_text()) if path.exists() else ""


def reaching(records: Mapping[str, Record], path: str, lines: Iterable[int]) -> dict[str, TimedTest]:
    """Return the tests that passed and run some of these lines of a module, by their ids."""
    wanted = list(lines)
    found: dict[str, TimedTest] = {}
    for record in records.values():
        names = record.runners_of(path, wanted)
        found |= {
            test: timed
            for test, timed in record.tests.items()
            if timed.passed and (test in names or any(FIXTURE + one in names for one in timed.fixtures))
        }
    return found


def is_recorded(records: Mapping[str, Record], path: str, lines: Iterable[int]) -> bool:
    """Return whether Python counts some of these lines of a module: it counts no line on which nothing begins."""
    wanted = set(lines)
    return any(not wanted.isdisjoint(record.lines.get(path, ())) for record in records.values())


def is_imported(records: Mapping[str, Record], path: str, lines: Iterable[int]) -> bool:
    """Return whether some of these lines are run when the module is imported."""
    wanted = list(lines)
    return any("" in record.runners_of(path, wanted) for record in records.values())
