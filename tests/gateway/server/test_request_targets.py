"""What a request line names: every form of it is answered, and nothing is served under a name it does not have."""

from __future__ import annotations

import itertools
import re
from contextlib import closing

import httpx
import pytest

from gateway.routes import ROUTES
from gateway.server.request_targets import ForeignTarget, TargetMalformed, decoded_path, origin_form
from tests.gateway.conftest import World
from tests.gateway.parsed_connections import documents
from tests.gateway.server.test_http_protocol import LIVEZ, connected, received
from tests.gateway.table import Table
from tests.support.processes import Process

CLOSE = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@pytest.fixture
def gateway(world: World) -> Process:
    world.gateway.url = world.url  # type: ignore[attr-defined]  # for `connected`
    return world.gateway


def answer_to(gateway: Process, sent: bytes) -> tuple[int, bytes, bytes]:
    """Return status, head and body of the one answer, after which the connection closes."""
    with closing(connected(gateway)) as line:
        line.sendall(sent)
        data = received(line)
    assert data.count(b"HTTP/1.1 ") == 1, data
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head[9:12]), head.lower(), body


@pytest.mark.parametrize(
    ("line", "status", "reason"),
    [
        pytest.param(b"GET http://host", 200, "", id="an empty path is the root"),
        pytest.param(b"GET http://host?a=b", 400, "MALFORMED_REQUEST", id="and may have a query"),
        pytest.param(b"GET HTTPS://user:password@[::1]:443", 200, "", id="whatever the host"),
        pytest.param(b"GET http://host/livez", 200, "", id="absolute form"),
        pytest.param(b"GET http://host/nothing", 404, "ROUTE_NOT_FOUND", id="a path nobody serves"),
        pytest.param(b"POST http://host", 405, "METHOD_NOT_ALLOWED", id="the root takes no POST"),
        pytest.param(b"GET ftp://host/livez", 421, "MISDIRECTED_REQUEST", id="a foreign scheme"),
        pytest.param(
            b"OPTIONS ftp://host", 421, "MISDIRECTED_REQUEST", id="a foreign scheme, without a path"
        ),
        pytest.param(b"GET foo:bar", 400, "NOT_HTTP", id="no authority"),
        pytest.param(b"GET http:///livez", 400, "NOT_HTTP", id="an empty host"),
        pytest.param(b"GET http://host:99999/livez", 400, "NOT_HTTP", id="no such port"),
        pytest.param(b"GET *", 400, "NOT_HTTP", id="only OPTIONS asks about everything"),
        pytest.param(b"GET host:443", 400, "NOT_HTTP", id="only CONNECT names an authority"),
        pytest.param(b"GET livez", 400, "NOT_HTTP", id="a relative path"),
        pytest.param(b"GET /\xff\xfe", 400, "NOT_HTTP", id="no ASCII"),
        pytest.param(b"CONNECT host:443", 405, "METHOD_NOT_ALLOWED", id="a tunnel"),
        pytest.param(b"CONNECT /livez", 405, "METHOD_NOT_ALLOWED", id="a tunnel to a path"),
        pytest.param(b"CONNECT *", 405, "METHOD_NOT_ALLOWED", id="a tunnel to everything"),
        pytest.param(b"TRACE /livez", 405, "METHOD_NOT_ALLOWED", id="a method nothing knows"),
    ],
)
def test_whatever_the_request_line_names_there_is_an_answer(
    gateway: Process, line: bytes, status: int, reason: str
) -> None:
    answered, head, body = answer_to(gateway, line + CLOSE)
    assert answered == status
    if reason:
        assert b"content-type: application/problem+json" in head
        (document,) = documents(b"HTTP/1.1 %d\r\n" % status + head + b"\r\n\r\n" + body)
        assert document["reason"] == reason
        assert b"password" not in body


@pytest.mark.parametrize("line", [b"OPTIONS *", b"OPTIONS http://host"])
def test_the_server_says_which_methods_it_knows(gateway: Process, line: bytes) -> None:
    """RFC 9110 §9.3.7, RFC 9112 §3.2.4"""
    status, head, body = answer_to(gateway, line + CLOSE)
    assert (status, body) == (204, b"")
    assert b"\r\nallow: delete, get, head, options, patch, post, put\r\n" in head


def test_nothing_is_read_after_a_tunnel_was_asked_for(gateway: Process) -> None:
    """RFC 9110 §9.3.6: what follows would be the tunnel's. Requests before it are answered, and none behind it."""
    endings = (b"\r\n", b"Content-Length: 5\r\n\r\n12345", b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
    for target, more in itertools.product((b"host:443", b"/livez", b"http://host/livez"), endings):
        tunnel = b"CONNECT %b HTTP/1.1\r\nHost: host:443\r\n" % target
        for split in (False, True):
            with closing(connected(gateway)) as line:
                line.sendall(LIVEZ + tunnel + more)
                if not split:
                    line.sendall(LIVEZ * 3)
                answers = received(line)
            assert [one[:3] for one in answers.split(b"HTTP/1.1 ")[1:]] == [b"200", b"405"]
            assert b"\r\nallow: \r\n" in answers
            assert b"\r\nconnection: close\r\n" in answers


def test_a_bad_target_costs_no_request_before_it_its_answer(gateway: Process) -> None:
    with closing(connected(gateway)) as line:
        line.sendall(LIVEZ * 3 + b"GET http://host:99999/" + CLOSE)
        assert received(line).count(b"HTTP/1.1 200") == 3


# ── encoded paths ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "path",
    [
        "/v1%2ftenants",
        "/v1%2Ftenants",
        "/v1%2fgames",
        "/%2fv1/games",
        "/v1/games%2friver_dragons",
        "/v1%252fgames",
        "/v1/%2e%2e/v1/games",
        "/v1/games/..%2f..%2fv1%2fgames",
        "//v1/games",
        "/v1//games",
        "/v1/games/",
        "/v1/./games",
        "/v1%5cgames",
        "/v1/games%00",
        "/livez%2f",
        "/games%2fal_rashid",
    ],
)
@pytest.mark.parametrize("absolute", [False, True], ids=["origin form", "absolute form"])
def test_no_other_path_leads_where_a_path_leads(gateway: Process, path: str, *, absolute: bool) -> None:
    """RFC 3986 §2.2: an encoded slash is part of a segment. Over a bare socket: clients tidy paths up."""
    target = ("http://host" if absolute else "") + path
    status, _, _ = answer_to(gateway, b"GET " + target.encode() + CLOSE)
    assert status == 404


def test_unreserved_characters_may_be_encoded(anybody: httpx.Client) -> None:
    """RFC 3986 §2.3: that is the same path."""
    assert anybody.get("/v1/%67ames").status_code == 200


def test_a_slash_in_an_id_is_part_of_it(world: World, table: Table) -> None:
    """In every route and every parameter: it is no id, whoever asks, and nothing else is asked for."""
    asked = 0
    for route in ROUTES:
        names = re.findall(r"\{([^}:]+)[^}]*\}", route.path)
        for wrong in names:
            path = route.path
            for name in names:
                value = {"match_id": table.match_id, "game": "river_dragons", "name": "river_dragons"}.get(
                    name, "x"
                )
                path = path.replace("{" + name + "}", f"{value}%2fview" if name == wrong else value)
            for method in route.methods or ():
                with closing(connected(world.gateway)) as line:
                    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {world.key}\r\n"
                    line.sendall(
                        head.encode() + b"Content-Type: application/json\r\nContent-Length: 2\r\n"
                        b"Connection: close\r\n\r\n{}"
                    )
                    status = int(received(line)[9:12])
                assert 400 <= status < 500, (method, path, status)
                asked += 1
    assert asked > 40


def test_whole_paths_with_encoded_slashes_lead_nowhere(gateway: Process, world: World, table: Table) -> None:
    """Each slash of each route but the first, encoded: the router finds no route, so nobody's guard is walked past."""
    for route in ROUTES:
        path = re.sub(r"\{[^}]+\}", table.match_id, route.path)
        slashes = [place.start() for place in re.finditer("/", path)][1:]
        for place in slashes:
            encoded = path[:place] + "%2F" + path[place + 1 :]
            for method in route.methods or ():
                with closing(connected(gateway)) as line:
                    line.sendall(
                        f"{method} {encoded} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
                    )
                    answer = received(line)
                assert int(answer[9:12]) in {404, 405, 401, 400}, (method, encoded, answer)
                assert route.path.encode() not in answer


@pytest.mark.parametrize(
    ("method", "target", "expected"),
    [
        (b"GET", b"http://host", b"/"),
        (b"GET", b"http://host?", b"/"),
        (b"GET", b"http://host?a=b", b"/?a=b"),
        (b"GET", b"https://host/a%2Fb?c#d", b"/a%2Fb?c"),
        (b"OPTIONS", b"http://host/", b"/"),
        (b"OPTIONS", b"http://host", b"*"),
        (b"OPTIONS", b"*", b"*"),
    ],
)
def test_a_target_in_origin_form(method: bytes, target: bytes, expected: bytes) -> None:
    assert origin_form(method, target) == expected


@pytest.mark.parametrize(
    ("method", "target", "error"),
    [
        (b"CONNECT", b"host:443", ForeignTarget),
        (b"GET", b"gopher://host/", ForeignTarget),
        (b"GET", b"*", TargetMalformed),
        (b"GET", b"host:443", TargetMalformed),
    ],
)
def test_a_target_that_has_none(method: bytes, target: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        origin_form(method, target)


def test_decoding_leaves_encoded_slashes() -> None:
    assert decoded_path(b"/a%2Fb%2fc%252fd%20%41%C3%A9") == "/a%2Fb%2Fc%2fd Aé"
