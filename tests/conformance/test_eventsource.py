"""npm's `eventsource`, unmodified: a reader whose line is cut at every event misses nothing and hears nothing twice."""

from __future__ import annotations

from tests.support.node import printed_by
from tests.support.several_of_each import Several


def test_a_reader_who_is_cut_off_at_every_event_hears_every_move_once(stack: Several) -> None:
    told = printed_by("eventsource_cut.mjs", GATEWAY=stack.urls[0], KEY=stack.key, GAME="al_rashid")
    assert set(told["names"]) <= {"snapshot", "move.applied", "match.ended"}, "neither reset nor lagged"
    assert told["snapshots"] == 1, "what was missed is told move by move"
    assert told["told_at_last"] == "ended", "the last move says so, if the line breaks before match.ended"
    assert told["connections"] > told["moves"] / 3, "the line was really cut"
    assert told["resumed"] >= told["connections"] - 2, "and each time taken up where it broke"
    assert told["stopped_by"] == 204, "and after the end nobody comes back"
