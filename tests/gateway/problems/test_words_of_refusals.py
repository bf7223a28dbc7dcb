"""Whatever is entered wrongly, anywhere: the refusal says in words what is wrong and what would be right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any

import httpx
import pytest

from gateway import schemas
from gateway.schemas.forms import words_of
from tests.gateway.conftest import World
from tests.gateway.table import Platform

NOT_WORDS = re.compile(
    r"\(\?|\[\\|\\x|\\s|\^\[|\]\+|\{\d+,\d*\}"  # pieces of regular expressions
    r"|Input should|[Ss]tring should|should be a valid|should match|Value error|Expected `"
    r"|pydantic|msgspec|regex|matching|_parsing|type="
)
WRONG = (
    "",
    "(",
    "x y",
    "é",
    "-1",
    "1.5",
    "9" * 30,
    "2026-13-01",
    "1764151200",
    "a" * 3_000,
)
OF_HEADERS = tuple(value for value in WRONG if value.isascii() and len(value) < 100)
OF_BODIES: tuple[Any, ...] = (
    None,
    True,
    -1,
    1.5,
    10**15,
    10**20,
    "",
    "(\n",
    "x" * 5_000,
    [],
    [[]],
    {},
    {"(": 1},
    ["", 1],
)


@pytest.fixture(scope="module")
def document(world: World) -> dict[str, Any]:
    return dict(httpx.get(f"{world.url}/openapi.json", timeout=30).json())


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in {"get", "post", "put", "patch", "delete"}:
                yield method, path, operation


def filled(path: str, match_id: str, given: Mapping[str, str] = MappingProxyType({})) -> str:
    values = {
        "match_id": match_id,
        "seat": "0",
        "game": "river_dragons",
        "tenant": "acme",
        "lang": "en",
    } | dict(given)
    return re.sub(r"\{(\w+)\}", lambda name: values.get(name[1], match_id), path)


def refusal_of(client: httpx.Client, method: str, path: str, **more: Any) -> dict[str, Any] | None:
    """Return the problem document, or None for anything else, such as a stream, which is not read."""
    with client.stream(method, path, **more) as response:
        if response.status_code < 400:
            return None
        assert response.status_code < 500, (method, path, more, response.read())
        return dict(json.loads(response.read())) if method != "head" else None


def sentences(problem: dict[str, Any]) -> list[str]:
    return [problem.get("detail", ""), *(part["detail"] for part in problem.get("errors", ()))]


def must_be_words(problem: dict[str, Any] | None, *asked: object) -> int:
    """Check a refusal; return whether it named a part of the request."""
    if problem is None:
        return 0
    for sentence in sentences(problem):
        assert not NOT_WORDS.search(sentence), (asked, sentence)
    return "errors" in problem


def test_wrong_parameters_of_every_operation(
    document: dict[str, Any], world: World, platform: Platform
) -> None:
    named = 0
    with (
        platform.new_table() as table,
        httpx.Client(
            base_url=world.url, headers={"Authorization": f"Bearer {world.key}"}, timeout=30
        ) as client,
    ):
        for method, path, operation in operations(document):
            for parameter in operation.get("parameters", ()):
                name, place = parameter["name"], parameter["in"]
                for value in OF_HEADERS if place == "header" else WRONG:
                    more: dict[str, Any] = {}
                    target = filled(path, table.match_id)
                    if place == "query":
                        more["params"] = {name: value}
                    elif place == "header":
                        more["headers"] = {name: value}
                    else:
                        quoted = str(httpx.URL("http://x").copy_with(path=f"/{value}").raw_path, "ascii")[1:]
                        target = filled(path, table.match_id, {name: quoted or "%20"})
                    if method != "get":
                        more["json"] = {}
                    named += must_be_words(
                        refusal_of(client, method, target, **more), method, path, name, value
                    )
    assert named > 250


def test_wrong_values_in_every_field_of_every_body(
    document: dict[str, Any], world: World, platform: Platform
) -> None:
    named = 0
    with (
        platform.new_table() as table,
        httpx.Client(
            base_url=world.url, headers={"Authorization": f"Bearer {world.key}"}, timeout=30
        ) as client,
    ):
        for method, path, operation in operations(document):
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" not in content or path.endswith("/import"):
                continue
            for field in _fields(document, content["application/json"]["schema"]):
                for value in OF_BODIES:
                    if field == "anonymous_read" and value is True:
                        continue  # is right, and would open the tenant to everybody for the tests that follow
                    found = refusal_of(client, method, filled(path, table.match_id), json={field: value})
                    named += must_be_words(found, method, path, field, value)
    assert named > 300


def _fields(document: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    for inner in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _fields(document, inner)
    yield from schema.get("properties", ())


def test_every_pattern_of_a_request_has_words(document: dict[str, Any]) -> None:
    for module in iter_modules(schemas.__path__):
        import_module(f"{schemas.__name__}.{module.name}")
    requests = [
        one for _, path, one in operations(document) if not path.endswith("/import")
    ]  # rules servers read imports
    patterns = set(_patterns(requests, document, set()))
    read_by_code = {
        parameter["schema"]["pattern"]
        for _, _, operation in operations(document)
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "header" and "pattern" in parameter["schema"]
    }
    assert {
        pattern for pattern in patterns - read_by_code if words_of(pattern) == words_of("of no text")
    } == set()
    assert patterns


def _patterns(part: Any, document: dict[str, Any], seen: set[str]) -> Iterator[str]:
    """Yield the patterns of parameters and bodies, of components that they refer to as well; not of answers."""
    if isinstance(part, list):
        for item in part:
            yield from _patterns(item, document, seen)
    elif isinstance(part, dict):
        if isinstance(part.get("pattern"), str):
            yield part["pattern"]
        if (reference := part.get("$ref", "")) and reference not in seen:
            seen.add(reference)
            kind, name = reference.split("/")[-2:]
            if kind == "schemas" and name not in {
                "Action",
                "Options",
            }:  # the games' own, which their rules servers read
                yield from _patterns(document["components"][kind][name], document, seen)
        for key, inner in part.items():
            if key not in {"responses", "callbacks"}:
                yield from _patterns(inner, document, seen)


@pytest.mark.parametrize(
    ("written", "status", "said"),
    [
        pytest.param("2026-11-26", 200, "", id="a date"),
        pytest.param("2026-11-26T10:00", 200, "", id="without seconds and zone"),
        pytest.param("2026-11-26 10:00", 200, "", id="with a space"),
        pytest.param("2026-11-26T10:00:00Z", 200, "", id="as clients write it"),
        pytest.param("2026-11-26t10:00:00.123456789z", 200, "", id="small letters, nanoseconds"),
        pytest.param("2026-11-26T10:00:00+01:00", 200, "", id="a plus that arrives as a space"),
        pytest.param("2026-11-26T10:00:00%2B01:00", 200, "", id="a plus that is encoded"),
        pytest.param("2016-12-31T23:59:60Z", 200, "", id="a leap second"),
        pytest.param("1764151200", 400, "is a number; write a date and time", id="seconds since 1970"),
        pytest.param("2026-11-26T24:00", 400, "has the hour 24", id="the end of a day"),
        pytest.param("2026-02-30", 400, "the days of that month go from 01 to 28", id="no such day"),
        pytest.param("2026-13-01", 400, "months go from 01 to 12", id="no such month"),
        pytest.param("2026-11-26T10:00:60Z", 400, "has the second 60", id="no leap second"),
        pytest.param("26.11.2026", 400, "write one such as 2026-11-26T10:00:00Z", id="another order"),
        pytest.param("yesterday", 400, "is not a date and time", id="a word"),
    ],
)
def test_times_as_people_write_them(world: World, written: str, status: int, said: str) -> None:
    answered = httpx.get(
        f"{world.url}/v1/matches?updated_since={written.replace(' ', '%20')}&order=updated",
        headers={"Authorization": f"Bearer {world.key}"},
        timeout=30,
    )
    assert answered.status_code == status, answered.text
    if status == 400:
        (part,) = answered.json()["errors"]
        assert part["parameter"] == "updated_since"
        assert said in part["detail"]


def test_a_plus_that_was_not_encoded_means_the_zone(world: World, platform: Platform) -> None:
    """10:00+01:00 is 09:00 in UTC: it must not be read as 10:00, nor as 01:00."""
    with platform.new_table() as table:
        since = httpx.get(
            f"{world.url}/v1/matches/{table.match_id}",
            headers={"Authorization": f"Bearer {world.key}"},
            timeout=30,
        ).json()["created_at"]
        moment = re.sub(r"\.\d+Z$|Z$", "", since)

        def is_listed(zone: str) -> bool:
            found = httpx.get(
                f"{world.url}/v1/matches?updated_since={moment}{zone}&visibility=private&order=-updated",
                headers={"Authorization": f"Bearer {world.key}"},
                timeout=30,
            ).json()["matches"]
            return table.match_id in {match["match_id"] for match in found}

        assert is_listed("Z")
        assert is_listed("+01:00"), "an hour earlier"
        assert not is_listed("-01:00"), "an hour later"
