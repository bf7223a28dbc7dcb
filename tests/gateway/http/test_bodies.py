"""Bodies: bounded, of the right type, and refused with the place of the culprit."""

from __future__ import annotations

import json
import time
from typing import Any

import msgspec
import pytest
from pydantic import TypeAdapter
from starlette.requests import Request

from gateway.http.bodies import MAX_BODY_BYTES, decode_json, json_pointer, read_body, read_model
from gateway.problems.document import ProblemError
from gateway.schemas.problem_types import FieldProblem
from gateway.schemas.requests import CreateMatchesRequest, CreateMatchRequest, JoinRequest, MoveRequest
from services.process.i_json import MAX_DEPTH, is_too_deep
from tests.gateway.requests import request

JSON = {"Content-Type": "application/json"}
CREATE = TypeAdapter(CreateMatchRequest)
MATCHES = TypeAdapter(CreateMatchesRequest)
MOVE = msgspec.json.Decoder(MoveRequest)
JOIN = TypeAdapter(JoinRequest)


async def read(asked: Request, decoder: Any, *, optional: bool = False) -> Any:
    """Read a body as the hot operations do, or as all others."""
    if isinstance(decoder, TypeAdapter):
        return await read_model(asked, decoder, optional=optional)
    return decode_json(asked, await read_body(asked), decoder)


async def refusal_of(body: bytes, decoder: Any = MOVE, headers: dict[str, str] = JSON) -> ProblemError:
    with pytest.raises(ProblemError) as refused:
        await read(request(body=body, headers=headers), decoder)
    return refused.value


async def culprit_of(body: bytes, decoder: Any = MOVE) -> FieldProblem:
    problem = await refusal_of(body, decoder)
    assert (problem.status, problem.reason.name) == (400, "MALFORMED_REQUEST")
    (part,) = problem.members["errors"]
    return part


async def test_a_move_is_read_and_its_action_is_left_as_it_came() -> None:
    action = b'{"type" : "place_stone",\n"island":"a\xc3\xa4" }'
    body = await read(request(body=b'{"action":' + action + b',"expected_version":3}', headers=JSON), MOVE)
    assert bytes(body.action) == action
    assert (body.expected_version, body.seat, body.request_id) == (3, None, None)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        pytest.param(b"", "NOT_JSON", "", id="nothing"),
        pytest.param(b"{", "NOT_JSON", "", id="half an object"),
        pytest.param(b"{'action':1}", "NOT_JSON", "", id="no JSON"),
        pytest.param(b'{"action":NaN}', "NOT_JSON", "", id="NaN"),
        pytest.param(b'{"action":1} trailing', "NOT_JSON", "", id="something after it"),
        pytest.param(b'\xef\xbb\xbf{"action":1}', "NOT_JSON", "", id="byte order mark"),
        pytest.param(b'{"action":"\xff"}', "NOT_JSON", "", id="not UTF-8, in what passes through"),
        pytest.param(b'{"\xff":1}', "NOT_JSON", "", id="not UTF-8, in a name"),
        pytest.param(b'{"action":"\\ud800"}', "NOT_TEXT", "/action", id="lone surrogate"),
        pytest.param(b'{"action":{"a":["\\ufdd0"]}}', "NOT_TEXT", "/action/a/0", id="noncharacter"),
        pytest.param(b'{"action":{"\\udbff":1}}', "NOT_TEXT", "/action", id="lone surrogate in a name"),
        pytest.param(b'{"action":{"a":1,"b":{"c":1,"c":2}}}', "DUPLICATE_NAME", "/action/b/c", id="twice"),
        pytest.param(b'{"action":{"a":1,"\\u0061":2}}', "DUPLICATE_NAME", "/action/a", id="twice, escaped"),
        pytest.param(b'{"action":1,"seat":0,"seat":0}', "DUPLICATE_NAME", "/seat", id="our own field twice"),
        pytest.param(b'{"action":{"n":9007199254740992}}', "OUT_OF_RANGE", "/action/n", id="2^53 within"),
        pytest.param(b'{"action":[-9007199254740992]}', "OUT_OF_RANGE", "/action/0", id="-2^53 within"),
        pytest.param(b'{"action":[1e400]}', "OUT_OF_RANGE", "/action/0", id="without end, within"),
        pytest.param(b'{"action":[' + b"9" * 5_000 + b"]}", "OUT_OF_RANGE", "/action/0", id="endless digits"),
        pytest.param(b'{"action":' + b"[" * 30_000 + b"]" * 30_000 + b"}", "TOO_DEEP", "", id="deep nesting"),
        pytest.param(b"[]", "WRONG_TYPE", "", id="a list"),
        pytest.param(b"null", "WRONG_TYPE", "", id="null"),
        pytest.param(b"{}", "MISSING_FIELD", "/action", id="no action"),
        pytest.param(b'{"action":1,"acti0n":2}', "UNKNOWN_FIELD", "/acti0n", id="unknown field"),
        pytest.param(b'{"action":1,"a/b~c":2}', "UNKNOWN_FIELD", "/a~1b~0c", id="a name to escape"),
        pytest.param(b'{"action":1,"seat":"0"}', "WRONG_TYPE", "/seat", id="seat as text"),
        pytest.param(b'{"action":1,"seat":true}', "WRONG_TYPE", "/seat", id="seat as boolean"),
        pytest.param(b'{"action":1,"seat":1.5}', "WRONG_TYPE", "/seat", id="half a seat"),
        pytest.param(b'{"action":1,"seat":-1}', "OUT_OF_RANGE", "/seat", id="seat -1"),
        pytest.param(b'{"action":1,"seat":1e400}', "OUT_OF_RANGE", "/seat", id="a number without end"),
        pytest.param(
            b'{"action":1,"expected_version":9007199254740992}',
            "OUT_OF_RANGE",
            "/expected_version",
            id="2^53",
        ),
        pytest.param(
            b'{"action":1,"expected_version":' + b"9" * 400 + b"}",
            "OUT_OF_RANGE",
            "/expected_version",
            id="9…9",
        ),
        pytest.param(b'{"action":1,"request_id":""}', "OUT_OF_RANGE", "/request_id", id="empty request id"),
        pytest.param(b'{"action":1,"request_id":"\\n"}', "OUT_OF_RANGE", "/request_id", id="unprintable id"),
    ],
)
async def test_a_move_that_cannot_be_read_names_the_culprit(body: bytes, code: str, pointer: str) -> None:
    part = await culprit_of(body)
    assert (part.code, part.pointer) == (code, pointer)
    assert part.detail


async def test_a_wrong_type_names_what_came_instead_and_not_its_value() -> None:
    for value, kind in (
        ("1.0", "a number with a fraction or exponent"),
        ('"secret"', "a string"),
        ("[]", "an array"),
    ):
        part = await culprit_of(b'{"game":"g","seats":%s}' % value.encode(), CREATE)
        assert part.detail == f"must be a whole number, got {kind}"


async def test_a_culprit_inside_a_list_has_its_place() -> None:
    part = await culprit_of(json.dumps({"game": "g", "seats": 2, "players": ["a", 2]}).encode(), CREATE)
    assert (part.code, part.pointer) == ("WRONG_TYPE", "/players/1")
    part = await culprit_of(
        json.dumps({"game": "g", "seats": 2, "players": ["a", "b" * 101]}).encode(), CREATE
    )
    assert (part.code, part.pointer) == ("OUT_OF_RANGE", "/players/1")


async def test_fields_with_one_name_are_refused_in_every_body_and_every_part_that_passes_through() -> None:
    """Parsers differ in which of the two counts: what the gateway checked might not be what is stored."""
    part = await culprit_of(b'{"player":"ada","player":"bo"}', JOIN)
    assert (part.code, part.pointer) == ("DUPLICATE_NAME", "/player")
    part = await culprit_of(b'{"player":"ada","data":{"a":1,"a":1}}', JOIN)
    assert (part.code, part.pointer) == ("DUPLICATE_NAME", "/data/a")
    seating = b'{"game":"g","seats":1,"seating":[{"data":{"n":12345678901234567890}}]}'
    part = await culprit_of(seating, CREATE)
    assert (part.code, part.pointer) == ("OUT_OF_RANGE", "/seating/0/data/n")


async def test_what_all_parsers_read_alike_is_read() -> None:
    for action in (
        b'{"a":9007199254740991,"b":-9007199254740991,"c":0.1234567890123456789,"d":1e300,"e":-0}',
        b'[{"a":1},{"a":2},{"a":{"a":3}}]',
        b'"\\ud83d\\ude00 \\\\ud800 \\uffff"'.replace(b"\\uffff", b""),
        b'{"x":"y",":":1,"::":2}',
        '{"é":"\U0001f468\u200d\U0001f469"}'.encode(),
    ):
        assert (
            bytes((await read(request(body=b'{"action":' + action + b"}", headers=JSON), MOVE)).action)
            == action
        )


@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_larger_than_64_kib_is_refused_while_it_is_read(announced: bool) -> None:
    pieces = [b"x" * 40_000, b"x" * 40_000, b"never read"]
    headers = JSON | ({"Content-Length": "80010"} if announced else {})
    too_large = request(body=pieces, headers=headers)
    with pytest.raises(ProblemError) as refused:
        await read(too_large, MOVE)
    assert (refused.value.status, refused.value.reason.name) == (413, "BODY_TOO_LARGE")
    assert (await too_large.receive())["body"] == (b"x" * 40_000 if announced else b"never read")


async def test_a_body_of_exactly_64_kib_is_read() -> None:
    body = b'{"player":"' + b"a" * 50 + b'"}'
    body += b" " * (MAX_BODY_BYTES - len(body))
    assert (await read(request(body=body, headers=JSON), JOIN)).player == "a" * 50


@pytest.mark.parametrize("announced", [True, False])
async def test_a_model_may_have_a_larger_body_and_no_larger_one(announced: bool) -> None:
    limit = CreateMatchesRequest.max_bytes
    body = b'{"mode":"all","matches":[{"game":"g","seats":2,"metadata":{"n":"%b"}}]}' % (b"x" * 100_000)
    body += b" " * (limit - len(body))
    headers = JSON | ({"Content-Length": str(limit)} if announced else {})
    read_whole = await read_model(request(body=body, headers=headers), MATCHES, limit=limit)
    assert read_whole is not None
    assert len(bytes(read_whole.matches[0].metadata or b"")) > 100_000
    headers = JSON | ({"Content-Length": str(limit + 1)} if announced else {})
    with pytest.raises(ProblemError) as refused:
        await read_model(request(body=body + b" ", headers=headers), MATCHES, limit=limit)
    assert refused.value.reason.name == "BODY_TOO_LARGE"


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", "", "json"],
)
async def test_only_json_is_taken(content_type: str) -> None:
    problem = await refusal_of(b'{"action":1}', headers={"Content-Type": content_type})
    assert (problem.status, problem.headers["accept"]) == (415, "application/json")


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"'],
)
async def test_json_may_say_that_it_is_utf8(content_type: str) -> None:
    body = await read(request(body=b"{}", headers={"Content-Type": content_type}), JOIN)
    assert body.seat is None


async def test_a_compressed_body_is_not_taken() -> None:
    problem = await refusal_of(b"\x1f\x8b", headers=JSON | {"Content-Encoding": "gzip"})
    assert (problem.status, problem.headers["accept-encoding"]) == (415, "identity")


async def test_where_nothing_needs_to_be_said_no_body_will_do() -> None:
    assert await read(request(), JOIN, optional=True) is None, "which then stands for the default"
    with pytest.raises(ProblemError):
        await read(request(), JOIN)


def test_a_path_becomes_a_json_pointer() -> None:
    assert json_pointer(".players[2].name") == "/players/2/name"
    assert json_pointer("") == ""


def nested(levels: int, inside: bytes = b"1") -> bytes:
    """JSON of so many levels, objects and arrays by turns."""
    opening = b"".join(b'{"a":' if level % 2 else b"[" for level in range(levels))
    closing = b"".join(b"}" if level % 2 else b"]" for level in reversed(range(levels)))
    return opening + inside + closing


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(nested(MAX_DEPTH), id="as deep as it may be"),
        pytest.param(b"[" + b"[]," * 20_000 + b"[]]", id="wide"),
        pytest.param(b'"' + b"[{" * 1_000 + b'"', id="brackets in a text"),
        pytest.param(b'["\\"' + b"[" * 1_000 + b'"]', id="brackets after a quoted quote"),
        pytest.param(b'["\\\\"' + b',"["' * 1_000 + b"]", id="texts that end with a backslash"),
    ],
)
def test_what_is_not_too_deep(body: bytes) -> None:
    json.loads(body)
    assert not is_too_deep(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(nested(MAX_DEPTH + 1), id="one level more"),
        pytest.param(b'["[",' + nested(MAX_DEPTH) + b"]", id="one level more, beside a text"),
        pytest.param(b"[" * 60_000, id="never closed"),
        pytest.param(b"[" * 30_000 + b"]" * 30_000, id="very deep"),
    ],
)
def test_what_is_too_deep(body: bytes) -> None:
    assert is_too_deep(body)


@pytest.mark.parametrize(
    "piece", [b'"\\', b'"', b'\\"', b'"a",', b"[]", b"[{", b"}]"], ids=lambda piece: piece.decode()
)
def test_looking_takes_no_longer_for_what_is_made_to_take_long(piece: bytes) -> None:
    body = (b"[" * 40 + piece * MAX_BODY_BYTES)[:MAX_BODY_BYTES]
    begun = time.perf_counter()
    is_too_deep(body)
    assert time.perf_counter() - begun < 0.25, "a few milliseconds; a look that is quadratic takes seconds"
