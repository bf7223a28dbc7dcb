"""The part of a page that is written from the code, between two marks."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.documents import ROOT


@dataclass(frozen=True)
class WrittenPart:
    """A part of a page, and what belongs there today."""

    page: Path
    begin: str
    """The line before it."""
    end: str
    """The line after it."""
    today: Callable[[], str]

    def renewed(self, text: str) -> str:
        """Return the text of the page with today's part."""
        before, _, rest = text.partition(self.begin)
        _, _, after = rest.partition(self.end)
        return before + self.begin + "\n" + self.today() + "\n" + self.end + after

    def write(self, description: str | None) -> None:
        """Write the page; `description` is what `--help` says."""
        argparse.ArgumentParser(description=description).parse_args()
        self.page.write_text(self.renewed(self.page.read_text()))
        print(f"{self.page.relative_to(ROOT)} is written")
