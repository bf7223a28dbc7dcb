"""What we tell schemathesis beside its configuration; it loads this file through SCHEMATHESIS_HOOKS.

Requests that are meant to be refused go out as they are. Well-formed ones that follow links from answer to answer are made
a little likelier to be accepted, or no chain of them would ever get as far as a move.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from typing import Any, Final

import httpx
import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.generation.meta import StatefulPhaseData
from schemathesis.openapi.checks import RejectedPositiveData

from gateway.openapi.links import MEMBERS
from tests.conformance.schemathesis_exceptions import meant

NOBODYS_MATCH = "0190a5f2-0000-7000-8000-000000000001"
"""In place of a match that the others are still to be asked about: it is not there to be deleted."""
KEPT_KEYS: Final = frozenset(os.environ.get("FOLDTABLE_KEPT_KEYS", "").split(","))
"""Ids of the keys that schemathesis itself asks with: it must not revoke them."""
NOBODYS_KEY: Final = "00000000-0000-4000-8000-000000000000"
ADDRESS: Final = os.environ.get("FOLDTABLE_ADDRESS", "")
MATCHES: Final = tuple(os.environ.get("FOLDTABLE_MATCHES", "").split(","))
"""Matches that there are (schemathesis_matches.py)."""
LONG_POLL: Final = re.compile(r"[1-9][0-9]?s")
ACTS: Final = frozenset(
    [
        "makeMove",
        "resignSeat",
        "returnToSeat",
        "undoMoves",
        "redoMoves",
        "answerUndo",
        "abortMatch",
        "answerAbort",
        "pauseMatch",
        "answerPause",
        "resumeMatch",
        "askToReplace",
        "answerReplacement",
        "addTime",
    ]
)
NOW_AND_THEN: Final = 5
ABOUT_NOW: Final = 5
"""Characters at the beginning of an id that stay the same for days (UUIDv7)."""
SMALLEST_TABLE: Final = 2
"""Seats of the matches in the examples."""


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    """Put bodies of which a link names the members where schemathesis looks for them."""
    for item in raw_schema["paths"].values():
        for operation in item.values():
            for answer in operation["responses"].values():
                for link in answer.get("links", {}).values():
                    if MEMBERS in link:
                        link["requestBody"] = link.pop(MEMBERS)


def operation_id(case: schemathesis.Case) -> str:
    found: str = case.operation.definition.raw["operationId"]
    return found


@schemathesis.hook
def filter_failure(
    context: schemathesis.HookContext, failure: Failure, case: schemathesis.Case, response: Response
) -> bool:
    """Keep a failure, unless it is a refusal that is meant."""
    if isinstance(failure, RejectedPositiveData):
        return not meant(operation_id(case), json.loads(response.content))
    return True


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Let no long poll wait and no key be revoked that is still needed; help chains along."""
    if case.query and LONG_POLL.fullmatch(str(case.query.get("wait", ""))):
        case.query["wait"] = "0s"
    if case.path_parameters and case.path_parameters.get("key_id") in KEPT_KEYS:
        case.path_parameters["key_id"] = NOBODYS_KEY
    if operation_id(case) == "deleteMatch" and case.path_parameters.get("match_id") in MATCHES:
        case.path_parameters["match_id"] = NOBODYS_MATCH
        return
    if case.meta is not None and case.meta.generation.mode.is_positive:
        a_match_there_is(case.path_parameters)
        if isinstance(case.meta.phase.data, StatefulPhaseData):
            likelier(case)
            as_things_stand(case)


def a_match_there_is(values: dict[str, Any] | None) -> None:
    """Put a match in place of an id that was made up."""
    made_up = str((values or {}).get("match_id", ""))
    chosen = MATCHES[zlib.crc32(made_up.encode()) % len(MATCHES)]
    if values is not None and made_up and made_up[:ABOUT_NOW] != chosen[:ABOUT_NOW]:
        values["match_id"] = chosen


def likelier(case: schemathesis.Case) -> None:
    """Say nothing twice, ask for seats that there are, and create matches as the examples do."""
    if isinstance(case.body, dict):
        if operation_id(case) == "createMatch" and (example := example_for(case)) is not None:
            case.body = example
        if case.body.get("expected_version") is not None:
            case.headers.pop("If-Match", None)
        if case.body.get("request_id") is not None:
            case.headers.pop("Idempotency-Key", None)
        seat_at_the_table(case.body)
    seat_at_the_table(case.path_parameters)
    if case.query:
        seat_at_the_table(case.query)
        if case.query.get("audience") in {"public", "referee"}:
            case.query.pop("seat", None)


def as_things_stand(case: schemathesis.Case) -> None:
    """Name the version the match stands at and a seat that is waited for; move as one may. Now and then none of it."""
    operation = operation_id(case)
    if operation not in ACTS or not isinstance(case.body, dict) or draw(case, NOW_AND_THEN) == 0:
        return
    match_id = case.path_parameters["match_id"]
    with httpx.Client(
        base_url=ADDRESS, headers=dict(case.headers or {}), timeout=10, trust_env=False
    ) as client:
        match = client.get(f"/v1/matches/{match_id}")
        if match.status_code != httpx.codes.OK:
            return
        seats = match.json()["to_act"] or [0]
        seat = seats[0] if operation == "makeMove" else case.body.get("seat") or seats[0]
        case.body |= {"seat": seat, "expected_version": match.json()["version"]}
        case.headers.pop("If-Match", None)
        if operation == "makeMove":
            legal = client.get(f"/v1/matches/{match_id}/legal-actions", params={"seat": seat, "samples": 1})
            case.body["action"] = next(iter(legal.json().get("samples", [])), case.body.get("action"))


def draw(case: schemathesis.Case, sides: int) -> int:
    """Throw a die that falls the same for the same body."""
    return zlib.crc32(json.dumps(case.body, sort_keys=True, default=str).encode()) % sides


def seat_at_the_table(values: dict[str, Any] | None) -> None:
    seat = (values or {}).get("seat")
    if values is not None and isinstance(seat, int):
        values["seat"] = seat % SMALLEST_TABLE


def example_for(case: schemathesis.Case) -> Any:
    """Return one of the operation's examples, the same for the same body; now and then none."""
    content = case.operation.definition.raw["requestBody"]["content"]["application/json"]
    examples = [None, *(example["value"] for example in content.get("examples", {}).values())]
    return examples[draw(case, len(examples))]
