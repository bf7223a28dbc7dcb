"""Tests start the system in three ways (CONTRIBUTING.md), so what a process needs to start is written down once."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SETTING = "webhook" + "_loopback"
"""Whoever says this starts a platform service whose webhooks may go to the tests themselves."""
WRITTEN_IN = {
    "tests/support/deployment.py": "the settings of processes",
    "tests/support/platform_stack.py": "in the test's own event loop",
    "tests/proofs/leaks/system.py": "in one event loop, where every byte is listened to",
    "tests/proofs/upgrades/systems.py": "processes of earlier releases, which know other settings",
    "tests/bench/bench_webhooks.py": "a process of any checkout, measured beside ours",
}
STARTED_IN = {
    "tests/support/running_system.py": "`foldtable up`",
    "tests/e2e/test_up.py": "what it says where another one runs already",
}


def found(text: str, folder: str = "tests") -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in (ROOT / folder).rglob("*.py")
        if path != Path(__file__) and text in path.read_text()
    }


def test_the_settings_of_a_process_are_written_down_once() -> None:
    assert found(SETTING) == WRITTEN_IN.keys()


def test_foldtable_up_is_started_in_one_way() -> None:
    assert found('[FOLDTABLE, "up"') | found('[program, "up"') == STARTED_IN.keys()


def test_no_product_code_knows_the_log_in_memory() -> None:
    for folder in ("engine", "services", "gateway", "migrations", "clients", "docs"):
        assert found("memory_log", folder) == set()
