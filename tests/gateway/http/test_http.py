"""What every answer has: ids, logs without secrets, metrics, CORS; and the pages about the process itself."""

from __future__ import annotations

import re
import socket

import httpx
import pytest

from engine.registry import game
from gateway.openapi.hot import HotRoute
from gateway.problems.reasons import REASONS
from gateway.routes import ROUTES
from tests.gateway.conftest import World
from tests.gateway.server.test_http_protocol import received
from tests.gateway.table import PROGRAM, Player, Table
from tests.support.processes import Process

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def test_ids_are_made_up_where_the_caller_sends_none(anybody: httpx.Client) -> None:
    answer = anybody.get("/livez")
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["x-request-id"])
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01", answer.headers["traceparent"])


def test_ids_the_caller_sends_come_back(anybody: httpx.Client) -> None:
    sent = {"x-request-id": "turn-42", "traceparent": f"00-{TRACE}-00f067aa0ba902b7-00"}
    answer = anybody.get("/v1/nothing", headers=sent)
    assert answer.headers["x-request-id"] == "turn-42"
    _, trace, span, flags = answer.headers["traceparent"].split("-")
    assert (trace, flags) == (TRACE, "00")
    assert span != "00f067aa0ba902b7", "the gateway's span is its own"
    assert answer.json()["trace_id"] == TRACE


@pytest.mark.parametrize(
    "sent",
    [
        {"x-request-id": "a b"},
        {"x-request-id": "a" * 65},
        {"traceparent": f"00-{'0' * 32}-00f067aa0ba902b7-01"},
        {"traceparent": f"ff-{TRACE}-00f067aa0ba902b7-01"},
        {"traceparent": "nonsense"},
    ],
)
def test_ids_that_are_none_are_replaced(anybody: httpx.Client, sent: dict[str, str]) -> None:
    answer = anybody.get("/livez", headers=sent)
    ((name, value),) = sent.items()
    assert answer.headers[name] not in (value, "")
    assert TRACE not in answer.headers["traceparent"]


def test_a_request_is_one_log_line_with_match_version_and_duration(world: World, player: Player) -> None:
    answer = player.move(PROGRAM, 1, headers={"x-request-id": "logged-once"})
    (line,) = world.gateway.lines_of("logged-once")
    assert (line["event"], line["method"], line["status"]) == ("request", "POST", 200)
    assert (line["match_id"], line["version"]) == (player.match_id, 2)
    assert line["path"] == f"/v1/matches/{player.match_id}/moves"
    assert line["trace_id"] in answer.headers["traceparent"]
    assert 0 < line["ms"] < 5000
    refused = player.move(PROGRAM, 1, headers={"x-request-id": "logged-refusal"})
    (line,) = world.gateway.lines_of("logged-refusal")
    assert line["reason"] == refused.json()["reason"]


def test_no_log_holds_a_credential_or_a_card(world: World, table: Table) -> None:
    with world.several.another_gateway("debugging", log_level="debug") as url:
        player = Player(url, table.match_id, 0, table.players[0].token)
        _play_and_ask(player, table)
        player.close()
    log = (world.folder / "debugging.log").read_text()
    assert '"level":"debug"' in log, "else it does not log everything"
    assert player.match_id in log
    for secret in (player.token, world.key, "stone1", "submit_program", "Bearer"):
        assert secret not in log


def _play_and_ask(player: Player, table: Table) -> None:
    player.get("/livez")
    player.move(PROGRAM, 1, headers={"idempotency-key": '"not-for-logs"'})
    player.look("view")
    player.look("legal-actions", samples=3)
    player.post("/v1/matches", json={"game": "river_dragons", "seats": 2})
    player.get(f"{table.path}/view", headers={"authorization": f"Bearer {player.token}x"})


def test_metrics_count_by_route_and_never_by_match(
    world: World, anybody: httpx.Client, player: Player
) -> None:
    player.move(PROGRAM, 1)
    anybody.get("/v1/nothing/of/the/kind")
    text = world.gateway.metrics
    assert re.search(
        r'foldtable_http_requests_total\{method="POST",route="/v1/matches/\{match_id\}/moves",status="200"\} [1-9]',
        text,
    )
    assert 'route="unmatched",status="404"' in text
    assert "foldtable_http_request_seconds_bucket" in text
    assert "foldtable_moves_per_message_count" in text
    assert "foldtable_open_streams" in text
    assert player.match_id not in text


def test_an_allowed_origin_may_read_what_a_front_end_needs(player: Player) -> None:
    answer = player.get(f"/v1/matches/{player.match_id}/view", headers={"origin": "https://play.example"})
    assert answer.headers["access-control-allow-origin"] == "https://play.example"
    assert "Origin" in answer.headers["vary"]
    exposed = answer.headers["access-control-expose-headers"].split(", ")
    assert {"ETag", "Location", "Retry-After", "Idempotent-Replayed", "RateLimit"} <= set(exposed)


def test_a_preflight_is_answered_for_an_allowed_origin_only(anybody: httpx.Client, table: Table) -> None:
    def preflight(origin: str) -> httpx.Response:
        return anybody.options(
            f"{table.path}/moves",
            headers={
                "origin": origin,
                "access-control-request-method": "POST",
                "access-control-request-headers": "authorization,content-type,if-match,idempotency-key",
            },
        )

    assert preflight("https://play.example").headers["access-control-allow-origin"] == "https://play.example"
    foreign = preflight("https://evil.example")
    assert foreign.status_code == 400
    assert "access-control-allow-origin" not in foreign.headers
    simple = anybody.get("/v1/games", headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in simple.headers


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{min(route.methods)} {route.path}")
def test_a_page_may_use_every_method_that_a_route_has(anybody: httpx.Client, route: HotRoute) -> None:
    """A browser asks first; where the answer lacks the method, the page's call is never sent."""
    for method in route.methods or ():
        answer = anybody.options(
            re.sub(r"\{[^}]+\}", "x", route.path),
            headers={"origin": "https://play.example", "access-control-request-method": method},
        )
        assert answer.status_code == 200, answer.text
        assert method in answer.headers["access-control-allow-methods"].split(", ")


def test_metrics_are_not_on_the_public_port(world: World, anybody: httpx.Client) -> None:
    for path in ("/metrics", "/metrics/"):
        assert anybody.get(path).status_code == 404
    assert "/metrics" not in anybody.get("/openapi.json").json()["paths"]
    assert "foldtable_http_requests_total" in world.gateway.metrics


def test_a_metrics_port_that_is_taken_stops_the_start_and_is_named(world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        settings = world.gateway_settings("127.0.0.1:1") | {"metrics_listen": listen}
        unlucky = Process("gateway", world.folder / "gateway_taken.log", **settings)
        with pytest.raises(AssertionError, match="FOLDTABLE_METRICS_LISTEN"):
            unlucky.start()


def test_the_metrics_port_reads_one_request_from_a_connection(world: World) -> None:
    """Upgrade or not: what follows is no second request, and the connection is closed."""
    (address,) = (line["metrics"] for line in world.gateway.lines() if line.get("event") == "serving")
    url = httpx.URL(address)
    inner = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
    for upgrade in (b"", b"Connection: Upgrade\r\nUpgrade: h2c\r\n"):
        for method in (b"GET", b"POST", b"CONNECT"):
            head = b"%b /metrics HTTP/1.1\r\nHost: x\r\n%bContent-Length: %d\r\n\r\n"
            with socket.create_connection((url.host, url.port or 80), timeout=10) as connection:
                connection.sendall(head % (method, upgrade, len(inner)) + inner * 2)
                assert received(connection).count(b"HTTP/1.") <= 1


@pytest.mark.parametrize("probe", ["/livez", "/readyz", "/startupz"])
def test_probes_are_well(anybody: httpx.Client, probe: str) -> None:
    answer = anybody.get(probe)
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_every_reason_has_a_page(anybody: httpx.Client) -> None:
    listed = anybody.get("/problems").json()["problems"]
    reasons = [page["reason"] for page in listed]
    assert reasons[: len(REASONS)] == list(REASONS)
    assert reasons[len(REASONS) :] == sorted(game("river_dragons").codes)
    for page in listed:
        assert anybody.get(page["type"]).json() == page


def test_a_browser_reads_the_reasons_as_a_page(anybody: httpx.Client) -> None:
    browser = {"accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}
    for path in ("/problems", "/problems/PLANK_TOO_SHORT"):
        answer = anybody.get(path, headers=browser)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["vary"].startswith("Accept")
        assert '<section id="PLANK_TOO_SHORT">' in answer.text
        assert "http" not in answer.text.replace("HTTP", "")  # nothing is fetched from anywhere


def test_a_games_rule_has_a_page_too_and_nonsense_has_none(anybody: httpx.Client) -> None:
    page = anybody.get("/problems/PLANK_TOO_SHORT").json()
    assert (page["status"], page["grpc_code"]) == (422, "FAILED_PRECONDITION")
    (meaning,) = page["games"]
    assert (meaning["game"], meaning["rules"]) == ("river_dragons", ["7.2", "R17"])
    for nonsense in ("plank", "NO_SUCH_RULE", "A", "A" * 64, "9LIVES"):
        answer = anybody.get(f"/problems/{nonsense}")
        assert (answer.status_code, answer.json()["reason"]) == (404, "PROBLEM_NOT_FOUND")


def test_settings_that_do_not_fit_stop_the_start_and_are_named(world: World) -> None:
    settings = world.gateway_settings("127.0.0.1:1") | {"rules": "nonsense"}
    broken = Process("gateway", world.folder / "gateway_unset.log", **settings)
    with pytest.raises(AssertionError, match="nonsense"):
        broken.start()
    settings = world.gateway_settings("127.0.0.1:1") | {"token_public_key_file": "/nowhere/public.pem"}
    keyless = Process("gateway", world.folder / "gateway_keyless.log", **settings)
    with pytest.raises(AssertionError, match="FOLDTABLE_TOKEN_PUBLIC_KEY_FILE"):
        keyless.start()
