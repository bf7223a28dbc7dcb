"""What every response tells caches and browsers: no cache gives one caller what was meant for another.

The routes are taken from the route table, so a new one is tested as soon as it is there.
"""

from __future__ import annotations

import itertools
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final
from uuid import uuid4

import httpx
import pytest

from gateway.openapi.operation import RoutedPath
from gateway.routes import ROUTES
from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Caller, Platform, Table
from tests.support.processes import Process

BROWSER: Final = "text/html,application/xhtml+xml,*/*;q=0.8"
LINES: Final = "application/x-ndjson"
EVENTS: Final = "text/event-stream"
TYPES: Final = ("*/*", BROWSER, LINES, EVENTS)
NOBODY: Final = "nobody"
IDS: Final = {
    "game": "river_dragons",
    "lang": "it",
    "reason": "VERSION_CONFLICT",
    "asset": "swagger-ui.css",
    "file": "icon.svg",
    "tenant": "ours",
    "endpoint_id": "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11",
    "vacation_id": "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11",
    "key_id": "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11",
    "delivery_id": "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11",
    "event_id": "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11",
    "player": "ada",
    "seat": "0",
}
"""What stands in a path; the match is one that is played. A parameter that is missing here fails the test."""
NEEDED: Final = {
    "streamMatches": "matches={match_id}",
    "getDeterminizations": "count=1",
}
"""Queries without which an operation has nothing to answer."""
READS: Final = tuple(route for route in ROUTES if "GET" in route.own_methods)
PUBLIC: Final = frozenset(
    {
        *("getExportSchema", "getSigningKeys", "listGames", "describeGame", "getTexts", "getLayout"),
        *("getReadiness", "getStartup", "getOpenapi", "getDescriptors", "getReference", "getReferenceAsset"),
        *("listParagraphs", "getIndex", "listProblems", "getProblem", "getLiveness", "getFrontEndFile"),
    }
)
"""The operations that answer everybody alike. Whatever is not listed must be private."""
KEPT: Final = frozenset({"getView", "getTable"})
"""The operations whose private answers a client may keep and ask about."""


def named(route: RoutedPath) -> str:
    return str(route.operation_id)


def lines(answer: httpx.Response, name: str) -> list[str]:
    return [value for each, value in answer.headers.multi_items() if each == name]


def varies(answer: httpx.Response) -> set[str]:
    (line,) = lines(answer, "vary")
    names = [name.strip().lower() for name in line.split(",")]
    assert len(names) == len(set(names)), line
    return set(names)


def check_every_answer(answer: httpx.Response) -> None:
    """Check what has no exception."""
    what = f"{answer.request.method} {answer.request.url.path} {answer.status_code}"
    assert varies(answer) >= {"origin", "accept-encoding"}, what
    assert lines(answer, "x-content-type-options") == ["nosniff"], what
    (kept,) = lines(answer, "cache-control")
    if answer.status_code >= 400:
        assert kept == "private, no-store", what
        assert "authorization" in varies(answer) or answer.request.url.path in public_paths(), what
    if answer.headers.get("content-type", "").startswith("text/html"):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy, what
        assert "frame-ancestors 'none'" in policy, what
        assert answer.headers["referrer-policy"] == "no-referrer", what


def public_paths() -> set[str]:
    """Return where no credential is read; of a login code it is the body that has one."""
    return {path_of(route, "") for route in READS if named(route) in PUBLIC} | {"/v1/login-codes/redeem"}


def path_of(route: RoutedPath, match_id: str) -> str:
    """Return a path that leads to a route."""
    known = {**IDS, "match_id": match_id}
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: known[found[1]], route.path)


class Callers:
    """One of each kind who may ask about a match, and a few who may not."""

    def __init__(self, table: Table, clients: dict[str, httpx.Client]) -> None:
        self.table = table
        self.clients = clients

    def ask(
        self, who: str, route: RoutedPath, *, method: str = "GET", query: str = "", **headers: str
    ) -> httpx.Response:
        """Ask; of a stream only the head is read."""
        said = "&".join(filter(None, (query, NEEDED.get(named(route), ""))))
        target = path_of(route, self.table.match_id) + (f"?{said}" if said else "")
        target = target.replace("{match_id}", self.table.match_id)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        with self.clients[who].stream(method, target, headers=sent) as answer:
            if not answer.headers.get("content-type", "").startswith(EVENTS):
                answer.read()
        return answer


@pytest.fixture(scope="module")
def callers(world: World) -> Iterator[Callers]:
    """A match of two that anybody may read, some moves into it, and who looks at it."""
    with ExitStack() as stack:
        platform = stack.enter_context(Platform(world.url, world.key))
        stack.enter_context(platform.readable_by_anybody())
        ada = f"ada-{uuid4()}"
        table = stack.enter_context(platform.new_table(players=[ada, "bob"], visibility="public"))
        table.players[0].move(PROGRAM, 1).raise_for_status()
        watchers = {
            role: platform.post(f"{table.path}/watch-tokens", json={"role": role, "hours": 1}).json()[
                "watch_token"
            ]["token"]
            for role in ("spectator", "referee")
        }
        session = platform.post("/v1/player-sessions", json={"player": ada}).json()["token"]
        others = {**watchers, "player": session, "foreign": world.foreign_key, "invalid": "eyJx"}
        clients: dict[str, httpx.Client] = {
            name: stack.enter_context(Caller(world.url, token)) for name, token in others.items()
        }
        as_it_is = {"accept-encoding": "identity"}
        clients[NOBODY] = stack.enter_context(httpx.Client(base_url=world.url, timeout=30, headers=as_it_is))
        clients |= {"key": platform, "seat 0": table.players[0], "seat 1": table.players[1]}
        yield Callers(table, clients)


def test_the_public_operations_are_those_that_ask_for_no_credential() -> None:
    assert {named(route) for route in READS if b"Authorization" not in route.varies} == PUBLIC


@pytest.mark.parametrize("route", READS, ids=named)
def test_no_cache_keeps_what_differs_by_credential(callers: Callers, route: RoutedPath) -> None:
    by_type: dict[str, set[str]] = {}
    for who, accept in itertools.product(callers.clients, TYPES):
        answer = callers.ask(who, route, accept=accept)
        check_every_answer(answer)
        by_type.setdefault(answer.headers["vary"], set()).add(who)
        if answer.status_code >= 400:
            continue
        kept = answer.headers["cache-control"]
        if named(route) in PUBLIC:
            assert "authorization" not in varies(answer)
        else:
            assert "authorization" in varies(answer)
            assert kept == ("private, no-cache" if named(route) in KEPT else "private, no-store"), who
            assert ("etag" in answer.headers) is (named(route) in KEPT)
    assert len(by_type) == 1, "successes and problems vary by the same headers"


@pytest.mark.parametrize("route", [each for each in READS if named(each) in PUBLIC], ids=named)
@pytest.mark.parametrize("accept", TYPES)
def test_what_is_public_is_the_same_for_everybody(callers: Callers, route: RoutedPath, accept: str) -> None:
    bodies = {callers.ask(who, route, accept=accept).content for who in callers.clients}
    assert len(bodies) == 1


@pytest.mark.parametrize("route", READS, ids=named)
def test_a_tag_of_somebody_else_is_no_304(callers: Callers, route: RoutedPath) -> None:
    """Also compressed, in a language, and as proxies hand tags on."""
    found: dict[str, str] = {}
    for who, query, coding in itertools.product(callers.clients, ("", "lang=it"), ("identity", "gzip")):
        if query and b"Accept-Language" not in route.varies:
            continue
        answer = callers.ask(who, route, query=query, accept_encoding=coding)
        if answer.status_code != 200 or "etag" not in answer.headers:
            continue
        tag = answer.headers["etag"]
        for sent in (tag, f"W/{tag}", f'{tag[:-1]}--gzip"', f'{tag[:-1]};br"', f'"other", {tag}'):
            own = callers.ask(who, route, query=query, accept_encoding=coding, if_none_match=sent)
            assert (own.status_code, own.headers["vary"]) == (304, answer.headers["vary"]), sent
            assert own.headers["cache-control"] == answer.headers["cache-control"]
            assert own.headers["etag"] in sent
        found[f"{who} {query}"] = tag
    if named(route) not in KEPT:
        return
    assert len(found) == 2 * 7, "everybody but strangers"
    assert len(set(found.values())) == len(found)
    for reader, owner in itertools.permutations(found, 2):
        who, _, query = reader.rpartition(" ")
        for tag in (found[owner], f"W/{found[owner]}", f'{found[owner][:-1]}--gzip"'):
            other = callers.ask(who, route, query=query, if_none_match=tag)
            assert other.status_code == 200, (reader, owner)


def test_a_key_has_a_tag_for_every_audience_and_form(callers: Callers) -> None:
    """It names the seat in the query, and a proxy may leave queries out of its key."""
    forms = (
        "",
        "seat=0",
        "seat=1",
        "audience=public",
        "audience=referee",
        "seat=0&lang=it",
        "seat=0&lang=fr",
    )
    for route in (each for each in READS if named(each) in KEPT):
        more = ("seat=0&at=2", "seat=1&at=2") if named(route) == "getView" else ()
        tags = {form: callers.ask("key", route, query=form).headers["etag"] for form in (*forms, *more)}
        same = {"audience=public"}  # it is what a key sees without a query
        assert tags[""] == tags["audience=public"]
        assert len(set(tags.values())) == len(tags) - len(same)
        for asked, owner in itertools.permutations(tags.keys() - same, 2):
            answer = callers.ask("key", route, query=asked, if_none_match=tags[owner])
            assert answer.status_code == 200, (asked, owner)


def test_a_tag_of_a_view_is_none_of_a_table_nor_of_a_move(callers: Callers) -> None:
    view, table = (next(each for each in READS if named(each) == name) for name in ("getView", "getTable"))
    of_view, of_table = (callers.ask("seat 0", route).headers["etag"] for route in (view, table))
    assert callers.ask("seat 0", view, if_none_match=of_table).status_code == 200
    assert callers.ask("seat 0", table, if_none_match=of_view).status_code == 200


def test_a_move_s_tag_says_who_has_made_it(platform: Platform) -> None:
    with platform.new_table() as table:
        first, second = table.players
        tags = [
            player.move(PROGRAM, 1, request_id=f"by {player.seat}").headers["etag"]
            for player in (first, second)
        ]
        assert tags[0].startswith('"v:2;a=')
        again = first.move(PROGRAM, 1, request_id="by 0")
        assert (again.headers["idempotent-replayed"], again.headers["etag"]) == ("true", tags[0])
        view = second.get(f"{table.path}/view", headers={"if-none-match": tags[1]})
        assert view.status_code == 200, "the answer to a move is no view"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_whatever_is_refused_says_the_same(callers: Callers, method: str) -> None:
    """To nobody, and with a token that may not: of every route that changes something."""
    asked = 0
    for route in (each for each in ROUTES if method in each.own_methods):
        for who in (NOBODY, "invalid", "spectator"):
            answer = callers.ask(who, route, method=method)
            assert answer.status_code >= 400 or who == "spectator", (route.path, who)
            check_every_answer(answer)
            assert answer.headers["cache-control"] == "private, no-store"
            asked += 1
    assert asked or method == "PUT"


@pytest.mark.parametrize("route", READS, ids=named)
def test_heads_say_what_gets_say(callers: Callers, route: RoutedPath) -> None:
    if "HEAD" not in route.allowed:
        return
    for who in ("seat 0", NOBODY):
        got, head = (callers.ask(who, route, method=method) for method in ("GET", "HEAD"))
        assert head.status_code == got.status_code
        for name in ("vary", "cache-control", "etag", "x-content-type-options"):
            assert lines(head, name) == lines(got, name), name


@pytest.mark.parametrize("origin", ["", "https://play.example", "https://elsewhere.example"])
def test_an_answer_varies_by_origin_whether_or_not_one_was_sent(callers: Callers, origin: str) -> None:
    headers = {"origin": origin} if origin else {}
    client, path = callers.clients["seat 0"], callers.table.path
    moves = f"{path}/moves"
    answers = [
        client.get(f"{path}/view", headers=headers),
        client.get(f"{path}/view?no=1", headers=headers),
        client.get("/v1/games", headers=headers),
        client.get("/nothing", headers=headers),
        client.request("DELETE", f"{path}/view", headers=headers),
        client.options("*", headers=headers),
        client.options(moves, headers={**headers, "access-control-request-method": "POST"}),
        client.post(moves, json={"action": PROGRAM, "expected_version": 7}, headers=headers),
        client.post(f"{moves}?", json={"action": PROGRAM, "expected_version": 7}, headers=headers),
    ]
    tag = answers[0].headers["etag"]
    answers.append(client.get(f"{path}/view", headers={**headers, "if-none-match": tag}))
    assert answers[-1].status_code == 304
    for answer in answers:
        check_every_answer(answer)
        allowed = answer.headers.get("access-control-allow-origin")
        assert allowed == (origin if origin == "https://play.example" else None)


def test_a_gateway_without_origins_says_it_as_well(world: World, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Else a cache would go on giving out what it kept before an operator named some."""
    settings = {**world.gateway_settings(world.rules_address), "cors_origins": ""}
    with Process("gateway", tmp_path / "gateway.log", **settings) as process:
        with httpx.Client(base_url=process.start(), timeout=30) as client:
            for path in ("/v1/games", "/livez", "/nothing"):
                check_every_answer(client.get(path))
        assert process.stop() == 0


def test_what_is_refused_before_it_is_read_says_it_as_well(world: World) -> None:
    url = httpx.URL(world.url)
    with socket.create_connection((url.host, url.port or 80), timeout=10) as connection:
        connection.sendall(b"GET nonsense\r\n\r\n")
        head = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")[0].decode().lower()
    assert head.startswith("http/1.1 400")
    for line in ("cache-control: private, no-store", "x-content-type-options: nosniff"):
        assert head.split("\r\n").count(line) == 1
    assert "origin" in head.partition("vary: ")[2]
