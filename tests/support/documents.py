"""Reads our Markdown: every fenced block, and whether it is a command, an output, or an illustration.

- A block of `sh`, `python` or `js` is run, the last with node. All blocks of a document run one after another, in one folder and one shell.
- `<!-- output -->` before a block: what the command before it prints. `…` stands for anything, white space and table lines for nothing.
- `<!-- greeting -->` before a block: what `foldtable up` prints.
- `<!-- fails -->` before a block of `sh`: it is run, and its last command ends with 1.
- `<!-- patch -->` before a block: a patch to the files that the blocks before it have written.
- `<!-- page -->` before a block: a piece of the page in docs/examples (table.html and what it loads).
- `<!-- illustration -->` before a block: only to be read. Blocks of other languages may carry it too, and must.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUN = frozenset({"sh", "python", "js"})
MARKS = frozenset({"output", "greeting", "illustration", "page", "fails", "patch"})
ANYTHING = "…"

_BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[a-z]+) -->\n)?(?P<fence>```+)(?P<language>\w*)\n(?P<content>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)

_COMMENT_OF_A_STREAM = re.compile(r"^: .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block and where it begins."""

    document: Path
    line: int
    language: str
    mark: str
    content: str

    @property
    def is_run(self) -> bool:
        return self.language in RUN and self.mark in {"", "fails"}

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line}"


def documents() -> list[Path]:
    """Every document for people."""
    found = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("clients/*/*.md"),
        *ROOT.glob("k8s/*.md"),
        *ROOT.glob("gateway/web/*.md"),
        *ROOT.glob("tests/**/*.md"),
    ]
    return sorted(path for path in found if "node_modules" not in path.parts)


def blocks(document: Path) -> list[Block]:
    """Return the blocks of a document, in order."""
    text = document.read_text()
    return [
        Block(
            document,
            text.count("\n", 0, found.start()) + 1,
            found["language"],
            found["mark"] or "",
            found["content"],
        )
        for found in _BLOCK.finditer(text)
    ]


def agrees(expected: str, printed: str) -> bool:
    """Is the text there, whatever stands for `…`, however lines are broken and tables are drawn?

    Comments of a stream do not count: how many there are depends on how long one waits.
    """
    printed = _COMMENT_OF_A_STREAM.sub("", printed)
    pattern = ".*?".join(re.escape(_bare(part)) for part in expected.split(ANYTHING))
    return re.search(pattern, _bare(printed), re.DOTALL) is not None


def _bare(text: str) -> str:
    return re.sub(r"[\s\u2500-\u257f]", "", text)
