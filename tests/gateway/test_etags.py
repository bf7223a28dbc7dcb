"""Preconditions: a match's version is its entity tag."""

from __future__ import annotations

import pytest

from gateway.http.preconditions import etag, expected_version, known_versions
from gateway.problems.document import ProblemError
from tests.gateway.requests import request


def test_a_version_is_a_strong_quoted_tag() -> None:
    assert etag(12) == '"v:12"'


@pytest.mark.parametrize("header", ['"v:12"', "v:12", ' "v:12" '])
def test_if_match_names_a_version_quoted_or_bare(header: str) -> None:
    assert expected_version(request(headers={"If-Match": header}), None) == (12, True)


def test_without_if_match_the_body_says_the_version() -> None:
    assert expected_version(request(), 12) == (12, False)
    assert expected_version(request(), None) == (None, False)


def test_both_forms_may_say_the_same() -> None:
    assert expected_version(request(headers={"If-Match": '"v:12"'}), 12) == (12, True)


@pytest.mark.parametrize(
    "header",
    [
        'W/"v:12"',
        "*",
        '"v:12", "v:13"',
        '"12"',
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


def test_two_if_match_headers_are_refused() -> None:
    with pytest.raises(ProblemError):
        expected_version(request(headers=[("If-Match", '"v:1"'), ("If-Match", '"v:2"')]), None)


def test_header_and_body_must_not_contradict_each_other() -> None:
    with pytest.raises(ProblemError) as refused:
        expected_version(request(headers={"If-Match": '"v:12"'}), 13)
    assert refused.value.members["errors"][0].code == "CONTRADICTION"


@pytest.mark.parametrize(
    ("headers", "known"),
    [
        pytest.param([], frozenset(), id="no header: nothing known"),
        pytest.param([("If-None-Match", '"v:3"')], {3}, id="one"),
        pytest.param([("If-None-Match", 'W/"v:3"')], {3}, id="compared weakly"),
        pytest.param([("If-None-Match", '"v:3", "v:4"'), ("If-None-Match", '"v:5"')], {3, 4, 5}, id="a list"),
        pytest.param([("If-None-Match", '"other", "v:4"')], {4}, id="foreign tags match nothing"),
        pytest.param([("If-None-Match", '"v:99999999999999999999"')], frozenset(), id="no such version"),
        pytest.param([("If-None-Match", "*")], None, id="any"),
    ],
)
def test_if_none_match_lists_what_the_reader_has(headers: list[tuple[str, str]], known: object) -> None:
    assert known_versions(request(headers=headers)) == known
