"""@grpc/grpc-js with @grpc/proto-loader: whole matches with typed messages, from the published descriptors alone."""

from __future__ import annotations

from typing import Any

import pytest

from engine.registry import GAMES
from tests.support.node import printed_by
from tests.support.several_of_each import Several

DETAILS = ("google.rpc.ErrorInfo", "foldtable.rules.v1.Refusal", "foldtable.matches.v1.Standing")
FAILED_PRECONDITION = 9


def played(stack: Several, script: str, **more: str) -> dict[str, Any]:
    return printed_by(script, GATEWAY=stack.urls[0], RULES=stack.rules_addresses[0], KEY=stack.key, **more)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_with_typed_messages(stack: Several, game: str) -> None:
    told = played(stack, "grpc_match.mjs", GAME=game)
    assert told["status"] == "MATCH_STATUS_ENDED"
    assert "match_ended" in told["kinds"]
    with stack.client(stack.key) as client:
        match = client.get(f"/v1/matches/{told['match_id']}").json()
        assert (match["status"], match["version"]) == ("ended", told["version"])
        verified = client.get(f"/v1/matches/{told['match_id']}/verify").json()
        assert (verified["ok"], verified["decided_again"]) == (True, True)


def test_many_matches_are_played_over_one_stream(stack: Several) -> None:
    told = played(stack, "grpc_stream.mjs", GAME="river_dragons", MATCHES="4")
    assert [match["status"] for match in told["matches"]] == ["MATCH_STATUS_ENDED"] * 4
    assert told["messages"] < sum(match["version"] - 1 for match in told["matches"]), (
        "several calls a message"
    )


def test_a_refusal_arrives_with_all_its_details(stack: Several) -> None:
    told = played(stack, "grpc_stream.mjs", GAME="al_rashid", MATCHES="1")
    details = [f"type.googleapis.com/{name}" for name in DETAILS]
    assert told["refused"] == {"code": FAILED_PRECONDITION, "reason": "MATCH_OVER", "details": details}
    assert told["unary"] == {"code": FAILED_PRECONDITION, "details": details}
