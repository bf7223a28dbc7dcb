"""The paragraphs of a game, collected from where they are written.

- docstrings of a package: each block after the first that begins with `§`, an id, and a title, such as
  `§4.2 Placing. In turn order …`; the title ends with the first full stop;
- the tables of its RULINGS.md: the id, the title in bold, the ruling.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.kernel.text.paragraphs import Paragraph

_BLOCK: Final = re.compile(r"§(?P<id>\d+(?:\.\d+)?|[a-z]+) (?P<title>[^.]+)\. (?P<text>.+)", re.DOTALL)
_RULING: Final = re.compile(
    r"^\| (?P<id>[ARF]\d+) \| \*\*(?P<title>[^*]+)\.\*\* (?P<text>.*?) \|", re.MULTILINE
)


def rules_of(package: Path) -> dict[str, Paragraph]:
    """Return the paragraphs in the docstrings of a package, in order. Raises ValueError if two have the same id."""
    found: dict[str, Paragraph] = {}
    for file in sorted(package.rglob("*.py")):
        for one in _in_docstrings(ast.parse(file.read_text(encoding="utf-8"))):
            if one.id in found:
                raise ValueError(f"{file}: §{one.id} is written twice")
            found[one.id] = one
    return dict(sorted(found.items(), key=lambda item: _order(item[0])))


def rulings_of(package: Path) -> dict[str, Paragraph]:
    """Return the rulings of a game, in the order of its table; none if it has no RULINGS.md."""
    file = package / "RULINGS.md"
    table = file.read_text(encoding="utf-8") if file.is_file() else ""
    return {
        row["id"]: Paragraph(id=row["id"], title=row["title"], text=row["text"])
        for row in _RULING.finditer(table)
    }


def _in_docstrings(module: ast.Module) -> Iterator[Paragraph]:
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            for block in (ast.get_docstring(node) or "").split("\n\n")[1:]:
                if match := _BLOCK.fullmatch(" ".join(block.split())):
                    yield Paragraph(id=match["id"], title=match["title"], text=match["text"])


def _order(number: str) -> tuple[int, ...] | tuple[str]:
    return tuple(map(int, number.split("."))) if number[0].isdigit() else (number,)


def as_json(paragraphs: dict[str, Paragraph]) -> str:
    """Return the content of a paragraphs.json."""
    plain = {number: {"title": one.title, "text": one.text} for number, one in paragraphs.items()}
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
