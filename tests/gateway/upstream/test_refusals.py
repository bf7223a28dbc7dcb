"""A rules server's status as the problem a REST caller sees. Statuses are made by the rules server's own code."""

from __future__ import annotations

from enum import StrEnum

import grpc
import msgspec
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2, status_pb2

from engine.kernel.errors import RuleViolation, TableCode
from foldtable.matches.v1 import match_pb2, play_pb2
from foldtable.rules.v1 import payload_pb2, table_pb2
from gateway.problems.document import problem_response
from gateway.upstream.refusals import refused
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed, rule_broken, to_status


class Code(StrEnum):
    PLANK_TOO_SHORT = "PLANK_TOO_SHORT"


def document(
    status: status_pb2.Status, *, conditional: bool = False, in_query: bool = False
) -> dict[str, object]:
    problem = refused(status, conditional=conditional, in_query=in_query)
    response = problem_response(problem, {"type": "http", "path": "/v1/x"})
    read: dict[str, object] = msgspec.json.decode(response.body)
    assert read["status"] == response.status_code
    return read


def test_a_broken_rule_tells_paragraph_field_and_facts_with_their_types() -> None:
    violation = RuleViolation(
        Code.PLANK_TOO_SHORT, rule="7.2", field="b", reach=4, distance=5, stones=("a", "b"), sizes=(1, 2)
    )
    told = document(to_status(rule_broken(violation, game="river_dragons")))
    assert told["status"] == 422
    assert told["type"] == "/problems/PLANK_TOO_SHORT"
    assert (told["rule"], told["field"]) == ("7.2", "b")
    assert told["facts"] == {"reach": 4, "distance": 5, "stones": ["a", "b"], "sizes": [1, 2]}
    assert told["metadata"] == {
        "rule": "7.2",
        "reach": "4",
        "distance": "5",
        "stones": "a, b",
        "sizes": "1, 2",
    }


def test_a_refused_move_tells_what_was_missed_and_what_is_legal_now() -> None:
    standing = play_pb2.Standing(
        version=14,
        missed=[match_pb2.Move(version=14, seat=1, events=payload_pb2.Payload(json=b'[{"type":"moved"}]'))],
        pending=table_pb2.PendingDecision(seat=0, decision="program", rule="5", id="r2", simultaneous=True),
        actions=payload_pb2.Payload(json=b'[{"type":"jump"}]'),
        templates=payload_pb2.Payload(json=b"[]"),
    )
    conflict = Refused(Reason.VERSION_CONFLICT, "the match is at version 14, not 13", standing=standing)
    told = document(to_status(conflict))
    assert (told["status"], told["reason"], told["current_version"]) == (409, "VERSION_CONFLICT", 14)
    (missed,) = told["missed"]
    assert (missed["version"], missed["seat"], missed["action"]) == (14, 1, None)
    assert missed["events"] == [{"type": "moved"}]
    assert told["pending"]["decision"] == "program"
    assert told["legal_actions"] == {"actions": [{"type": "jump"}], "templates": []}
    assert document(to_status(conflict), conditional=True)["status"] == 412


def test_a_standing_without_a_decision_says_so() -> None:
    violation = RuleViolation(TableCode.NOT_YOUR_TURN, rule="4")
    told = document(
        to_status(rule_broken(violation, game="river_dragons", standing=play_pb2.Standing(version=3)))
    )
    assert (told["status"], told["pending"], told["missed"]) == (409, None, [])
    assert "legal_actions" not in told


def test_malformed_input_has_json_pointers() -> None:
    told = document(to_status(malformed("$.action.cards[2]", "is no card", reason=Reason.MALFORMED_MOVE)))
    assert (told["status"], told["reason"]) == (400, "MALFORMED_MOVE")
    assert told["errors"] == [
        {"code": "MALFORMED_MOVE", "detail": "is no card", "pointer": "/action/cards/2"}
    ]


@pytest.mark.parametrize(
    ("field", "parameter"),
    [
        ("$.seat", "seat"),
        ("$.audience.seat", "seat"),
        ("$.audience.kind", "audience"),
        ("$.at_version", "at"),
    ],
)
def test_of_a_query_the_parameter_is_named(field: str, parameter: str) -> None:
    told = document(to_status(malformed(field, "no")), in_query=True)
    assert told["errors"] == [{"code": "MALFORMED_REQUEST", "detail": "no", "parameter": parameter}]


def test_what_the_transport_says_stays_here() -> None:
    told = document(status_pb2.Status(code=code_pb2.UNAVAILABLE, message="connect 10.1.2.3:7100: refused"))
    assert told["reason"] == "RULES_UNAVAILABLE"
    assert "10.1.2.3" not in str(told)


def test_a_fault_tells_nothing() -> None:
    fault = Refused(Reason.INTERNAL, "KeyError: the hidden card", metadata={"card": "jump"})
    told = document(to_status(fault))
    assert (told["status"], told["reason"]) == (500, "INTERNAL")
    assert "card" not in str(told)


def test_an_unknown_detail_is_passed_over() -> None:
    status = to_status(Refused(Reason.SEAT_TAKEN, "seat 1 is taken", metadata={"seat": 1}))
    status.details.append(Packed(type_url="type.googleapis.com/foldtable.future.v9.Thing", value=b"\xff"))
    told = document(status)
    assert (told["status"], told["metadata"]) == (409, {"seat": "1"})


def test_how_long_to_wait_is_told_and_rounded_up() -> None:
    status = to_status(Refused(Reason.LOG_UNAVAILABLE, "later"))
    detail = Packed()
    detail.Pack(error_details_pb2.RetryInfo(retry_delay=Duration(seconds=3, nanos=1)))
    status.details.append(detail)
    assert refused(status).headers["retry-after"] == "4"


def test_who_must_wait_is_always_told_how_long() -> None:
    problem = refused(status_pb2.Status(code=grpc.StatusCode.UNAVAILABLE.value[0]))
    response = problem_response(problem, {"type": "http", "path": "/"})
    assert response.headers["retry-after"] == "1"


@pytest.mark.parametrize(
    ("reason", "challenge"),
    [
        (Reason.TOKEN_MISSING, 'Bearer realm="foldtable"'),
        (Reason.TOKEN_EXPIRED, 'Bearer realm="foldtable", error="invalid_token"'),
    ],
)
def test_an_unauthenticated_caller_is_told_how_to_authenticate(reason: Reason, challenge: str) -> None:
    response = problem_response(refused(to_status(Refused(reason, "no"))), {"type": "http", "path": "/"})
    assert (response.status_code, response.headers["www-authenticate"]) == (401, challenge)
