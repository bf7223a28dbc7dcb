"""Page tokens: good for the question they came with, and refused for any other."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.process.reasons import Reason
from services.rpc.cursors import DEFAULT_PAGE, MAX_PAGE, cursor, page_size, read_cursor
from services.rpc.refusals import Refused

QUESTION = ("keys", "acme", None, 7)


@given(position=st.text(alphabet=string.ascii_letters + string.digits + " :-+é", max_size=120))
def test_a_token_says_where_the_next_page_begins(position: str) -> None:
    token = cursor(position, QUESTION)
    assert set(token) <= set(string.ascii_letters + string.digits + "-_"), "it stands in URLs"
    assert read_cursor(token, QUESTION) == position


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "AAAA",
        "====",
        "a b",
        "é",
        cursor("here", ("tenants",)),
        cursor("here", QUESTION)[:-2],
        "x" * 10_000,
        cursor("\x00", QUESTION),
    ],
)
def test_what_is_no_token_of_this_question_is_refused(token: str) -> None:
    with pytest.raises(Refused) as refused:
        read_cursor(token, QUESTION)
    assert refused.value.reason is Reason.PAGE_TOKEN_INVALID
    assert refused.value.field == "$.page_token"


@pytest.mark.parametrize(
    ("asked", "given"), [(0, DEFAULT_PAGE), (1, 1), (MAX_PAGE, MAX_PAGE), (MAX_PAGE + 1, MAX_PAGE), (2**31 - 1, MAX_PAGE)]
)  # fmt: skip
def test_a_page_is_never_larger_than_there_are(asked: int, given: int) -> None:
    assert page_size(asked) == given


def test_fewer_than_none_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        page_size(-1)
    assert refused.value.field == "$.page_size"
