"""Where a service answers, as settings say it."""

from __future__ import annotations

import pytest

from gateway.upstream.sticky import Sticky
from gateway.upstream.targets import Target, read_target


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("127.0.0.1:7100", Target("ipv4:127.0.0.1:7100", 1)),
        ("127.0.0.1:7100|127.0.0.1:7101", Target("ipv4:127.0.0.1:7100,127.0.0.1:7101", 2)),
        ("[::1]:7100 | [::1]:7101", Target("ipv6:[::1]:7100,[::1]:7101", 2)),
        ("rules.foldtable.svc:7100", Target("rules.foldtable.svc:7100", None)),
    ],
)
def test_addresses_are_read(text: str, target: Target) -> None:
    assert read_target(text) == target


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7100",
        "127.0.0.1",
        "127.0.0.1:99999",
        "127.0.0.1:7100|",
        "one.example:7100|two.example:7100",
        "127.0.0.1:7100|[::1]:7100",
        "127.0.0.1:7100|127.0.0.1:7100",
        "http://rules:7100",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"7100|host:port|''"):
        read_target(text)


def test_a_match_stays_with_its_stream_and_many_matches_use_all() -> None:
    numbers = iter(range(100))
    streams = Sticky(lambda: next(numbers), 4)
    matches = [f"match {number}" for number in range(200)]
    assert [streams.of(one) for one in matches] == [streams.of(one) for one in matches]
    assert {streams.of(one) for one in matches} == {0, 1, 2, 3}
