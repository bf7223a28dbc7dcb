"""The texts of River Dragons: how its records become keys and arguments of the catalogues in this folder."""

from __future__ import annotations

from typing import Final

from engine.kernel.text.texts import Texts

TEXTS: Final = Texts(package="engine.river_dragons.text")
