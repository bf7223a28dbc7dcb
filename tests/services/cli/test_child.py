"""What a process of `foldtable up` is told of the environment it is started in."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from services.cli.up.child import Child

TELL = """
import json, os, pathlib
pathlib.Path("told.json").write_text(json.dumps(dict(os.environ)))
"""


@pytest.mark.slow
async def test_settings_are_passed_on_but_not_those_of_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one machine everything is on loopback, and asked without: half the system would not find the other."""
    (tmp_path / "teller.py").write_text(TELL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(__file__).parents[3]}")
    monkeypatch.setenv("FOLDTABLE_RATE_LIMITS", "key.moves=5/60")
    monkeypatch.setenv("FOLDTABLE_TLS_CERTIFICATE_FILE", "somewhere.pem")
    told = tmp_path / "told.json"

    async def has_told() -> bool:
        return told.exists() and bool(told.read_bytes())

    child = Child(
        "teller",
        "teller",
        address="nowhere",
        environment={"FOLDTABLE_LISTEN": "here"},
        log=tmp_path / "teller.log",
        ready=has_told,
        say=lambda _: None,
        grace_seconds=5,
    )
    await child.start()
    await child.stop()
    ours = {name for name in msgspec.json.decode(told.read_bytes()) if name.startswith("FOLDTABLE_")}
    assert ours >= {"FOLDTABLE_RATE_LIMITS", "FOLDTABLE_LISTEN"}
    assert "FOLDTABLE_TLS_CERTIFICATE_FILE" not in ours
