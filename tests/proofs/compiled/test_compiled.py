"""A few compiled modules play as their sources do. `make prove P=compiled` compiles all of them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.proofs.compiled.comparing import PROGRAM, ROOT, compile_copy, differences, played

SMALL = (
    "engine/kernel/recorder.py",
    "engine/river_dragons/rules/moves.py",
    "engine/river_of_gold/rules/favor.py",
)


@pytest.fixture(scope="module")
def compiler() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compile_modules", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_compiled_modules_play_the_same_matches(tmp_path: Path, compiler: ModuleType) -> None:
    pure, compiled = tmp_path / "pure", tmp_path / "compiled"
    compile_copy(pure, ())
    compile_copy(compiled, SMALL)
    assert len(compiler.built(compiled)) == len(SMALL) + 1, "one for each, and what they share"
    assert differences(played(pure, 1), played(compiled, 1)) == []
    compiler.remove(compiled)
    assert compiler.built(compiled) == []


def test_every_pattern_names_modules_and_those_with_structs_stay_pure(compiler: ModuleType) -> None:
    """A struct whose keywords are dropped would not be frozen, and would lose its tag."""
    listed = compiler.listed(ROOT)
    assert set(SMALL) <= set(listed)
    assert not [module for module in listed if "(msgspec.Struct" in (ROOT / module).read_text()]
    assert compiler.has_class_keywords("class Paid(Event, frozen=True): ...")
    assert not compiler.has_class_keywords("class Paid(Event): ...")
