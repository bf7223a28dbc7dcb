"""Where the binaries are, and what is said when they are not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from services.embedded_postgres import BinariesMissing, EmbeddedPostgres, binaries
from services.embedded_postgres.binaries import binaries_folder


def test_the_binaries_are_found_without_loading_the_package_s_wrapper() -> None:
    folder = binaries_folder()
    for name in ("postgres", "initdb", "psql", "pgbench"):
        assert (folder / name).is_file()
    assert binaries.PACKAGE not in sys.modules


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(binaries, "PACKAGE", "a_package_that_is_not_there")
    with pytest.raises(BinariesMissing, match="FOLDTABLE_DATABASE_URL"):
        EmbeddedPostgres(tmp_path / "postgres").start()
    assert not (tmp_path / "postgres").exists()


def test_a_package_without_binaries_for_this_machine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "MAJOR", 9)
    with pytest.raises(BinariesMissing, match="pginstall9"):
        binaries_folder()
