"""Lines that fit: prose is broken between words, what is drawn is cut off and can be moved sideways."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap
from typing import Final

HANGING: Final = "    "
CUT: Final = "›"
_GAP: Final = re.compile(r"\S {3,}\S|^ {8,}\S")


def is_drawn(line: str) -> bool:
    """Tell a line of a drawing, where every column counts, from prose: it has gaps."""
    return _GAP.search(line) is not None


def fitted(lines: Iterable[str], width: int, *, pan: int = 0) -> list[str]:
    """Break prose that is wider than `width`; cut drawings off there, `pan` columns on from the left."""
    found: list[str] = []
    for line in lines:
        if is_drawn(line) or not line:
            found.append(_cut(line[pan:], width))
        else:
            found += broken(line, width)
    return found


def broken(line: str, width: int) -> list[str]:
    """Break a line of prose between words; what follows is set in."""
    if len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    following = indent + HANGING if width > 2 * len(indent + HANGING) else ""
    return wrap(line, max(width, 1), subsequent_indent=following, drop_whitespace=True) or [""]


def too_wide(lines: Iterable[str], width: int) -> int:
    """Give by how many columns the widest drawing sticks out."""
    return max((len(line) - width for line in lines if is_drawn(line)), default=0)


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: max(width - 1, 0)] + CUT
