"""`?dry_run=true`: the move is judged like any other, and nothing comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gateway.table import PROGRAM, Table


def rehearse(table: Table, body: dict[str, Any], **headers: str) -> Any:
    return table.players[0].post(
        f"{table.path}/moves", params={"dry_run": "true"}, json=body, headers=headers
    )


def test_a_legal_move_is_said_to_be_legal_and_nothing_more(table: Table) -> None:
    answer = rehearse(table, {"action": PROGRAM, "expected_version": 1}, **{"idempotency-key": '"move-1"'})
    assert (answer.status_code, answer.json()) == (
        200,
        {"match_id": table.match_id, "version": 1, "dry_run": True, "legal": True},
    )
    assert table.match()["version"] == 1
    made = table.players[0].move(PROGRAM, 1, headers={"idempotency-key": '"move-1"'})
    assert (made.status_code, made.headers.get("idempotent-replayed")) == (200, None)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        pytest.param(
            {"action": {"type": "submit_program", "cards": []}, "expected_version": 1}, {}, id="malformed"
        ),
        pytest.param({"action": PROGRAM}, {}, id="without a version"),
        pytest.param({"action": PROGRAM, "expected_version": 7}, {}, id="at a version there is not"),
        pytest.param({"action": PROGRAM}, {"if-match": '"v:7"'}, id="if it matched"),
        pytest.param({"action": PROGRAM, "expected_version": 1, "seat": 1}, {}, id="for another seat"),
    ],
)
def test_a_refusal_is_the_one_the_move_would_get(
    table: Table, body: dict[str, Any], headers: dict[str, str]
) -> None:
    rehearsal = rehearse(table, body, **headers)
    made = table.players[0].post(f"{table.path}/moves", json=body, headers=headers)
    assert rehearsal.status_code == made.status_code >= 400
    assert without_trace(rehearsal.json()) == without_trace(made.json())


@pytest.mark.parametrize("value", ["yes", "", "2"])
def test_it_is_true_or_false(table: Table, value: str) -> None:
    answer = table.players[0].post(
        f"{table.path}/moves", params={"dry_run": value}, json={"action": PROGRAM, "expected_version": 1}
    )
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["parameter"] == "dry_run"


def without_trace(problem: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in problem.items() if name != "trace_id"}
