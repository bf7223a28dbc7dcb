"""Where two recordings differ, and what is no difference."""

from __future__ import annotations

from dataclasses import replace

from tests.proofs.leaks.pins import blotted
from tests.proofs.leaks.recording import RecordedPlace, Recording, compare

HERE = RecordedPlace("views", "al_rashid", 4, "seat 1", 12, "GET view")


def told(*pieces: tuple[RecordedPlace, bytes]) -> Recording:
    recording = Recording()
    for place, content in pieces:
        recording.hear(place, content)
    return recording


def test_a_difference_names_the_channel_the_game_the_audience_the_version_and_the_byte() -> None:
    found = compare(told((HERE, b'{"hand":[3]}')), told((HERE, b'{"hand":[5]}')))
    (difference,) = found.differences
    assert (difference.place, difference.position) == (HERE, 9)
    assert str(difference).startswith("views: al_rashid, match 4, seat 1, version 12, GET view: byte 9")
    assert found.found_in == {"views"}


def test_a_byte_more_is_a_difference() -> None:
    (difference,) = compare(told((HERE, b"{}")), told((HERE, b"{} "))).differences
    assert difference.position == 2


def test_what_is_told_in_one_run_only_is_a_difference() -> None:
    there = replace(HERE, version=13)
    assert compare(told((HERE, b"{}")), told((HERE, b"{}"), (there, b"{}"))).found_in == {"views"}
    assert compare(told((HERE, b"{}"), (HERE, b"{}")), told((HERE, b"{}"))).found_in == {"views"}


def test_the_order_in_which_places_were_heard_is_chance() -> None:
    there = replace(HERE, channel="event stream")
    found = compare(told((HERE, b"1"), (there, b"2")), told((there, b"2"), (HERE, b"1")))
    assert found.differences == []
    assert found.pairs.total() == found.bytes.total() == 2


def test_what_is_blotted_out_has_the_form_it_should_have() -> None:
    assert blotted(b'"hash":"' + b"0a" * 32 + b'"') == b'"hash":"<keyed hash>"'
    assert blotted(b'"hash":"king of spades"') == b'"hash":"king of spades"'
    assert blotted(b'"expires_at":"2026-05-04T12:00:00.5Z"') == b'"expires_at":"<time>"'
    assert (
        blotted(b'"id":"01940000-0000-7000-8000-000000000000"')
        == b'"id":"01940000-0000-7000-8000-000000000000"'
    )
