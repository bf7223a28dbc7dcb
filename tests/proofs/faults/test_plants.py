"""Every fault that can be planted still takes the place of something the product has."""

from __future__ import annotations

import subprocess
import sys

from tests.proofs.faults.plants import PLANTS
from tests.support.documents import ROOT


def test_every_planted_fault_finds_what_it_takes_the_place_of() -> None:
    modules = [module for plant in PLANTS.values() for module in plant.instead.values()]
    planted = subprocess.run(
        [sys.executable, "-c", "\n".join(f"import {module}" for module in modules)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert planted.returncode == 0, planted.stderr
