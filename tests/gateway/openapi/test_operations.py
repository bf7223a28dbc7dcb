"""Operations as FastAPI declares them: in which order a request is judged, and how what cannot be read is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Annotated, Any, cast

import pytest
from fastapi import APIRouter, Body, Depends, FastAPI, Query
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.security import HTTPBearer
from httpx import ASGITransport, AsyncClient, Response
from msgspec import Raw
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.context import Gateway
from gateway.error_handlers import answer_problem, answer_validation_error
from gateway.hot.operations import HotOperations
from gateway.http.bodies import MAX_BODY_BYTES
from gateway.http.compression.allowance import Allowance
from gateway.http.header_parameters import sent_header
from gateway.http.idempotency import SentKey, idempotency_key
from gateway.http.preconditions import SentVersion, if_match
from gateway.middleware import Observability
from gateway.openapi.hot import HotRoute, query_of
from gateway.openapi.operation import Operation, answer, operations, problems
from gateway.problems.document import ProblemError
from gateway.schemas.fields import SeatNumber
from gateway.schemas.inputs import ABSENT, FLAG, WHOLE, Moment, PageQuery, PassedOn, RequestBody, like
from gateway.schemas.problem_types import Problem

router = APIRouter(route_class=Operation)


class Part(RequestBody):
    name: str


class Thing(RequestBody):
    seat: Annotated[int, like(SeatNumber)] = 0
    label: Annotated[str, Field(pattern=r"^[a-z]+(?![\s\S])", max_length=5)] = "a"
    since: Moment | None = None
    parts: Annotated[list[Part], Field(default_factory=list)]
    title: Annotated[str, Field(description="May be left out, but is never null.")] = ABSENT
    options: Annotated[Raw | None, PassedOn("Options")] = None


class ThingsQuery(PageQuery):
    seat: Annotated[Annotated[int, like(SeatNumber), WHOLE] | None, Field(description="A seat.")] = None
    only: Annotated[bool, FLAG] = False
    player: str | None = None
    since: Moment | None = None
    first: Annotated[Annotated[int, like(SeatNumber), WHOLE] | None, Field(alias="from")] = None


async def known(request: Request, _key: Annotated[object, Depends(HTTPBearer(auto_error=False))]) -> str:
    if "authorization" not in request.headers:
        raise ProblemError("TOKEN_MISSING")
    return request.headers["authorization"]


async def thing_id(thing_id: str) -> str:
    if thing_id == "none":
        raise ProblemError("MATCH_NOT_FOUND")
    return thing_id


@router.post("/things/{thing_id}", responses={200: answer("It.", Problem), **problems(404, 422)})
async def change(
    caller: Annotated[str, Depends(known)],
    thing: Annotated[str, Depends(thing_id)],
    body: Annotated[Thing, Body()],
    key: Annotated[SentKey, idempotency_key("A repeat gets the first.")],
) -> JSONResponse:
    options = None if body.options is None else bytes(body.options).decode()
    since = None if body.since is None else body.since.isoformat()
    absent = body.title is ABSENT
    return JSONResponse([caller, thing, body.seat, options, since, absent, key.or_in_body(None)])


@router.get("/things")
async def listed(
    query: Annotated[ThingsQuery, Query()],
    tags: Annotated[str | None, sent_header("If-None-Match", "What the caller has.")],
) -> JSONResponse:
    since = None if query.since is None else query.since.isoformat()
    return JSONResponse([query.page_size, query.seat, query.only, query.player, since, tags])


@router.post("/optional")
async def optional(body: Annotated[Thing, Body()] = Thing(seat=7)) -> JSONResponse:  # noqa: B008 - it is frozen
    return JSONResponse(body.seat)


@router.post("/conditional")
async def conditional(
    version: Annotated[SentVersion, if_match("The version it was decided on.")],
    body: Annotated[Thing, Body()],
) -> JSONResponse:
    return JSONResponse(version.or_in_body(body.seat or None))


async def ask(method: str, path: str, **sent: Any) -> Response:
    app = FastAPI(
        exception_handlers={
            ProblemError: answer_problem,
            RequestValidationError: answer_validation_error,
        },
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.router.routes.extend(operations(router))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://system") as client:
        return await client.request(method, path, **sent)


HEADERS = {"authorization": "Bearer a", "content-type": "application/json"}


async def change_with(content: bytes) -> Response:
    return await ask("POST", "/things/one", content=content, headers=HEADERS)


def refused(answered: Response, status: int, reason: str) -> dict[str, Any]:
    assert answered.headers["content-type"] == "application/problem+json"
    told: dict[str, Any] = answered.json()
    assert (answered.status_code, told["reason"]) == (status, reason), told
    return told


async def test_a_body_is_read_as_its_model_says() -> None:
    body = b'{"seat":3,"options": {"a" : 1e300},"since":"2026-01-31T12:00:00+01:00"}'
    answered = await change_with(body)
    expected = ["Bearer a", "one", 3, '{"a" : 1e300}', "2026-01-31T12:00:00+01:00", True, ""]
    assert answered.json() == expected, "what is passed on stays as it came"


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        (b"", "NOT_JSON", ""),
        (b"{", "NOT_JSON", ""),
        (b'{"options":NaN}', "NOT_JSON", ""),
        (b'{"label":"\\ud800"}', "NOT_TEXT", "/label"),
        (b'{"options":"\xff"}', "NOT_JSON", ""),
        (b'\xef\xbb\xbf{"seat":1}', "NOT_JSON", ""),
        (b'{"options":' + b"[" * 40 + b"]" * 40 + b"}", "TOO_DEEP", ""),
        (b"[]", "WRONG_TYPE", ""),
        (b"null", "WRONG_TYPE", ""),
        (b'{"a/b~c":1}', "UNKNOWN_FIELD", "/a~1b~0c"),
        (b'{"seat":"1"}', "WRONG_TYPE", "/seat"),
        (b'{"seat":true}', "WRONG_TYPE", "/seat"),
        (b'{"seat":1.5}', "WRONG_TYPE", "/seat"),
        (b'{"seat":null}', "WRONG_TYPE", "/seat"),
        (b'{"seat":100}', "OUT_OF_RANGE", "/seat"),
        (b'{"seat":' + b"9" * 400 + b"}", "OUT_OF_RANGE", "/seat"),
        (b'{"seat":' + b"9" * 5_000 + b"}", "OUT_OF_RANGE", "/seat"),
        (b'{"label":"abcdef"}', "OUT_OF_RANGE", "/label"),
        (b'{"label":"a\\n"}', "OUT_OF_RANGE", "/label"),
        (b'{"title":null}', "WRONG_TYPE", "/title"),
        (b'{"since":1600000000}', "WRONG_TYPE", "/since"),
        (b'{"since":"1600000000"}', "OUT_OF_RANGE", "/since"),
        (b'{"since":"2026-01-31T12:00:00"}', "OUT_OF_RANGE", "/since"),
        (b'{"parts":[{"name":"a"},{}]}', "MISSING_FIELD", "/parts/1/name"),
    ],
)
async def test_a_body_that_cannot_be_read_names_the_place(body: bytes, code: str, pointer: str) -> None:
    (part,) = refused(await change_with(body), 400, "MALFORMED_REQUEST")["errors"]
    assert (part["code"], part["pointer"]) == (code, pointer)
    assert part["detail"]


async def test_a_body_is_bounded_and_json() -> None:
    refused(await change_with(b" " * (MAX_BODY_BYTES + 1)), 413, "BODY_TOO_LARGE")
    plain = await ask("POST", "/things/one", content=b"{}", headers=HEADERS | {"content-type": "text/plain"})
    assert refused(plain, 415, "UNSUPPORTED_MEDIA_TYPE")
    assert plain.headers["accept"] == "application/json"


async def test_no_body_is_the_default_where_there_is_one() -> None:
    assert (await ask("POST", "/optional")).json() == 7
    assert (await ask("POST", "/optional", content=b"{}", headers=HEADERS)).json() == 0


async def test_who_asks_is_judged_before_what_is_asked_and_the_body_is_last() -> None:
    large = b"x" * (MAX_BODY_BYTES + 1)
    refused(await ask("POST", "/things/none", content=large), 401, "TOKEN_MISSING")
    refused(await ask("POST", "/things/none", content=large, headers=HEADERS), 404, "MATCH_NOT_FOUND")
    refused(await ask("POST", "/things/one", content=large, headers=HEADERS), 413, "BODY_TOO_LARGE")


async def test_a_query_is_read_as_its_model_says() -> None:
    asked = "/things?page_size=5&seat=2&only=True&player=null&since=2026-01-31T12:00:00Z"
    answered = await ask("GET", asked, headers=[("If-None-Match", '"a"'), ("If-None-Match", '"b"')])
    assert answered.json() == [5, 2, True, "null", "2026-01-31T12:00:00+00:00", '"a", "b"']
    assert datetime.fromisoformat(answered.json()[4]).tzinfo == UTC


@pytest.mark.parametrize(
    ("query", "name", "code"),
    [
        ("x=1", "x", "UNKNOWN_FIELD"),
        ("seat=", "seat", "WRONG_TYPE"),
        ("seat=one", "seat", "WRONG_TYPE"),
        ("seat=%2B1", "seat", "WRONG_TYPE"),
        ("seat=1_0", "seat", "WRONG_TYPE"),
        ("seat=1.0", "seat", "WRONG_TYPE"),
        ("seat=%D9%A1", "seat", "WRONG_TYPE"),
        ("seat=null", "seat", "WRONG_TYPE"),
        ("from=NULL", "from", "WRONG_TYPE"),
        ("first=1", "first", "UNKNOWN_FIELD"),
        ("seat=-1", "seat", "OUT_OF_RANGE"),
        ("seat=100", "seat", "OUT_OF_RANGE"),
        ("seat=" + "9" * 5_000, "seat", "OUT_OF_RANGE"),
        ("only=yes", "only", "WRONG_TYPE"),
        ("page_size=-1", "page_size", "OUT_OF_RANGE"),
        ("page_token=" + "a" * 1025, "page_token", "OUT_OF_RANGE"),
        ("since=1600000000", "since", "OUT_OF_RANGE"),
        ("since=yesterday", "since", "OUT_OF_RANGE"),
    ],
)
async def test_a_query_that_cannot_be_read_names_the_parameter(query: str, name: str, code: str) -> None:
    (part,) = refused(await ask("GET", f"/things?{query}"), 400, "MALFORMED_REQUEST")["errors"]
    assert (part["code"], part["parameter"]) == (code, name)
    assert part["detail"]


async def test_a_version_is_that_of_if_match_or_of_the_body() -> None:
    for header, body, version in (
        ({}, b"{}", [None, False]),
        ({}, b'{"seat":3}', [3, False]),
        ({"if-match": '"v:12"'}, b"{}", [12, True]),
        ({"if-match": 'W/"v:12-gzip"'}, b'{"seat":12}', [12, True]),
    ):
        answered = await ask("POST", "/conditional", content=body, headers=HEADERS | header)
        assert answered.json() == version
    for tag, body, code in (('"1"', b"{}", "NOT_A_VERSION"), ('"v:1"', b'{"seat":3}', "CONTRADICTION")):
        wrong = await ask("POST", "/conditional", content=body, headers=HEADERS | {"if-match": tag})
        (part,) = refused(wrong, 400, "MALFORMED_REQUEST")["errors"]
        assert (part["code"], part["header"]) == (code, "If-Match")


async def test_a_body_is_read_before_what_goes_with_it_in_headers() -> None:
    wrong = await ask("POST", "/conditional", content=b"{", headers=HEADERS | {"if-match": "*"})
    (part,) = refused(wrong, 400, "MALFORMED_REQUEST")["errors"]
    assert part["code"] == "NOT_JSON"


def test_the_document_says_what_follows_from_the_signature() -> None:
    document = get_openapi(title="things", version="1", routes=list(operations(router)))
    changed = document["paths"]["/things/{thing_id}"]["post"]
    assert {"200", "401", "404", "413", "415", "422", "500", "503", "504"} == changed["responses"].keys()
    assert changed["responses"]["404"] == {"$ref": "#/components/responses/Problem404"}
    (key,) = (one for one in changed["parameters"] if one["in"] == "header")
    assert (key["name"], key["required"]) == ("Idempotency-Key", False)
    properties = document["components"]["schemas"]["Thing"]["properties"]
    assert properties["options"]["x-component"] == "Options", "which the whole document makes a reference"
    assert properties["seat"]["maximum"] == 99
    assert "default" not in properties["title"]


# ── hot routes ─────────────────────────────────────────────────────────────────────────────────────

hot = APIRouter(route_class=HotRoute, dependencies=[counted_for(Bucket.READS)])


@hot.post(
    "/v1/matches/{match_id}/things",
    dependencies=[Depends(known), query_of(ThingsQuery)],
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": {}}}}},
    responses={200: answer("It.", Problem), **problems(404)},
)
async def look(request: Request) -> JSONResponse:
    if "refuse" in request.query_params:
        raise ProblemError("TOKEN_INVALID")
    if "fail" in request.query_params:
        raise ZeroDivisionError
    return JSONResponse(request.path_params)


class Counting:
    """An admission that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def admit(self, request: Request, bucket: Bucket) -> None:
        self.asked.append(bucket)

    def learn(self, request: Request, status: int) -> None:
        self.asked.append(status)


async def test_a_hot_route_counts_its_requests_and_solves_no_dependencies() -> None:
    counting = Counting()
    app = FastAPI(telemetry={"tracing": False, "metrics": False, "logs": False})
    routes = list(operations(hot))
    served = HotOperations(app, cast("list[HotRoute]", routes), Allowance(0), allowed_pages={})
    served.gateway = cast("Gateway", SimpleNamespace(admission=counting))
    app.router.routes.extend(routes)
    app.add_middleware(served.within)
    app.add_middleware(Observability)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://system") as client:
        answered = await client.post("/v1/matches/none/things?unknown=1")
        assert answered.json() == {"match_id": "none"}, "although `known` would refuse it"
        refused(await client.post("/v1/matches/none/things?refuse=1"), 401, "TOKEN_INVALID")
        refused(await client.post("/v1/matches/none/things?fail=1"), 500, "INTERNAL")
        assert (await client.get("/v1/matches/none/things")).status_code == 405
    assert counting.asked == [Bucket.READS, 200, Bucket.READS, 401, Bucket.READS]


def test_the_document_says_of_a_hot_route_what_its_dependencies_describe() -> None:
    document = get_openapi(title="things", version="1", routes=list(operations(hot)))
    look = document["paths"]["/v1/matches/{match_id}/things"]["post"]
    expected = {"200", "400", "401", "404", "413", "415", "422", "429", "500", "503", "504"}
    assert look["responses"].keys() == expected
    assert look["x-rate-limit-bucket"] == Bucket.READS
    assert "RateLimit" in look["responses"]["200"]["headers"]
    described = {(one["in"], one["name"]) for one in look["parameters"]}
    assert {("query", "page_size"), ("query", "from")} <= described
    assert look["security"] == [{"HTTPBearer": []}]
    assert look["requestBody"]["content"].keys() == {"application/json"}


def test_a_hot_route_without_a_rate_limit_is_refused() -> None:
    with pytest.raises(AssertionError, match="counted_for"):
        HotRoute("/hot", look)
