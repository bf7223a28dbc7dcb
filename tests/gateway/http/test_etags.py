"""Preconditions: a match's version is its entity tag."""

from __future__ import annotations

import re

import pytest

from gateway.access.audience_marks import audience_mark
from gateway.access.auth import Caller, MatchClaims, SessionClaims
from gateway.http.entity_tags import matching
from gateway.http.preconditions import etag, expected_version, known_versions, table_etag
from gateway.problems.document import ProblemError
from tests.gateway.requests import request

SEAT = Caller("Bearer one", MatchClaims(mid="m", game="g", gen=1, exp=9, seat=0))
OTHERS = (
    Caller("Bearer two", MatchClaims(mid="m", game="g", gen=1, exp=9, seat=1)),
    Caller("Bearer three", MatchClaims(mid="m", game="g", gen=2, exp=9, seat=0)),
    Caller("Bearer four", MatchClaims(mid="n", game="g", gen=1, exp=9, seat=0)),
    Caller("Bearer five", MatchClaims(mid="m", game="g", gen=1, exp=9, seat=0, role="invite")),
    Caller("Bearer six", MatchClaims(mid="m", game="g", gen=1, exp=9, role="spectator")),
    Caller("Bearer seven", MatchClaims(mid="m", game="g", gen=1, exp=9, role="referee")),
    Caller("Bearer eight", None, SessionClaims(ten="t", sub="ada", gen=1, exp=9)),
    Caller("Bearer nine", None, SessionClaims(ten="t", sub="bob", gen=1, exp=9)),
    Caller("Bearer ten", None, SessionClaims(ten="u", sub="ada", gen=1, exp=9)),
    Caller("Bearer eleven", None),
    Caller("Bearer twelve", None),
    Caller("", None, address="192.0.2.0/24"),
)


def test_a_version_is_a_strong_quoted_tag_with_a_mark() -> None:
    mark = audience_mark(SEAT, "view", "m")
    assert re.fullmatch("[0-9a-f]{12}", mark)
    assert etag(12, mark) == f'"v:12;a={mark}"'
    assert etag(12, mark, "it") == f'"v:12;it;a={mark}"'
    assert table_etag(12, "0123456789ab", mark, "it") == f'"v:12;it;s=0123456789ab;a={mark}"'


def test_no_two_callers_and_no_two_forms_have_the_same_mark() -> None:
    callers = (SEAT, *OTHERS)
    marks = {audience_mark(caller, *form) for caller in callers for form in FORMS}
    assert len(marks) == len(callers) * len(FORMS)


FORMS = (
    ("view", "m", None, 1, 0),
    ("view", "m", None, 1, 1),
    ("view", "m", None, 2, None),
    ("view", "m", 5, 1, 0),
    ("table", "m", 1, 0),
    ("move", "m"),
)


def test_a_fresh_token_of_the_same_seat_has_the_same_mark() -> None:
    later = Caller("Bearer more", MatchClaims(mid="m", game="g", gen=1, exp=99, seat=0))
    assert audience_mark(later, "view", "m") == audience_mark(SEAT, "view", "m")


VERSION_12 = [
    '"v:12"',
    "v:12",
    ' "v:12" ',
    'W/"v:12"',
    "W/v:12",
    '"v:12-gzip"',
    'W/"v:12-gzip"',
    '"v:12--gzip"',
    '"v:12;gzip"',
    '"v:12;br"',
    '"v:12:0"',
    '"v:12-br"',
    '"v:12-zstd-gzip"',
    '"v:12;;;"',
    '"v:12;it"',
    '"v:12;s=0123456789ab"',
    '"v:12;it;s=0123456789ab;a=0123456789ab-gzip"',
    '"v:12", "v:12-gzip"',
    '"v:11",W/"v:12"',
    ', "v:12",',
]


@pytest.mark.parametrize("header", VERSION_12)
def test_if_match_names_a_version_however_it_arrives(header: str) -> None:
    assert expected_version(request(headers={"If-Match": header}), None) == (12, True)


def test_without_if_match_the_body_says_the_version() -> None:
    assert expected_version(request(), 12) == (12, False)
    assert expected_version(request(), None) == (None, False)


def test_both_forms_may_say_the_same() -> None:
    assert expected_version(request(headers={"If-Match": '"v:12"'}), 12) == (12, True)


@pytest.mark.parametrize(
    "header",
    [
        "*",
        '"v:12", *',
        '"v:12", "abc"',
        '"12"',
        '"v:12',
        'v:12"',
        'w/"v:12"',
        'W/ "v:12"',
        '"v:12"x',
        '"v:12" "v:12"',
        '"v:12x"',
        '"v:12gzip"',
        '"v:12 -gzip"',
        '"v:12-\xfc"',
        '"v:12-' + "x" * 100 + '"',
        '"v:\u0661"'.encode().decode("latin-1"),
        ",",
        '"v:-1"',
        '"v:012"',
        '"v:1.5"',
        "",
        "v:",
        '"v:99999999999999999"',
        '"v:9007199254740993"',
    ],
)
def test_if_match_refuses_what_names_no_single_version(header: str) -> None:
    with pytest.raises(ProblemError) as refused:
        expected_version(request(headers={"If-Match": header}), None)
    assert refused.value.status == 400
    (part,) = refused.value.members["errors"]
    assert (part.header, part.code) == ("If-Match", "NOT_A_VERSION")


def test_of_several_versions_the_newest_counts_or_that_of_the_body() -> None:
    """Versions only grow, so whoever has seen the newest knows that the match is not at an older one."""
    several = [("If-Match", '"v:1"'), ("If-Match", '"v:2"')]
    assert expected_version(request(headers=several), None) == (2, True)
    assert expected_version(request(headers=several), 1) == (1, True)
    with pytest.raises(ProblemError):
        expected_version(request(headers=several), 3)


def test_header_and_body_must_not_contradict_each_other() -> None:
    with pytest.raises(ProblemError) as refused:
        expected_version(request(headers={"If-Match": '"v:12"'}), 13)
    assert refused.value.members["errors"][0].code == "CONTRADICTION"


@pytest.mark.parametrize(
    ("headers", "known"),
    [
        pytest.param([], set(), id="no header: nothing known"),
        pytest.param([("If-None-Match", '"v:3;a=0123456789ab"')], {3}, id="one"),
        pytest.param([("If-None-Match", 'W/"v:3;it;a=0123456789ab-gzip"')], {3}, id="from a proxy"),
        pytest.param(
            [("If-None-Match", '"v:3;a=0123456789ab", "v:4;a=0123456789ab"'), ("If-None-Match", '"v:5"')],
            {3, 4},
            id="a list; without a mark it is nobody's",
        ),
        pytest.param([("If-None-Match", '"other", "v:4;a=0123456789ab"')], {4}, id="foreign tags"),
        pytest.param([("If-None-Match", '"v:99999999999999999999;a=0123456789ab"')], set(), id="too large"),
        pytest.param([("If-None-Match", "*")], set(), id="any: none that is named"),
    ],
)
def test_if_none_match_lists_what_the_reader_has(headers: list[tuple[str, str]], known: object) -> None:
    assert known_versions(request(headers=headers)) == known


TAG = '"v:3;a=0123456789ab"'


@pytest.mark.parametrize(
    "sent",
    [TAG, f"W/{TAG}", f'"v:2", {TAG}', *(f'{TAG[:-1]}{end}"' for end in ("-gzip", "--gzip", ";br", ":0"))],
)
def test_the_same_tag_in_any_form_is_the_same(sent: str) -> None:
    found = matching(sent, TAG)
    assert found is not None
    assert sent.endswith(found), "the client finds what it has stored by the tag that it has sent"


@pytest.mark.parametrize(
    "sent",
    [
        "",
        '"v:3"',
        '"v:3-gzip"',
        '"v:3;a=0123456789ac"',
        '"v:3;a=0123456789ab0"',
        '"v:3;a=0123456789a"',
        '"v:3;it;a=0123456789ab"',
        '"v:3;s=0123456789ab;a=0123456789ab"',
        '"v:4;a=0123456789ab"',
        "v:3;a=0123456789ab",
        f"{TAG} {TAG}",
    ],
)
def test_another_tag_is_another(sent: str) -> None:
    assert matching(sent, TAG) is None


def test_any_is_what_there_is() -> None:
    assert matching("*", TAG) == TAG
