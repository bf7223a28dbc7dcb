"""Buckets: a quota that may be used at once, fills up again at a steady rate, and is told in the words of the draft."""

from __future__ import annotations

import pytest

from gateway.access.rate_limits import (
    DEFAULTS,
    Account,
    Bucket,
    Holder,
    Limit,
    RateLimiter,
    Taken,
    read_limits,
)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class World:
    """A key with a bucket of ten moves in five seconds."""

    def __init__(self, requests: int = 10, seconds: int = 5) -> None:
        self.clock = Clock()
        limits = {
            (Holder.KEY, Bucket.MOVES): Limit(requests, seconds),
            (Holder.KEY, Bucket.READS): Limit(3, 60),
        }
        self.limiter = RateLimiter(limits, clock=self.clock)
        self.account = Account(Holder.KEY)

    def move(self, times: int = 1) -> Taken:
        for _ in range(times):
            taken = self.limiter.take(self.account, Bucket.MOVES)
        return taken

    def move_more(self, more: int) -> Taken:
        """Let a move count for more than one."""
        assert not self.move().wait_seconds
        return self.limiter.take_more(self.account, Bucket.MOVES, more)


def test_a_whole_quota_may_be_used_at_once_and_not_one_more() -> None:
    world = World()
    assert [world.move().left for _ in range(10)] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    refused = world.move()
    assert refused.wait_seconds == 1


def test_a_refused_request_costs_nothing() -> None:
    world = World()
    world.move(10)
    for _ in range(100):
        assert world.move().wait_seconds
    world.clock.now += 0.5
    assert not world.move().wait_seconds


def test_a_bucket_fills_up_at_a_steady_rate() -> None:
    world = World()
    world.move(10)
    world.clock.now += 1.0
    assert [bool(world.move().wait_seconds) for _ in range(3)] == [False, False, True]
    world.clock.now += 60
    assert world.move().left == 9, "and no further than its quota"


def test_who_comes_back_when_told_is_let_in() -> None:
    world = World(requests=3, seconds=10)
    world.move(3)
    wait = world.move().wait_seconds
    assert wait == 4, "3.3 s, and a client that comes back early only comes back twice"
    world.clock.now += wait
    assert not world.move().wait_seconds


def test_over_time_nobody_gets_more_than_quota_and_rate() -> None:
    world = World(requests=10, seconds=5)
    granted = 0
    for _ in range(2_000):
        granted += not world.move().wait_seconds
        world.clock.now += 0.01
    assert granted in range(10 + 40 - 1, 10 + 40 + 1), "ten at once, then two a second for twenty seconds"


def test_a_request_may_count_for_several() -> None:
    world = World()
    assert world.move_more(4).headers()[0] == (b"ratelimit", b'"moves";r=5;t=1')
    assert world.move_more(4).headers()[0] == (b"ratelimit", b'"moves";r=0;t=1')
    assert world.move().wait_seconds == 1


def test_a_request_that_counts_for_more_than_is_left_takes_only_what_was_taken_for_it() -> None:
    world = World(requests=10, seconds=50)
    world.move(5)
    refused = world.move_more(6)
    assert (refused.left, refused.wait_seconds) == (4, 10)
    assert refused.headers()[0] == (b"ratelimit", b'"moves";r=4;t=5')
    world.clock.now += 10 - 5
    assert world.limiter.take_more(world.account, Bucket.MOVES, 6).wait_seconds == 5, "not a moment earlier"
    world.clock.now += 5
    assert not world.limiter.take_more(world.account, Bucket.MOVES, 6).wait_seconds


def test_what_counts_for_more_than_the_quota_waits_for_a_full_bucket_and_is_paid_for_afterwards() -> None:
    world = World(requests=10, seconds=50)
    world.move()
    assert world.move_more(24).wait_seconds == 5
    world.clock.now += 50
    taken = world.move_more(24)
    assert (taken.left, taken.wait_seconds) == (0, 0)
    assert taken.headers()[0] == (b"ratelimit", b'"moves";r=0;t=80')
    assert {bucket: left for bucket, _, left in world.limiter.standing(world.account)}[Bucket.MOVES] == 0
    assert world.move().wait_seconds == 80, "fifteen more than the quota, and the one that is asked for"
    world.clock.now += 80
    assert not world.move().wait_seconds


def test_over_time_nobody_gets_more_by_asking_for_several_at_once() -> None:
    world = World(requests=10, seconds=5)
    granted = 0
    for _ in range(2_000):
        if not world.move().wait_seconds:
            granted += 1 + (
                0 if world.limiter.take_more(world.account, Bucket.MOVES, 16).wait_seconds else 16
            )
        world.clock.now += 0.01
    assert granted <= 10 + 40 + 17


def test_buckets_and_accounts_are_apart() -> None:
    world = World()
    world.move(10)
    assert world.limiter.take(world.account, Bucket.READS).left == 2
    assert world.limiter.take(Account(Holder.KEY), Bucket.MOVES).left == 9


def test_the_header_fields_are_those_of_the_draft() -> None:
    world = World(requests=10, seconds=5)
    assert world.move().headers() == [
        (b"ratelimit", b'"moves";r=9;t=1'),
        (b"ratelimit-policy", b'"moves";q=10;w=5'),
    ]
    world.move(9)
    assert world.move().headers()[0] == (b"ratelimit", b'"moves";r=0;t=1')


def test_standing_tells_every_bucket_without_taking_anything() -> None:
    world = World()
    world.move(4)
    for _ in range(2):
        assert {bucket: left for bucket, _, left in world.limiter.standing(world.account)} == {
            Bucket.MOVES: 6,
            Bucket.READS: 3,
        }


def test_quotas_are_settings_and_the_rest_keeps_its_default() -> None:
    limits = read_limits("key.moves = 60/1, token.reads=5/2,")
    assert limits[Holder.KEY, Bucket.MOVES] == Limit(60, 1)
    assert limits[Holder.TOKEN, Bucket.READS] == Limit(5, 2)
    assert limits[Holder.TOKEN, Bucket.MOVES] == DEFAULTS[Holder.TOKEN, Bucket.MOVES]


@pytest.mark.parametrize(
    "text",
    ["moves=1/1", "key.moves", "key.moves=1", "key.moves=0/1", "key.moves=1/0", "key.moves=-1/1", "key.chess=1/1",
     "nobody.moves=1/1", "address.moves=1/1", "key.moves=1/1/1"],
)  # fmt: skip
def test_a_quota_that_cannot_be_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not of the form|is not a bucket"):
        read_limits(text)


def test_every_holder_has_a_limit_for_everything_it_can_ask() -> None:
    for holder in (Holder.KEY, Holder.TOKEN):
        assert {bucket for owner, bucket in DEFAULTS if owner is holder} == set(Bucket) - {Bucket.ANONYMOUS}
    assert [bucket for owner, bucket in DEFAULTS if owner is Holder.ADDRESS] == [Bucket.ANONYMOUS]
