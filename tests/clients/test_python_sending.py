"""What the Python client does when the network and the servers do what they sometimes do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from foldtable_client import (
    AccessRevoked,
    Client,
    FeedEvent,
    MatchEnded,
    MoveApplied,
    ProblemError,
    SeatsUpdated,
    Snapshot,
    Unreachable,
    streams,
)

MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"
Answer = httpx.Response | Exception
UNAVAILABLE = {"status": 503, "reason": "LOG_UNAVAILABLE", "detail": "later"}


class Scripted:
    """A server that answers as told, one answer after the other, and remembers what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, **settings: Any) -> Client:
        return Client("http://table.test", "ft_dev_key", transport=httpx.MockTransport(self), **settings)

    def headers(self, name: str) -> list[str | None]:
        return [request.headers.get(name) for request in self.asked]


def broken() -> Answer:
    return httpx.ReadError("cut off")


def unavailable(**headers: str) -> Answer:
    return httpx.Response(503, json=UNAVAILABLE, headers=headers)


def test_a_move_is_sent_again_under_the_same_key_until_it_is_answered(slept: list[float]) -> None:
    server = Scripted(unavailable(), broken(), httpx.Response(504), httpx.Response(200, json={"version": 2}))
    assert server.client().move(MATCH, {"type": "pass"}, version=1, seat=0) == {"version": 2}
    keys = server.headers("Idempotency-Key")
    assert len(keys) == 4
    assert len(set(keys)) == 1
    assert server.headers("If-Match") == ['"v:1"'] * 4
    assert json.loads(server.asked[3].content) == {"action": {"type": "pass"}, "seat": 0}


def test_a_name_is_sent_again_as_it_is(slept: list[float]) -> None:
    server = Scripted(broken(), unavailable(), httpx.Response(200, json={"seats": []}))
    assert server.client().update_seat(MATCH, 1, name="Ada", data=None) == {"seats": []}
    assert {(request.method, request.url.path) for request in server.asked} == {
        ("PATCH", f"/v1/matches/{MATCH}/seats/1")
    }
    assert [json.loads(request.content) for request in server.asked] == [{"name": "Ada", "data": None}] * 3
    assert server.headers("Idempotency-Key") == [None] * 3


def test_two_moves_have_two_keys(slept: list[float]) -> None:
    server = Scripted(httpx.Response(200, json={}), httpx.Response(200, json={}))
    client = server.client()
    for version in (1, 2):
        client.move(MATCH, {"type": "pass"}, version=version)
    first, second = server.headers("Idempotency-Key")
    assert first != second


def test_the_caller_s_own_request_id_is_the_key(slept: list[float]) -> None:
    server = Scripted(httpx.Response(201, json={}))
    server.client().create_match(game="river_dragons", seats=2, request_id="order-17")
    assert server.headers("Idempotency-Key") == ['"order-17"']


def test_pauses_grow_and_are_never_shorter_than_retry_after(slept: list[float]) -> None:
    server = Scripted(
        *[unavailable()] * 3, unavailable(**{"Retry-After": "7"}), httpx.Response(200, json={"games": []})
    )
    server.client().games()
    assert slept[3] >= 7
    for pause, longest in zip(slept[:3], (0.1, 0.2, 0.4), strict=True):
        assert longest / 2 <= pause <= longest


def test_patience_ends(slept: list[float]) -> None:
    server = Scripted(unavailable(**{"Retry-After": "7"}))
    with pytest.raises(Unreachable, match="GET /v1/games: 503"):
        server.client(retry_for=5).games()
    assert slept == []


def test_a_post_without_a_key_is_not_sent_again_when_it_may_have_been_carried_out(slept: list[float]) -> None:
    server = Scripted(broken())
    with pytest.raises(Unreachable, match="may have been carried out"):
        server.client().start(MATCH)
    server = Scripted(unavailable())
    with pytest.raises(ProblemError, match="LOG_UNAVAILABLE"):
        server.client().start(MATCH)
    server = Scripted(
        httpx.ConnectError("nobody there"), httpx.Response(429), httpx.Response(200, json={"version": 1})
    )
    assert server.client().start(MATCH) == {"version": 1}


def test_an_answer_from_a_proxy_is_a_problem_too() -> None:
    server = Scripted(httpx.Response(403, text="<h1>no</h1>"))
    with pytest.raises(ProblemError) as refused:
        server.client().games()
    assert (refused.value.status, refused.value.reason, refused.value.detail) == (403, "", "<h1>no</h1>")


# ── streams ────────────────────────────────────────────────────────────────────────────────────────


class Told(httpx.SyncByteStream):
    """A stream of bytes in pieces, perhaps with a bad end."""

    def __init__(self, *pieces: bytes, end: Exception | None = None) -> None:
        self._pieces, self._end = pieces, end

    def __iter__(self) -> Iterator[bytes]:
        yield from self._pieces
        if self._end:
            raise self._end


def event(kind: str, number: int, **data: Any) -> bytes:
    told = json.dumps({"version": number, **data}, ensure_ascii=False)
    return f"id: {number}\nevent: {kind}\ndata: {told}\n\n".encode()


def move(number: int, status: str | None = "running", name: str = "") -> bytes:
    events = [{"type": "seat_taken", "name": name}]
    return event(
        "move.applied", number, type="move.applied", seat=0, events=events, to_act=[1], status=status
    )


def stream(*pieces: bytes, end: Exception | None = None) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Told(*pieces, end=end))


def test_a_stream_that_is_cut_anywhere_goes_on_where_it_was(slept: list[float]) -> None:
    events = [event("snapshot", 1, view={}), move(2), move(3), event("match.ended", 3, status="ended")]
    whole = b"".join(events)
    for cut in range(0, len(whole), 7):
        seen = sum(len(b"".join(events[: number + 1])) <= cut for number in range(len(events)))
        first, second = stream(whole[:cut], end=httpx.ReadError("cut off")), stream(*events[seen:])
        server = Scripted(first, second)
        told = list(server.client().follow(MATCH))
        assert told[0] == Snapshot(1, {}, match_id=MATCH)
        assert [each.version for each in told] == [1, 2, 3, 3]
        assert isinstance(told[-1], MatchEnded)
        assert server.headers("Last-Event-ID") == [None, str(seen) if seen else None]


def test_a_line_ends_at_a_line_feed_only(slept: list[float]) -> None:
    name = "Ada\u2028Lovelace\u0085"
    told = move(2, name=name)
    server = Scripted(stream(told[:40], told[40:], event("match.ended", 2)))
    applied, _ = server.client().follow(MATCH, after_version=1)
    assert isinstance(applied, MoveApplied)
    assert applied.events[0]["name"] == name


def test_a_server_that_stops_or_is_not_ready_is_come_back_to(slept: list[float]) -> None:
    server = Scripted(stream(move(2), event("drain", 2)), unavailable(), stream(move(3)), httpx.Response(204))
    *moves, end = server.client().follow(MATCH, after_version=1)
    assert [move.version for move in moves] == [2, 3]
    assert end == MatchEnded(3, MATCH)
    assert server.headers("Last-Event-ID") == [None, "2", "2", "3"]


def test_a_stream_that_is_refused_says_why(slept: list[float]) -> None:
    revoked = httpx.Response(401, json={"status": 401, "reason": "TOKEN_INVALID", "detail": ""})
    server = Scripted(stream(move(2), event("revoked", 2)), revoked)
    following = server.client().follow(MATCH, after_version=1)
    assert next(following).version == 2
    with pytest.raises(ProblemError, match="TOKEN_INVALID"):
        next(following)


def test_one_of_several_matches_that_is_closed_does_not_end_the_others(slept: list[float]) -> None:
    one, other = MATCH, MATCH.replace("0", "1")
    server = Scripted(
        stream(
            event("seats.updated", 0, match_id=other, status="waiting", seats=[], next_match_id=None),
            event("revoked", 2, match_id=one, reason="SEAT_FORBIDDEN"),
            event("match.ended", 7, match_id=other),
            event("match.ended", 7, match_id=other),
        ),
        httpx.Response(204),
    )
    told = list(server.client().follow_matches([one, other]))
    assert told == [
        SeatsUpdated(0, "waiting", [], None, other),
        AccessRevoked("SEAT_FORBIDDEN", one),
        MatchEnded(7, other),
    ]


def test_who_may_read_none_of_several_matches_any_more_is_not_told_that_they_ended(
    slept: list[float],
) -> None:
    one, other = MATCH, MATCH.replace("0", "1")
    lost = [event("revoked", of, match_id=of, reason="MATCH_NOT_FOUND") for of in (one, other)]
    for matches in ([one, other], [one]):
        server = Scripted(stream(*lost[: len(matches)]), httpx.Response(204))
        told = list(server.client().follow_matches(matches))
        assert told == [AccessRevoked("MATCH_NOT_FOUND", of) for of in matches]


def test_a_match_that_is_readable_again_ends_like_any_other(slept: list[float]) -> None:
    server = Scripted(
        stream(
            event("revoked", 1, match_id=MATCH, reason="MATCH_NOT_FOUND"),
            event("seats.updated", 0, match_id=MATCH, status="waiting", seats=[], next_match_id=None),
        ),
        httpx.Response(204),
    )
    assert list(server.client().follow_matches([MATCH]))[-1] == MatchEnded(0, MATCH)


def test_a_feed_tells_of_matches_and_keeps_its_housekeeping_to_itself(slept: list[float]) -> None:
    server = Scripted(
        stream(event("snapshot", 1, matches=[]), b"event: drain\ndata: {}\n\n"),
        stream(event("match.updated", 2)),
    )
    feed = server.client().feed("ada")
    assert next(feed) == FeedEvent("snapshot", {"version": 1, "matches": []})
    assert next(feed) == FeedEvent("match.updated", {"version": 2})
    assert server.headers("Last-Event-ID") == [None, "1"]


def test_a_stream_that_is_let_go_is_closed(slept: list[float]) -> None:
    closed: list[bool] = []

    class Endless(Told):
        def close(self) -> None:
            closed.append(True)

    server = Scripted(httpx.Response(200, stream=Endless(move(2), move(3))))
    following: Any = server.client().follow(MATCH, after_version=1)
    next(following)
    following.close()
    assert closed == [True]
    assert streams.QUIET_SECONDS > 15, "a ping comes every 15 seconds"
