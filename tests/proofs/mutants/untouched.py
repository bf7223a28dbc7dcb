"""What of a module is not mutated, because no test could or should notice.

- Annotations, `TYPE_CHECKING`, names of types: they do nothing when the program runs, or are mypy's business.
- `assert` and `assert_never`: they narrow types and are never a rule.
- `__all__` and calls of a logger: words for people who look on. (Docstrings hold nothing that an operator changes.)
- Numbers of the services that have a name (`MAX_BYTES: Final = 64 * 1024`): which number it is, is a choice, and tests use
  it by its name. Where a number is compared, its edge is moved. In `engine` numbers are the rulebook's, and are changed.
- How records are declared (`frozen=True`): whoever breaks it, mypy tells.
- Caches of functions: without them everything is slower, and the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from tests.proofs.mutants.operators import Span

CACHES: Final = frozenset({"cache", "cached_property", "lru_cache", "override", "final", "overload"})
"""Decorators that change nothing that can be seen, or only types."""
DECLARING: Final = frozenset({"frozen", "kw_only", "slots", "gc"})
"""What says how a record is declared."""
_LOGGERS: Final = re.compile(r"_?(log|logger|LOG|LOGGER)")


def untouched(source: str, *, numbers_are_rules: bool) -> list[Span]:
    """Return the parts of a module that no operator may touch."""
    lines = source.splitlines(keepends=True)
    tree = ast.parse(source)
    parts = (*_types(tree), *_words(tree), *([] if numbers_are_rules else _named_numbers(tree)))
    return [*(_span(node, lines) for node in parts), *_caches(tree)]


def _span(node: ast.expr | ast.stmt | ast.pattern, lines: list[str]) -> Span:
    """Python counts columns in bytes, parso in characters."""

    def characters(line: int, column: int) -> int:
        return len(lines[line - 1].encode()[:column].decode())

    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (
        (node.lineno, characters(node.lineno, node.col_offset)),
        (node.end_lineno, characters(node.end_lineno, node.end_col_offset)),
    )


def _types(tree: ast.AST) -> Iterator[ast.expr | ast.stmt | ast.pattern]:
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign():
                yield node.annotation
            case ast.arg(annotation=ast.expr() as annotation):
                yield annotation
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from [node.returns] if node.returns is not None else []
            case ast.ClassDef():
                yield from (one.value for one in _declared(node) if one.arg in DECLARING)
            case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
                yield node
            case ast.BinOp(op=ast.BitOr()) if all(_is_type(one) for one in _alternatives(node)):
                yield node
            case ast.match_case():
                yield node.pattern
            case ast.Call(func=ast.Name(id="cast" | "NewType" | "TypeVar")) if node.args:
                yield node.args[0]


def _declared(node: ast.ClassDef) -> list[ast.keyword]:
    decorators = [one for one in node.decorator_list if isinstance(one, ast.Call)]
    return [*node.keywords, *(keyword for one in decorators for keyword in one.keywords)]


def _caches(tree: ast.AST) -> Iterator[Span]:
    """Give the whole lines of decorators: parso counts what is before and after one as a part of it."""
    for node in ast.walk(tree):
        for one in getattr(node, "decorator_list", []):
            if _name(one) in CACHES:
                yield (one.lineno, 0), (one.end_lineno + 1, 0)


def _words(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        match node:
            case ast.Assert():
                yield node
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                yield node
            case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
                yield node
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                if _LOGGERS.fullmatch(name):
                    yield node


def _named_numbers(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and node.value is not None and _is_final(node):
            parts = list(ast.walk(node.value))
            if all(isinstance(one, _ARITHMETIC) or _is_number(one) for one in parts):
                yield node


_ARITHMETIC: Final = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def _is_final(node: ast.AnnAssign) -> bool:
    return "Final" in ast.unparse(node.annotation)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _alternatives(node: ast.expr) -> Iterable[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(node.left), *_alternatives(node.right)]
    return [node]


def _is_type(node: ast.expr) -> bool:
    """Return whether an alternative of `A | B` is a type, to judge by its name."""
    if isinstance(node, ast.Constant):
        return node.value is None or isinstance(node.value, str)
    if isinstance(node, ast.Subscript):
        return _is_type(node.value)
    return isinstance(node, ast.Name | ast.Attribute) and (
        _name(node) in {"int", "str", "bytes", "float", "bool", "dict", "list", "tuple", "set"}
        or re.fullmatch(r"_*[A-Z]\w*[a-z]\w*", _name(node)) is not None
    )
