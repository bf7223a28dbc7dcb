"""The Chromium of the tests, and where it keeps what it writes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
"""The program; empty if there is none."""


@contextmanager
def chromium_environment() -> Iterator[dict[str, str]]:
    """Yield the variables for a browser with a folder to itself. Its path is short: in pytest's folders there is no room for sockets."""
    with tempfile.TemporaryDirectory(prefix="browser", ignore_cleanup_errors=True) as folder:
        yield {"TMPDIR": folder, "HOME": folder, "CHROMIUM": CHROMIUM}
