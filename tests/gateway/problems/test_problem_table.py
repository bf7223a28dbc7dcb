"""The one mapping table, in both directions."""

from __future__ import annotations

import re
from pathlib import Path

import grpc
import pytest

from gateway.problems.reasons import REASONS, reason_for, reasons_with
from services.process import reasons
from services.process.reasons import Reason, read_words

# (reason, gRPC code, HTTP status, HTTP status with If-Match where it differs)
TABLE = [
    ("MALFORMED_REQUEST", "INVALID_ARGUMENT", 400, None),
    ("MALFORMED_MOVE", "INVALID_ARGUMENT", 400, None),
    ("MALFORMED_OPTIONS", "INVALID_ARGUMENT", 400, None),
    ("PAGE_TOKEN_INVALID", "INVALID_ARGUMENT", 400, None),
    ("GAME_UNKNOWN", "INVALID_ARGUMENT", 400, None),
    ("VERSION_REQUIRED", "INVALID_ARGUMENT", 428, None),
    ("WRONG_DECISION", "FAILED_PRECONDITION", 422, None),
    ("SEAT_COUNT", "FAILED_PRECONDITION", 422, None),
    ("SEAT_UNKNOWN", "FAILED_PRECONDITION", 422, None),
    ("PLANK_TOO_SHORT", "FAILED_PRECONDITION", 422, None),
    ("NOT_YOUR_TURN", "FAILED_PRECONDITION", 409, None),
    ("MATCH_OVER", "FAILED_PRECONDITION", 409, None),
    ("UNDO_NOT_ALLOWED", "FAILED_PRECONDITION", 422, None),
    ("NOTHING_TO_UNDO", "FAILED_PRECONDITION", 422, None),
    ("NOTHING_TO_REDO", "FAILED_PRECONDITION", 422, None),
    ("PROPOSAL_OPEN", "FAILED_PRECONDITION", 409, None),
    ("ABORT_NOT_ALLOWED", "FAILED_PRECONDITION", 422, None),
    ("NOTHING_TO_PLAY", "FAILED_PRECONDITION", 422, None),
    ("NO_CERTAIN_END", "FAILED_PRECONDITION", 422, None),
    ("NO_PROPOSAL", "FAILED_PRECONDITION", 409, None),
    ("TIME_IS_UP", "FAILED_PRECONDITION", 409, None),
    ("NOT_AWAY", "FAILED_PRECONDITION", 409, None),
    ("MATCH_NOT_STARTED", "FAILED_PRECONDITION", 409, None),
    ("SEAT_TAKEN", "FAILED_PRECONDITION", 409, None),
    ("NO_FREE_SEAT", "FAILED_PRECONDITION", 409, None),
    ("VERSION_CONFLICT", "ABORTED", 409, 412),
    ("REQUEST_ID_REUSED", "ALREADY_EXISTS", 422, None),
    ("TOKEN_MISSING", "UNAUTHENTICATED", 401, None),
    ("TOKEN_INVALID", "UNAUTHENTICATED", 401, None),
    ("TOKEN_EXPIRED", "UNAUTHENTICATED", 401, None),
    ("SEAT_FORBIDDEN", "PERMISSION_DENIED", 403, None),
    ("TENANT_ONLY", "PERMISSION_DENIED", 403, None),
    ("MATCH_NOT_FOUND", "NOT_FOUND", 404, None),
    ("GAME_NOT_FOUND", "NOT_FOUND", 404, None),
    ("VERSION_NOT_FOUND", "NOT_FOUND", 404, None),
    ("TENANT_EXISTS", "ALREADY_EXISTS", 409, None),
    ("KEY_INACTIVE", "FAILED_PRECONDITION", 409, None),
    ("TENANT_NOT_FOUND", "NOT_FOUND", 404, None),
    ("KEY_NOT_FOUND", "NOT_FOUND", 404, None),
    ("RATE_LIMITED", "RESOURCE_EXHAUSTED", 429, None),
    ("RULES_UNAVAILABLE", "UNAVAILABLE", 503, None),
    ("LOG_UNAVAILABLE", "UNAVAILABLE", 503, None),
    ("RULES_TIMEOUT", "DEADLINE_EXCEEDED", 504, None),
    ("REPLAY_MISMATCH", "DATA_LOSS", 500, None),
    ("INTERNAL", "INTERNAL", 500, None),
]


@pytest.mark.parametrize(("name", "code", "status", "conditional"), TABLE)
def test_a_reason_has_one_code_and_one_status(
    name: str, code: str, status: int, conditional: int | None
) -> None:
    row = reason_for(name, grpc.StatusCode[code])
    assert row.name == name
    assert row.code is grpc.StatusCode[code]
    assert row.status_for(conditional=False) == status
    assert row.status_for(conditional=True) == (conditional or status)


@pytest.mark.parametrize(("name", "code", "status", "conditional"), TABLE)
def test_the_way_back_from_a_status_finds_the_reason(
    name: str, code: str, status: int, conditional: int | None
) -> None:
    for told in (status, conditional):
        if told is not None and name in REASONS:
            assert name in {row.name for row in reasons_with(told)}


def test_a_reason_without_words_and_words_without_a_reason_stop_the_gateway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(REASONS) == [reason.value for reason in Reason]
    text = reasons.WORDS.read_text()
    monkeypatch.setattr(reasons, "WORDS", tmp_path / "reasons.toml")
    for changed in (
        text.replace("[TOO_SLOW]", "[TOO_FAST]"),
        text + '[MORE]\ntitle = "More"\nmeaning = "."\n',
    ):
        reasons.WORDS.write_text(changed)
        with pytest.raises(ValueError, match=r"TOO_FAST, TOO_SLOW|MORE"):
            read_words()


def test_a_status_without_a_reason_is_judged_by_its_code() -> None:
    told = {code: reason_for("", code) for code in grpc.StatusCode if code is not grpc.StatusCode.OK}
    assert told[grpc.StatusCode.UNAVAILABLE].name == "RULES_UNAVAILABLE"
    assert told[grpc.StatusCode.DEADLINE_EXCEEDED].name == "RULES_TIMEOUT"
    assert told[grpc.StatusCode.UNKNOWN].name == "INTERNAL"
    assert told[grpc.StatusCode.UNIMPLEMENTED].name == "INTERNAL"
    assert told[grpc.StatusCode.RESOURCE_EXHAUSTED].name == "INTERNAL"  # gRPC's own: a message was too large
    assert told[grpc.StatusCode.FAILED_PRECONDITION].name == "INTERNAL"


def test_an_unknown_reason_is_a_games_rule_only_where_rules_are_told() -> None:
    assert reason_for("FUTURE_REASON", grpc.StatusCode.FAILED_PRECONDITION).status == 422
    assert reason_for("FUTURE_REASON", grpc.StatusCode.NOT_FOUND).name == "INTERNAL"


def test_every_row_can_be_read_by_machines_and_people() -> None:
    for name, row in REASONS.items():
        assert re.fullmatch(r"[A-Z][A-Z0-9_]{1,61}[A-Z0-9]", name)  # AIP-193
        assert row.title
        assert not row.title.endswith(".")
        assert row.meaning.endswith(".")
    assert len({row.title for row in REASONS.values()}) == len(REASONS)
