"""How a planted fault takes the place of what the product does."""

from __future__ import annotations

from typing import Any


def plant(owner: Any, name: str, instead: Any) -> Any:
    """Put something in the place of what a module or a class has by this name, and give what was there.

    AttributeError where the product has no such thing any more: then the fault is none, and has to be planted anew.
    """
    there = getattr(owner, name)
    setattr(owner, name, instead)
    return there
