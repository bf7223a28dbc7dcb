"""Where the product can be broken, and how it looks then."""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import mutate_code

from tests.proofs.mutants.operators import OPERATORS, Span
from tests.proofs.mutants.untouched import untouched

RULES: Final = "engine/"
"""Where numbers are the rulebook's."""
_UNKNOWN: Final = "CosmicRayTestingException"
_NEVER_RAISED: Final = "BytesWarning"
"""What `except` catches instead: a name that Python knows, so that the exception goes on as it is."""


@dataclass(frozen=True)
class Mutant:
    """A module with one small mistake."""

    path: str
    """From the root of the repository."""
    operator: str
    occurrence: int
    """Which of the places of the operator in the module, from 0; places that are not mutated count."""
    line: int
    last_line: int
    """What is changed begins on the first and ends on the second of these lines."""
    source_hash: str
    """Of the module as it should be."""

    @property
    def id(self) -> str:
        return f"{self.path}:{self.operator}:{self.occurrence}:{self.source_hash}"

    def luck(self, seed: str) -> str:
        """Return what decides whether a sample has it: the smallest are taken. It outlives changes below it in its module."""
        return hashlib.sha256(f"{seed}:{self.path}:{self.operator}:{self.occurrence}".encode()).hexdigest()


@dataclass(frozen=True)
class Mutation:
    """What a mutant makes of its module."""

    mutant: Mutant
    before: str
    after: str

    @cached_property
    def change(self) -> tuple[str, str]:
        """The lines that differ, in one line each: as they should be, and as they are."""
        removed: list[str] = []
        added: list[str] = []
        for line in difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=0):
            if line.startswith(("---", "+++", "@@")):
                continue
            (added if line.startswith("+") else removed).append(" ".join(line[1:].split()))
        return " ".join(removed), " ".join(added)

    @cached_property
    def name(self) -> str:
        """What a person calls it, which changes elsewhere in its module leave as it is: `path::function: old → new`."""
        scope = _scope(self.before, self.mutant.line)
        return f"{self.mutant.path}::{scope or 'module'}: {self.change[0]} → {self.change[1]}"

    @property
    def compiles(self) -> bool:
        """Whether it is Python, and another program than before."""
        try:
            changed = ast.dump(ast.parse(self.after))
            compile(self.after, self.mutant.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
        return changed != ast.dump(ast.parse(self.before))


def digest(source: str) -> str:
    """Return what tells one state of a file from another."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Return every place where a module can be mutated, in the order of its lines."""
    spared = untouched(source, numbers_are_rules=path.startswith(RULES))
    operators = {name: operator() for name, operator in OPERATORS.items()}
    seen: Counter[str] = Counter()
    found: list[Mutant] = []
    hashed = digest(source)
    nodes = [get_ast(source)]
    while nodes:  # in the order in which cosmic-ray counts occurrences: a node before its children
        node: Any = nodes.pop()
        for name, operator in operators.items():
            for span in operator.mutation_positions(node):
                occurrence = seen[name]
                seen[name] += 1
                if not any(_within(span, one) for one in spared):
                    found.append(Mutant(path, name, occurrence, span[0][0], span[1][0], hashed))
        nodes += reversed(getattr(node, "children", []))
    return sorted(found, key=lambda one: (one.line, one.operator, one.occurrence))


def mutation(mutant: Mutant, source: str) -> Mutation:
    """Make a mutant of its module's source. Raises ValueError if the module is another one, or has no such place."""
    if digest(source) != mutant.source_hash:
        raise ValueError(f"{mutant.path} is not what it was")
    after = mutate_code(source, OPERATORS[mutant.operator](), mutant.occurrence)
    if after is None:
        raise ValueError(f"{mutant.path} has no {mutant.operator} {mutant.occurrence}")
    return Mutation(mutant, source, after.replace(_UNKNOWN, _NEVER_RAISED))


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _scope(source: str, line: int) -> str:
    """Return the names of the classes and functions around a line, from the outside in."""
    names: list[str] = []
    node: ast.AST = ast.parse(source)
    while True:
        for child in ast.walk(node):
            if (
                child is not node
                and isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                and child.lineno <= line <= (child.end_lineno or 0)
            ):
                names.append(child.name)
                node = child
                break
        else:
            return ".".join(names)
