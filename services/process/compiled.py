"""Whether the hot modules run compiled or from their sources; .ci/compile_modules.py compiles them."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARY = "foldtable_compiled__mypyc"
"""What the compiled modules share. It is installed and removed together with them."""


def is_compiled() -> bool:
    """Return whether compiled modules are beside the sources, so that Python prefers them."""
    return find_spec(LIBRARY) is not None
