"""What a cluster needs is found, or named; and Patroni is asked for the interface of etcd that is safe with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.proofs.patroni import programs
from tests.support.documents import ROOT


def test_what_is_missing_is_named_by_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(programs, "_FOLDERS", str(tmp_path))
    monkeypatch.setattr(programs, "_POSTGRES", tmp_path)
    assert programs.missing_packages() == list(programs.PACKAGES.values())
    with pytest.raises(FileNotFoundError, match="etcd-server"):
        programs.must_be("etcd")


def test_the_newest_postgres_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for version in ("9", "15", "14"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "postgres").touch()
    monkeypatch.setattr(programs, "_POSTGRES", tmp_path)
    assert programs.program("postgres") == tmp_path / "15" / "bin" / "postgres"


@pytest.mark.parametrize(
    ("told", "section"), [("patroni 3.0.2", "etcd"), ("patroni 3.0.3", "etcd3"), ("patroni 4.1.0", "etcd3")]
)
def test_an_old_patroni_uses_the_older_interface_of_etcd(
    monkeypatch: pytest.MonkeyPatch, told: str, section: str
) -> None:
    monkeypatch.setattr(programs, "must_be", lambda name: Path("/anywhere") / name)
    monkeypatch.setattr(
        subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, stdout=f"{told}\n")
    )
    assert programs.etcd_api() == section


def test_every_package_is_installed_where_changes_are_tested() -> None:
    script = (ROOT / ".ci" / "system-packages").read_text()
    assert not [one for one in programs.PACKAGES.values() if f'$missing {one}"' not in script]
