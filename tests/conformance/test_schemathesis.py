"""Schemathesis asks whatever the OpenAPI document allows, and much that it does not: of a real system, as two tenants.

No answer is a fault of ours, every answer is one that the document announces, and bad input is refused.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest

from gateway.access.rate_limits import DEFAULTS
from tests.conformance.schemathesis_exceptions import meant
from tests.conformance.schemathesis_matches import matches_to_ask_about
from tests.support.documents import ROOT
from tests.support.several_of_each import Several

HERE: Final = Path(__file__).parent
SCHEMATHESIS: Final = Path(sys.executable).with_name("st")
NO_LIMITS: Final = ",".join(f"{holder}.{bucket}=10000000/60" for holder, bucket in DEFAULTS)
RUNS: Final = {
    "each operation by itself": "--phases examples,coverage",
    "matches, from answer to answer": "--phases stateful --max-examples 25 "
    "--include-tag matches --include-tag moves --include-tag views --include-tag exports --include-tag bots",
    "the rest, from answer to answer": "--phases stateful --max-examples 10 "
    "--include-tag accounts --include-tag webhooks --include-tag streams",
}
SHORT: Final = "--generation-deterministic"
MORE: Final = os.environ.get("FOLDTABLE_SCHEMATHESIS", SHORT)
"""What else it is told: `make prove P=schemathesis` asks for more, and has the time."""
SECONDS: Final = 400 if MORE == SHORT else 0
"""At most, on a busy machine; without others each run takes some twenty."""
SCOPES: Final = ["matches:write", "bots:play", "webhooks:write", "keys:write"]


@pytest.fixture
def credentials(stack: Several, tmp_path: Path) -> dict[str, str]:
    """Keys that are good for everything: of two tenants, and of whoever runs the system."""
    keys = {"operator": stack.keys["operator"]}
    with stack.client(stack.keys["operator"]) as operator:
        for name in ("ours", "theirs"):
            tenant = f"asks_{tmp_path.name[-10:].strip('_-')}_{name}".lower()
            operator.post("/v1/tenants", json={"tenant": tenant}).raise_for_status()
            issued = operator.post(f"/v1/tenants/{tenant}/keys", json={"scopes": SCOPES})
            keys[name] = issued.raise_for_status().json()["secret"]
    return keys


@pytest.fixture
def environment(stack: Several, address: str, credentials: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """What schemathesis is started with: who asks, and which keys it must leave alone."""
    who = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {credentials[name]}"}]}
        for name in ("ours", "theirs", "operator")
    ]
    file = tmp_path / "credentials.json"
    file.write_text(json.dumps({"auth": who}))
    file.chmod(0o600)
    with stack.client(credentials["ours"]) as ours:
        matches = matches_to_ask_about(ours)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "NO_PROXY": "127.0.0.1",
        "PYTHONPATH": str(ROOT),
        "SCHEMATHESIS_HOOKS": "tests.conformance.schemathesis_hooks",
        "FOLDTABLE_CREDENTIALS": str(file),
        "FOLDTABLE_ADDRESS": address,
        "FOLDTABLE_MATCHES": ",".join(matches),
        "FOLDTABLE_KEPT_KEYS": ",".join(key_id(stack, key) for key in credentials.values()),
    }


def key_id(stack: Several, key: str) -> str:
    with stack.client(key) as client:
        return str(client.get("/v1/token").json()["key_id"])


@pytest.fixture
def address(stack: Several) -> Iterator[str]:
    """A gateway that counts no requests."""
    with stack.another_gateway("schemathesis", rate_limits=NO_LIMITS) as url:
        yield url


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS.keys())
def test_whatever_it_asks_it_is_answered_as_the_document_says(
    address: str, environment: dict[str, str], tmp_path: Path, run: str
) -> None:
    """Thousands of requests, all checks on: none fails us, all answers conform, bad input and strangers are refused."""
    document = tmp_path / "openapi.json"
    document.write_bytes(httpx.get(f"{address}/openapi.json", trust_env=False).content)
    done = subprocess.run(
        [
            *(SCHEMATHESIS, "--config-file", HERE / "schemathesis.toml"),
            *("run", document, "--url", address, *shlex.split(run), *shlex.split(MORE)),
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    print(done.stdout)  # `make prove P=schemathesis` shows it
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]


# ── the table of what is meant excuses nothing else ────────────────────────────────────────────────


def refusal(reason: str, code: str, detail: str = "", **place: str) -> dict[str, object]:
    return {"reason": reason, "errors": [{"code": code, "detail": detail, **place}]}


def test_a_refusal_that_stands_in_no_row_is_a_fault() -> None:
    seat = refusal("MALFORMED_REQUEST", "MALFORMED_REQUEST", pointer="/seat")
    assert meant("makeMove", seat)
    assert not meant("makeMove", refusal("MALFORMED_REQUEST", "MALFORMED_REQUEST", pointer="/action"))
    assert not meant("makeMove", refusal("MALFORMED_REQUEST", "UNKNOWN_FIELD", pointer="/seat"))
    assert not meant("makeMove", {"reason": "BODY_TOO_LARGE"})


def test_a_row_for_some_operations_is_for_no_others() -> None:
    url = refusal("MALFORMED_REQUEST", "MALFORMED_REQUEST", pointer="/url")
    assert meant("createEndpoint", url)
    assert not meant("createMatch", url)
    assert meant("makeMove", {"reason": "CARD_TWICE"})
    assert not meant("getView", {"reason": "CARD_TWICE"})


def test_a_refused_redo_is_a_rule_of_the_table() -> None:
    nothing = {"reason": "NOTHING_TO_REDO", "rule": "undo"}
    assert meant("redoMoves", nothing)
    assert not meant("getView", nothing)


def test_only_a_fraction_is_excused_where_a_whole_number_is_asked_for() -> None:
    wanted = ("must be a whole number", "must be a whole number or null")
    for words in wanted:
        fraction = f"{words}, got a number with a fraction or exponent"
        assert meant("makeMove", refusal("MALFORMED_REQUEST", "WRONG_TYPE", fraction, pointer="/seat"))
        string = f"{words}, got a string"
        assert not meant("makeMove", refusal("MALFORMED_REQUEST", "WRONG_TYPE", string, pointer="/seat"))
