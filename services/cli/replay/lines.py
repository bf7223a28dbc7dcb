"""Fitting lines: prose is wrapped between words, drawings are cut off and can be scrolled sideways."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap
from typing import Final

HANGING: Final = "    "
CUT: Final = "›"
_GAP: Final = re.compile(r"\S {3,}\S|^ {8,}\S")


def is_drawn(line: str) -> bool:
    """Return whether a line belongs to a drawing, where every column counts: unlike prose it has gaps."""
    return _GAP.search(line) is not None


def fitted(lines: Iterable[str], width: int, *, pan: int = 0) -> list[str]:
    """Return prose wrapped at `width`, and drawings cut off there, scrolled by `pan` columns."""
    found: list[str] = []
    for line in lines:
        if is_drawn(line) or not line:
            found.append(_cut(line[pan:], width))
        else:
            found += broken(line, width)
    return found


def broken(line: str, width: int) -> list[str]:
    """Return a line of prose wrapped between words, with an indent."""
    if len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    following = indent + HANGING if width > 2 * len(indent + HANGING) else ""
    return wrap(line, max(width, 1), subsequent_indent=following, drop_whitespace=True) or [""]


def too_wide(lines: Iterable[str], width: int) -> int:
    """Return by how many columns the widest drawing is too wide."""
    return max((len(line) - width for line in lines if is_drawn(line)), default=0)


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: max(width - 1, 0)] + CUT
