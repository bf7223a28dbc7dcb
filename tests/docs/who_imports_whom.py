"""Write the table "Who imports whom" of docs/build/architecture.md from the code: `make docs`."""

from __future__ import annotations

import ast
from functools import cache
from typing import Final

from tests.architecture.test_layers import imported_at_run_time, modules
from tests.docs.written_part import WrittenPart
from tests.support.documents import ROOT

PAGE: Final = ROOT / "docs" / "build" / "architecture.md"
PARTS: Final = ("engine", "services", "gateway")
"""Folders whose subfolders have a row each."""
STUBS: Final = "foldtable"
"""The package of the stubs."""
OUTSIDE: Final = {STUBS: "stubs", "foldtable_client": "the published client"}


@cache
def table() -> str:
    """Return the table: every folder, what it is, and which other folders it imports."""
    rows = ["| Folder | What it is | Imports |", "|---|---|---|"]
    for folder in folders():
        imports = sorted(_imports(folder) - {folder})
        rows.append(f"| `{folder}` | {_says(folder)} | {_listed(imports)} |")
    return "\n".join(rows) + "\n"


def folders() -> list[str]:
    """Return the Python packages directly below the parts, in order."""
    return [
        path.parent.relative_to(ROOT).as_posix()
        for part in PARTS
        for path in sorted((ROOT / part).glob("*/__init__.py"))
    ]


def _imports(folder: str) -> set[str]:
    """Return the other folders and packages of this repository that a folder imports when it runs."""
    known = set(folders())
    found = set()
    for module in modules(folder):
        if (ROOT / folder / "new_game" / "template") in module.parents:
            continue  # a package of its own
        for _, name in imported_at_run_time(module):
            top, *rest = name.split(".")
            if top in OUTSIDE:
                found.add(OUTSIDE[top])
            elif top in PARTS and rest:
                place = f"{top}/{rest[0]}"
                if place in known:
                    found.add(place)
                elif (ROOT / f"{place}.py").is_file():
                    found.add(f"{place}.py")  # any other name is that of a logger
    return found


def _listed(imports: list[str]) -> str:
    return (
        ", ".join(one if one in OUTSIDE.values() else f"`{one}`" for one in imports)
        or "nothing of this repository"
    )


def _says(folder: str) -> str:
    """Return the first sentence of a package's docstring."""
    text = " ".join((ast.get_docstring(ast.parse((ROOT / folder / "__init__.py").read_text())) or "").split())
    end = text.find(". ")
    return (text if end < 0 else text[: end + 1]).rstrip(".")


PART: Final = WrittenPart(
    PAGE,
    begin="<!-- imports: written by `make docs` -->\n",
    end="<!-- end of imports -->\n",
    today=table,
)

if __name__ == "__main__":
    PART.write(__doc__)
