"""The texts of Al-Rashid: how its records become keys and arguments of the catalogues in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from engine.kernel.text.texts import Texts

TEXTS: Final = Texts(folder=Path(__file__).parent)
