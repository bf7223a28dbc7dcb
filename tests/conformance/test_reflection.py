"""buf curl: a client that knows no contract asks for it by server reflection, in both versions, and calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.several_of_each import Several

BUF = Path(sys.executable).parent / "buf"
VERSIONS = ("grpc-v1", "grpc-v1alpha")


def curl(address: str, version: str, *arguments: str) -> str:
    """Return what a call prints. AssertionError unless it ends with 0."""
    command = [BUF, "curl", "--protocol", "grpc", "--http2-prior-knowledge", "--reflect-protocol", version]
    done = subprocess.run(
        [*command, *arguments[:-1], f"http://{address}{arguments[-1]}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("version", VERSIONS)
def test_whoever_knows_no_contract_lists_the_methods_and_calls_one(stack: Several, version: str) -> None:
    rules = stack.rules_addresses[0]
    methods = curl(rules, version, "--list-methods", "").split()
    assert {"foldtable.rules.v1.RulesService/DecideAction", "foldtable.matches.v1.MatchService/Act"} <= set(
        methods
    )
    listed = curl(rules, version, "--data", "{}", "/foldtable.rules.v1.RulesService/ListGames")
    assert "river_dragons" in {game["game"] for game in json.loads(listed)["games"]}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_platform_service_answers_as_well_and_takes_a_credential(stack: Several, version: str) -> None:
    key = ("--header", f"authorization: Bearer {stack.keys['manager']}", "--data", "{}")
    listed = curl(
        stack.platform_address, version, *key, "/foldtable.platform.v1.WebhookService/ListEndpoints"
    )
    assert json.loads(listed) == {}
