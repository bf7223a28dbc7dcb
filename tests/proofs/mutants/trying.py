"""Trying mutants in copies of the sources, several at once, and writing down what became of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from tests.proofs.mutants.areas import Area, modules_of_tests
from tests.proofs.mutants.choosing import MAX_SECONDS, chosen
from tests.proofs.mutants.coverage_map import CoverageMap, Record
from tests.proofs.mutants.ledger import Entry, Ledger
from tests.proofs.mutants.mutants import Mutation, digest
from tests.proofs.mutants.running import tried
from tests.proofs.promises.checkout import copy_of_the_sources


@dataclass(frozen=True)
class Trial:
    """Copies of the sources, and what is known of them."""

    root: Path
    """The sources as they are."""
    coverage_map: CoverageMap
    ledger: Ledger
    copies: Sequence[Path]
    only: tuple[str, ...] = ("",)
    """How the paths begin of the tests that are run."""
    most_seconds: float = MAX_SECONDS
    """How long the tests of one mutant may have taken when they were recorded."""

    @cached_property
    def _free(self) -> SimpleQueue[Path]:
        free: SimpleQueue[Path] = SimpleQueue()
        for copy in self.copies:
            free.put(copy)
        return free

    @contextmanager
    def _copy(self) -> Iterator[Path]:
        copy = self._free.get()
        try:
            yield copy
        finally:
            self._free.put(copy)

    def record(self, modules: Sequence[str], advance: Callable[[], None]) -> None:
        """Record what modules of tests run; `advance` is called after each."""

        def one(module: str) -> None:
            with self._copy() as copy:
                self.coverage_map.record(module, copy)
            advance()

        self._at_once(one, modules)

    def unfinished(self, sample: Sequence[Mutation]) -> list[Mutation]:
        """Return the mutants that no earlier run has finished."""
        return [one for one in sample if self.ledger.finished(one.mutant.id) is None]

    def outdated(self, area: Area) -> list[str]:
        """Return the modules of tests that have to be recorded before mutants of an area are tried."""
        return self.coverage_map.missing(self._modules(area))

    def _modules(self, area: Area) -> list[str]:
        return [name for name in modules_of_tests(area, self.root) if name.startswith(self.only)]

    def attempt(self, area: Area, sample: Sequence[Mutation], advance: Callable[[], None]) -> None:
        """Try mutants of an area, the tests of which are recorded; `advance` is called after each."""
        known = self.coverage_map.records
        records = {module: known[module] for module in self._modules(area)}

        def one(mutation: Mutation) -> None:
            self.ledger.write(self._entry(area, mutation, records))
            advance()

        self._at_once(one, sample)

    def _entry(self, area: Area, mutation: Mutation, records: dict[str, Record]) -> Entry:
        choice = chosen(mutation.mutant, mutation.before, records, self.root, self.most_seconds)
        with self._copy() as copy:
            result = tried(mutation, choice, copy)
        return Entry(
            id=mutation.mutant.id,
            area=area.name,
            name=mutation.name,
            line=mutation.mutant.line,
            fate=result.fate,
            tests=len(choice.tests),
            left_out=choice.left_out,
            seconds=round(result.seconds, 1),
            noticed_by=result.noticed_by,
            tests_hash=self.ledger.tests_hash,
        )

    def _at_once(self, do: Callable[[Any], None], things: Sequence[Any]) -> None:
        with ThreadPoolExecutor(len(self.copies)) as pool:
            try:
                for done in [pool.submit(do, one) for one in things]:
                    done.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


@contextmanager
def copies_of_the_sources(number: int) -> Iterator[list[Path]]:
    """Give several copies of the sources as they are now."""
    with ExitStack() as stack:
        yield [stack.enter_context(copy_of_the_sources()) for _ in range(number)]


def tests_hash(root: Path, only: Sequence[str]) -> str:
    """Return what tells whether a test has changed, or others are run."""
    return digest(
        " ".join(sorted(only)) + "".join(path.read_text() for path in sorted((root / "tests").rglob("*.py")))
    )
