"""Every reason has one gRPC code, and a status fits where it travels."""

from __future__ import annotations

import re

import grpc
import pytest
from rules_stack import Refusal

from engine.kernel.errors import RuleViolation, TableCode
from foldtable.matches.v1 import play_pb2
from foldtable.rules.v1 import payload_pb2
from services.process.reasons import Reason
from services.rpc.refusals import MAX_TRAILER_BYTES, Refused, rule_broken, to_status, to_trailing_status


def test_every_reason_has_the_form_of_one() -> None:
    for reason in Reason:
        assert re.fullmatch(r"[A-Z][A-Z0-9_]+[A-Z0-9]", reason), "AIP-193"
        assert len(reason) <= 63


def test_a_rule_that_is_broken_is_a_failed_precondition_of_its_game() -> None:
    refused = rule_broken(
        RuleViolation(
            TableCode.SEAT_COUNT, rule="1", field="seats", seats=9, allowed=(2, 3), names=("a", "b")
        ),
        game="river_dragons",
    )
    refusal = Refusal.of_status(to_status(refused), refused.code)
    assert refused.code is grpc.StatusCode.FAILED_PRECONDITION
    assert refusal.info.domain == "foldtable"
    assert dict(refusal.info.metadata) == {"rule": "1", "seats": "9", "allowed": "2, 3", "names": "a, b"}
    assert refusal.rule is not None
    facts = {fact.name: fact for fact in refusal.rule.facts}
    assert facts["seats"].number == 9
    assert list(facts["allowed"].numbers.values) == [2, 3]
    assert list(facts["names"].texts.values) == ["a", "b"]


@pytest.mark.parametrize("size", [10, 100_000])
def test_what_is_too_large_for_trailers_stays_out_of_them(size: int) -> None:
    standing = play_pb2.Standing(version=7, actions=payload_pb2.Payload(json=b"x" * size))
    standing.pending.decision = "program"
    refused = Refused(Reason.VERSION_CONFLICT, "stale", standing=standing)
    whole = Refusal.of_status(to_status(refused), refused.code)
    trailing = Refusal.of_status(to_trailing_status(refused), refused.code)
    assert whole.standing is not None
    assert len(whole.standing.actions.json) == size
    assert trailing.standing is not None
    assert (trailing.standing.version, trailing.standing.pending.decision) == (7, "program")
    assert to_trailing_status(refused).ByteSize() <= MAX_TRAILER_BYTES
    assert (trailing.standing.actions.json == whole.standing.actions.json) == (size == 10)
