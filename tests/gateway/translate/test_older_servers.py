"""What a gateway makes of the words of rules servers that are of an earlier release, as in the middle of an update."""

from __future__ import annotations

from foldtable.matches.v1 import match_pb2
from gateway.translate import messages


def a_match(**more: object) -> match_pb2.Match:
    """Return a match as the first release told it."""
    return match_pb2.Match(
        match_id="0190a5f2-0000-7000-8000-000000000001",
        game="river_dragons",
        rules_version="1.0.0",
        version=4,
        status=match_pb2.MATCH_STATUS_RUNNING,
        seats=[match_pb2.Seat(seat=0, taken=True, player="ada"), match_pb2.Seat(seat=1)],
        **more,
    )


def test_what_the_first_release_did_not_say_is_what_its_matches_got() -> None:
    told = messages.match(a_match())
    assert (told.visibility, told.start, told.undo) == ("private", "when_full", "consent")
    assert [seat.state for seat in told.seats] == ["taken", "open"]


def test_what_is_said_is_told() -> None:
    told = messages.match(
        a_match(visibility=match_pb2.MATCH_VISIBILITY_PUBLIC, undo=match_pb2.UNDO_RULE_NONE)
    )
    assert (told.visibility, told.undo) == ("public", "none")
