"""Request ids, in the header or in the body."""

from __future__ import annotations

import re

import pytest

from gateway.http.header_parameters import SCHEMAS
from gateway.http.idempotency import HEADER, request_id
from gateway.problems.document import ProblemError
from tests.gateway.requests import request

PATTERN = re.compile(SCHEMAS[HEADER]["pattern"])
"""As the OpenAPI document has it."""
UUID = "0b8d2c1e-5c0e-4c55-9d1d-6e4a2f0f9c11"


def given(*values: str) -> list[tuple[str, str]]:
    return [("Idempotency-Key", value) for value in values]


@pytest.mark.parametrize(
    ("header", "read"),
    [
        (f'"{UUID}"', UUID),
        (UUID, UUID),
        (f'  "{UUID}" ', UUID),
        (r'"a\"b\\c"', r"a\"b\\c".replace(r"\"", '"').replace(r"\\", "\\")),
        ('"with spaces, commas"', "with spaces, commas"),
        ('"' + "a" * 64 + '"', "a" * 64),
    ],
)
def test_the_header_is_a_string_of_structured_fields_or_bare(header: str, read: str) -> None:
    assert request_id(request(headers=given(header)), None) == read
    assert PATTERN.fullmatch(header.strip())


@pytest.mark.parametrize(
    "header",
    ['""', "", '"unclosed', 'a"b', '"a"b"', '"a";q=1', "a,b", "a b", '"ä"', '"' + "a" * 65 + '"', '"\\n"'],
)
def test_anything_else_is_refused(header: str) -> None:
    with pytest.raises(ProblemError) as refused:
        request_id(request(headers=given(header)), None)
    assert refused.value.members["errors"][0].header == "Idempotency-Key"
    assert not PATTERN.fullmatch(header)


def test_the_body_may_say_it_instead_or_as_well() -> None:
    assert request_id(request(), UUID) == UUID
    assert request_id(request(), None) == ""
    assert request_id(request(headers=given(f'"{UUID}"')), UUID) == UUID


def test_header_and_body_must_not_contradict_each_other() -> None:
    with pytest.raises(ProblemError) as refused:
        request_id(request(headers=given('"one"')), "two")
    assert refused.value.members["errors"][0].code == "CONTRADICTION"


def test_two_headers_are_refused() -> None:
    with pytest.raises(ProblemError):
        request_id(request(headers=given('"one"', '"two"')), None)
