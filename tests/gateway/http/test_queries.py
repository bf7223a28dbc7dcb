"""Query and path parameters."""

from __future__ import annotations

import pytest

from gateway.http.path_parameters import match_id
from gateway.http.queries import read_query
from gateway.problems.document import ProblemError
from gateway.schemas.requests import (
    LegalActionsQuery,
    MovesQuery,
    StreamQuery,
    ViewQuery,
)
from tests.gateway.requests import request


def test_parameters_are_read_with_their_types() -> None:
    query = read_query(request(query=b"seat=1&audience=seat&at=3"), ViewQuery)
    assert (query.seat, query.audience, query.at) == (1, "seat", 3)


def test_what_is_not_said_has_its_default() -> None:
    assert read_query(request(), LegalActionsQuery) == LegalActionsQuery(seat=None, samples=0)


@pytest.mark.parametrize(
    ("query", "shape", "name", "code"),
    [
        (b"sea=1", ViewQuery, "sea", "UNKNOWN_FIELD"),
        (b"x=1", ViewQuery, "x", "UNKNOWN_FIELD"),
        (b"a/b~c=1", ViewQuery, "a/b~c", "UNKNOWN_FIELD"),
        (b"seat=", ViewQuery, "seat", "WRONG_TYPE"),
        (b"seat=one", ViewQuery, "seat", "WRONG_TYPE"),
        (b"seat=+1", ViewQuery, "seat", "WRONG_TYPE"),
        (b"seat=%D9%A1", ViewQuery, "seat", "WRONG_TYPE"),
        (b"seat=-1", ViewQuery, "seat", "OUT_OF_RANGE"),
        (b"seat=100", ViewQuery, "seat", "OUT_OF_RANGE"),
        (b"at=" + b"9" * 100, ViewQuery, "at", "OUT_OF_RANGE"),
        (b"audience=everybody", ViewQuery, "audience", "OUT_OF_RANGE"),
        (b"samples=101", LegalActionsQuery, "samples", "OUT_OF_RANGE"),
        (b"page_size=-1", MovesQuery, "page_size", "OUT_OF_RANGE"),
        (b"page_token=" + b"a" * 1025, MovesQuery, "page_token", "OUT_OF_RANGE"),
        (b"after_version=2.5", StreamQuery, "after_version", "WRONG_TYPE"),
        (b"seat=null", ViewQuery, "seat", "WRONG_TYPE"),
        (b"seat=1&seat=2", ViewQuery, "seat", "REPEATED"),
        (b"seat=%ff", ViewQuery, "", "NOT_A_QUERY"),
        (b"&".join(b"a%d=1" % number for number in range(40)), ViewQuery, "", "NOT_A_QUERY"),
    ],
)
def test_anything_else_is_refused_by_name(query: bytes, shape: type, name: str, code: str) -> None:
    with pytest.raises(ProblemError) as refused:
        read_query(request(query=query), shape)
    assert refused.value.status == 400
    (part,) = refused.value.members["errors"]
    assert (part.parameter, part.code) == (name, code)


def test_a_match_id_is_a_uuid_in_canonical_form() -> None:
    upper = "0197F0C4-6F5E-7C1A-9F53-2B1F6C0A7D11"
    assert match_id(request(match_id=upper)) == upper.lower()


@pytest.mark.parametrize(
    "value", ["", "1", "0197f0c46f5e7c1a9f532b1f6c0a7d11", "{0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11}", "../etc"]
)
def test_what_is_no_uuid_is_no_match(value: str) -> None:
    with pytest.raises(ProblemError) as refused:
        match_id(request(match_id=value))
    assert (refused.value.status, refused.value.reason.name) == (404, "MATCH_NOT_FOUND")
