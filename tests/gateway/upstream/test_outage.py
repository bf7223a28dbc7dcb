"""A rules server that is down, and back again, without anybody touching the gateway."""

from __future__ import annotations

import time

import httpx

from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Platform, Table
from tests.support.processes import Process


def test_an_outage_is_told_with_503_and_ends_by_itself(world: World, table: Table) -> None:
    log = world.folder / "rules_outage.log"
    with Process("services.rules", log, **world.rules_settings()) as rules:
        address = rules.start()
        gateway = Process("gateway", world.folder / "gateway_outage.log", **world.gateway_settings(address))
        with gateway, Platform(gateway.start(), world.key) as platform:
            moves = f"{table.path}/moves"
            body = {"action": PROGRAM, "expected_version": 1, "seat": 0, "request_id": "outage"}
            assert platform.get(f"{table.path}/view").status_code == 200
            games = platform.get("/v1/games").json()

            rules.kill()
            begun = time.monotonic()
            for answer in (
                platform.post(moves, json=body),
                platform.get(f"{table.path}/view"),
                platform.get(table.path),
                platform.get(f"{table.path}/stream"),
                platform.post("/v1/matches", json={"game": "river_dragons", "seats": 2}),
            ):
                assert (answer.status_code, answer.json()["reason"]) == (503, "RULES_UNAVAILABLE")
                assert int(answer.headers["retry-after"]) >= 1
                assert "127.0.0.1" not in answer.text, "where our servers are is nobody's business"
            assert time.monotonic() - begun < 15
            assert platform.get("/v1/games").json() == games, "the catalogue is told as last seen"
            while (ready := platform.get("/readyz")).status_code == 200:
                assert time.monotonic() - begun < 30
                time.sleep(0.1)
            assert ready.json() == {"status": "rules_unavailable", "games_away": ["river_dragons"]}, (
                "the one it was told of"
            )
            assert platform.get("/livez").status_code == 200, "it is alive"

            with Process("services.rules", log, **world.rules_settings(listen=address)) as again:
                again.start()
                begun = time.monotonic()
                while (answer := platform.post(moves, json=body)).status_code == 503:
                    assert time.monotonic() - begun < 30
                    time.sleep(0.1)
                assert (answer.status_code, answer.json()["version"]) == (200, 2)
                again.stop()
            assert gateway.stop() == 0


def test_a_gateway_starts_and_is_ready_without_any_rules_server(world: World) -> None:
    log = world.folder / "gateway_alone.log"
    with (
        Process("gateway", log, **world.gateway_settings("127.0.0.1:1")) as gateway,
        httpx.Client(base_url=gateway.start(), timeout=30) as anybody,
    ):
        assert anybody.get("/readyz").status_code == 200
        assert anybody.get("/startupz").status_code == 200
        for path in ("/v1/games", "/openapi.json"):
            answer = anybody.get(path)
            assert (answer.status_code, answer.json()["reason"]) == (503, "RULES_UNAVAILABLE")
        assert gateway.stop() == 0
