"""Who may import whom in the page, gateway/web/src: layers from the bottom up, and no circle anywhere.

Read from the sources as text, so no test here needs node. Imports of types count like all others: a circle of types makes
none of its files readable without the rest, although nothing of it is left in JavaScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

SRC: Final = Path(__file__).resolve().parents[2] / "gateway" / "web" / "src"

LAYERS: Final = (
    ("motion", "observed", "stored", "words"),
    ("account", "i18n", "renewal", "route"),
    ("api", "boundary", "void_token"),
    ("board", "choose", "login_code"),
    ("games",),
    ("lobby", "use_game"),
    ("follow",),
    ("replay",),
    ("parts",),
    ("screens",),
    ("main",),
)
"""Folders and files directly in `src`. Each may import itself and what stands in the layers before its own."""

PACKAGES: Final = {"@foldtable/client", "preact", "preact/hooks"}
"""All that comes from elsewhere."""

KNOWS_THE_GAMES: Final = "games/load.ts"
"""Loads what a game looks like; everybody else meets a `Skin`."""

_IMPORTED: Final = re.compile(r"""\b(?:from|import)\s*\(?\s*(["'`])(?P<target>[^"'`\n]+)\1""")
"""`import … from "x"`, `export … from "x"`, `import "x"`, `import("x")`, with `type` or without."""
_COMPUTED: Final = re.compile(r"""\bimport\s*\((?!\s*["'`])|\bimport\s*\(\s*`[^`]*\$\{""")
"""An import of which only the running page knows what it imports."""


def sources(folder: Path = SRC) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in {".ts", ".tsx"})


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and name of everything that a file imports, when it begins or later, for its values or its types."""
    text = path.read_text()
    for found in _IMPORTED.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found["target"]


def resolved(path: Path, target: str) -> Path:
    """Return the file that a relative import names."""
    place = (path.parent / target).resolve()
    files = [Path(f"{place}{end}") for end in (".ts", ".tsx", "/index.ts", "/index.tsx")]
    found = [file for file in files if file.is_file()]
    assert len(found) == 1, f"{path}: {target} is no source"
    return found[0]


@cache
def arrows(folder: Path = SRC) -> dict[str, set[str]]:
    """Return which files each file imports, by their names below the folder."""
    return {
        path.relative_to(folder).as_posix(): {
            resolved(path, target).relative_to(folder.resolve()).as_posix()
            for _, target in imported(path)
            if target.startswith(".")
        }
        for path in sources(folder)
    }


def in_circles(found: Mapping[str, set[str]]) -> list[str]:
    """Name the files that import themselves by way of others."""

    def reached(start: str) -> set[str]:
        known: set[str] = set()
        waiting = set(found[start])
        while waiting:
            one = waiting.pop()
            known.add(one)
            waiting |= found[one] - known
        return known

    return [file for file in found if file in reached(file)]


def member(file: str) -> str:
    """Return the folder or file directly in `src` that a file lies in."""
    return file.partition("/")[0].partition(".")[0]


def test_every_folder_and_file_has_a_layer() -> None:
    listed = [name for layer in LAYERS for name in layer]
    assert {member(file) for file in arrows()} == set(listed)
    assert len(listed) == len(set(listed))


def test_imports_run_downwards() -> None:
    height = {name: level for level, layer in enumerate(LAYERS) for name in layer}
    upwards = [
        f"{file}: {target}"
        for file, targets in arrows().items()
        for target in sorted(targets)
        if member(target) != member(file) and height[member(target)] >= height[member(file)]
    ]
    assert upwards == []


def test_no_circle_of_imports_anywhere() -> None:
    assert in_circles(arrows()) == [], "these import each other"


def test_a_game_is_drawn_with_the_board_and_its_own_folder_only() -> None:
    drawings = {file: targets for file, targets in arrows().items() if file.count("/") == 2}
    elsewhere = [
        f"{file}: {target}"
        for file, targets in drawings.items()
        for target in sorted(targets)
        if member(target) != "board" and Path(target).parent != Path(file).parent
    ]
    assert elsewhere == []
    assert {file.split("/")[0] for file in drawings} == {"games"}


def test_one_file_names_the_games() -> None:
    named = {
        file
        for file, targets in arrows().items()
        for target in targets
        if target.count("/") == 2 and Path(target).parent != Path(file).parent
    }
    assert named == {KNOWS_THE_GAMES}


def test_the_page_needs_preact_and_the_published_client_only() -> None:
    foreign = {target for path in sources() for _, target in imported(path) if not target.startswith(".")}
    assert foreign == PACKAGES


def test_every_import_says_what_it_imports() -> None:
    assert [path.name for path in sources() if _COMPUTED.search(path.read_text())] == []


@pytest.mark.parametrize(
    "back",
    [
        'import { a } from "./a";',
        'import type { A } from "./a";',
        'import {\n  type A,\n} from "./a";',
        'export * from "./a";',
        'export type { A } from "./a";',
        "import './a';",
        'const later = () => import("./a");',
        'let one: import("./a").A;',
    ],
)
def test_a_planted_circle_is_found(tmp_path: Path, back: str) -> None:
    (tmp_path / "a.ts").write_text('import { b } from "./parts/b";\n')
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "b.tsx").write_text('import { c } from "../c";\n')
    (tmp_path / "c.ts").write_text(f"/** Is imported, and imports. */\n{back}\n")
    (tmp_path / "d.ts").write_text('import { c } from "./c"; // outside of the circle\n')
    assert in_circles(arrows(tmp_path)) == ["a.ts", "c.ts", "parts/b.tsx"]


@pytest.mark.parametrize("text", ["import(name)", "import(`./words/${language}`)"])
def test_a_computed_import_would_be_found(text: str) -> None:
    assert _COMPUTED.search(text)


def test_an_import_of_nothing_is_no_arrow_that_is_overlooked(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text('import { b } from "./b";\n')
    with pytest.raises(AssertionError, match="is no source"):
        arrows(tmp_path)
