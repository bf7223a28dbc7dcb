"""The export document: everything about an ended match, nothing hidden about a running one."""

from __future__ import annotations

import json

import msgspec
import pytest

from engine.kernel.errors import Unreadable
from engine.kernel.seats import PUBLIC
from services.movelog.export import format as export_format
from services.movelog.export.format import read_document, redacted_move, write_document
from services.movelog.export.verification import match_of, moves_of
from services.movelog.records import Match, Move
from tests.support.match_documents import a_match, document_of

Ended = tuple[Match, tuple[Move, ...]]


@pytest.fixture(scope="module")
def ended() -> Ended:
    return a_match()


@pytest.fixture(scope="module")
def running() -> Ended:
    return a_match(resign=False)


def test_an_ended_match_comes_back_row_by_row(ended: Ended) -> None:
    match, rows = ended
    document = read_document(document_of(match, rows))
    assert moves_of(document) == rows
    assert msgspec.structs.replace(match_of(document), tenant=match.tenant) == match


def test_a_pretty_printed_document_is_the_same_document(ended: Ended) -> None:
    data = document_of(*ended)
    pretty = json.dumps(json.loads(data), indent=4).encode()
    assert read_document(pretty) == read_document(data)


def test_a_running_match_shows_no_secret_no_request_ids_and_only_what_it_is_given(running: Ended) -> None:
    match, rows = running
    moves = [redacted_move(row, request=None, events=b"[]") for row in rows]
    written = write_document(match, moves, audience=PUBLIC)
    document = json.loads(written)
    assert document["secret"] is None
    assert document["audience"] == {"kind": "public", "seat": None}
    assert {move["request_id"] for move in document["moves"]} == {None}
    assert {move["request"] for move in document["moves"]} == {None}
    assert match.secret.hex().encode() not in written


def test_a_running_match_is_not_written_without_an_audience(running: Ended) -> None:
    match, rows = running
    with pytest.raises(ValueError, match="audience"):
        document_of(match, rows)


def test_a_document_does_not_show_its_moves_in_a_log_line(ended: Ended) -> None:
    document = read_document(document_of(*ended))
    assert document.secret not in repr(document)
    assert "events" not in repr(document)


@pytest.mark.parametrize(
    ("was", "becomes", "pointer"),
    [
        pytest.param(
            '"format":"foldtable.match.v1"', '"format":"foldtable.match.v9"', "$.format", id="format"
        ),
        pytest.param('"seq":1,', '"seq":0,', "$.moves[0].seq", id="sequence from 0"),
        pytest.param('"seat":null', '"seat":9', "$.moves[0].seat", id="seat that is not at the table"),
        pytest.param('"seats":2,', '"seats":1000,', "$.seats", id="table of thousands"),
        pytest.param(
            '"audience":"all"', '"audience":{"kind":"seat"}', "$.audience", id="seat without number"
        ),
        pytest.param('"status":"ended"', '"status":"won"', "$.status", id="unknown status"),
        pytest.param('"created_at":"2026', '"created_at":"1926', "$.created_at", id="before 1970"),
        pytest.param('.123456Z"', '.123456"', "$.created_at", id="time without zone"),
        pytest.param(
            '"created_at":"2026-05-04T12:00:00.123456Z"',
            '"created_at":"9999-12-31T23:59:59.999999-01:00"',
            "$.created_at",
            id="year 10000 in UTC",
        ),
        pytest.param(
            '"request_id":"request-1"',
            r'"request_id":"request-\u0000"',
            "$.moves[0].request_id",
            id="NUL in a text",
        ),
        pytest.param(
            '"options":{', r'"options":{"a":[{"b":"\u0000"}],', "$.options.a[0].b", id="NUL embedded"
        ),
        pytest.param('"events":[{', r'"events":[{"\u0000":1,', "$.moves[0].events[0]", id="NUL in a name"),
        pytest.param('"events":[', '"events":7,"more":[', "$.moves[0].more", id="unknown field"),
        pytest.param(
            '"options":{', '"options":{"deep":' + "[" * 3000 + "]" * 3000 + ",", "$", id="nested deeply"
        ),
        pytest.param('"options":{', '"options":{"huge":1e999,', "$.options", id="number out of range"),
    ],
)
def test_a_broken_document_is_refused_with_the_place(
    ended: Ended, was: str, becomes: str, pointer: str
) -> None:
    data = document_of(*ended).decode()
    assert was in data
    with pytest.raises(Unreadable) as refused:
        read_document(data.replace(was, becomes, 1).encode())
    assert refused.value.pointer == pointer


def test_a_text_that_spells_an_escaped_nul_is_no_nul(ended: Ended) -> None:
    data = document_of(*ended).replace(b'"options":{', rb'"options":{"a":"\\u0000",', 1)
    assert rb'"\\u0000"' in bytes(read_document(data).options)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b'{"format": 7}'])
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable):
        read_document(data)


def test_every_truncation_of_a_document_is_refused(ended: Ended) -> None:
    data = document_of(*ended)
    for length in range(0, len(data), 997):
        with pytest.raises(Unreadable):
            read_document(data[:length])


def test_a_document_has_a_greatest_size(ended: Ended, monkeypatch: pytest.MonkeyPatch) -> None:
    data = document_of(*ended)
    monkeypatch.setattr(export_format, "MAX_DOCUMENT_BYTES", len(data))
    assert read_document(data)
    with pytest.raises(Unreadable, match="larger"):
        read_document(data + b" ")
