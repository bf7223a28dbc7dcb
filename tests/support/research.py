"""Whether the libraries of the extra `research` are installed. For tests; used by name."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

LIBRARIES: Final = ("gymnasium", "numpy", "pettingzoo", "pyspiel")
WHY_NOT: Final = (
    "" if all(map(find_spec, LIBRARIES)) else "needs the libraries of research: make prepare installs them"
)
"""Why tests that need them are skipped; empty where they are not. `make test` always has them."""
