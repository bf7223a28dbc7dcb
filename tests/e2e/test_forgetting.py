"""A player and a match are forgotten in a whole running system: in its database, its logs, its queues, its answers, its caches.

The player's id, name and data stand nowhere else, so whatever still has one of them has kept it.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

from gateway.schemas.webhooks import EventTypeName
from services.embedded_postgres.binaries import binaries_folder
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from services.rules.forgetting.deleting import OF_A_MATCH
from tests.support.independent_verifier import NODE, found_in
from tests.support.running_system import FOLDTABLE, System, environment, running_system, wait_until
from tests.support.traces import spellings, traces

pytestmark = pytest.mark.slow

EVE, NAME, COLOUR = "eve-9c41b7e2", "Eve Nightingale-7731", "aquamarine-52fd"
MARKS = (EVE, NAME, COLOUR)
NOWHERE = "http://127.0.0.1:9/hooks"
"""A receiver of webhooks that is not there: what is sent to it stays in the queue."""
EVERY_TYPE = [name for name in get_args(EventTypeName) if name != "endpoint.disabled"]
"""Of what becomes of matches; the other one is about an endpoint."""
PROGRAM = {"type": "submit_program", "cards": ["stone1", "stone2", "plank1", "move1", "jump"]}


@pytest.fixture
def here(tmp_path: Path, database_url: str) -> Iterator[System]:
    """A system of its own, whose database and whose logs are looked through."""
    with running_system(
        tmp_path / "home", "--log-level", "debug", FOLDTABLE_DATABASE_URL=database_url
    ) as system:
        yield system


class Platform:
    """The tenant, with everything that it can do for Eve."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def ask(self, method: str, path: str, **more: Any) -> Any:
        answer = self.client.request(method, path, **more)
        assert answer.is_success, (method, path, answer.text)
        return answer.json() if answer.content else None

    def post(self, path: str, **body: Any) -> Any:
        return self.ask("POST", path, json=body)

    def create(self, *seating: dict[str, Any], **more: Any) -> str:
        asked = {"game": "river_dragons", "seats": 2, "seating": seating, **more}
        match_id: str = self.post("/v1/matches", **asked)["match"]["match_id"]
        return match_id

    def move(self, match_id: str, seat: int) -> None:
        version = self.ask("GET", f"/v1/matches/{match_id}")["version"]
        body = {"action": PROGRAM, "expected_version": version, "seat": seat}
        self.post(f"/v1/matches/{match_id}/moves", **body)


ADA, EVES = {"player": "ada", "name": "Ada"}, {"player": EVE, "name": NAME, "data": {"colour": COLOUR}}
OPEN = {"kind": "open"}


def play(platform: Platform) -> dict[str, str]:
    """Let Eve be everywhere where a player can be; return the matches by what she is in them."""
    platform.ask("PUT", "/v1/events/recording", json={"event_types": EVERY_TYPE})
    platform.post("/v1/webhooks/endpoints", url=NOWHERE, event_types=EVERY_TYPE)
    matches = {"running": platform.create(ADA, EVES), "ended": platform.create(ADA, EVES)}
    platform.move(matches["running"], 0)
    platform.move(matches["running"], 1)
    platform.move(matches["ended"], 1)
    platform.post(f"/v1/matches/{matches['ended']}/resign", seat=0)
    matches["waiting"] = platform.create(ADA, OPEN, start="on_demand")
    platform.post(f"/v1/matches/{matches['waiting']}/join", player=EVE, name=NAME, request_id="join-1")
    matches["left"] = platform.create(ADA, OPEN, start="on_demand")
    platform.post(f"/v1/matches/{matches['left']}/join", player=EVE, name=NAME)
    platform.post(f"/v1/matches/{matches['left']}/leave", seat=1)
    matches["invited"] = platform.create(ADA, {"kind": "invited", "player": EVE, "name": NAME})
    matches["replaced"] = platform.create(ADA, EVES)
    platform.move(matches["replaced"], 1)
    platform.post(f"/v1/matches/{matches['replaced']}/seats/1/replace", player="cleo", name="Cleo")
    platform.post(f"/v1/matches/{matches['replaced']}/resign", seat=0)
    matches["replacing"] = platform.create(ADA, {"player": "cleo"})
    platform.post(f"/v1/matches/{matches['replacing']}/seats/1/replace", **EVES)
    matches["public"] = platform.create(ADA, {"player": "bob"}, visibility="public")
    session = platform.post("/v1/player-sessions", player=EVE)["token"]
    as_eve = {"Authorization": f"Bearer {session}"}
    fork = platform.ask("POST", f"/v1/matches/{matches['public']}/fork", json={}, headers=as_eve)
    matches["forked"] = fork["match"]["match_id"]
    matches["own"] = platform.ask(
        "POST", "/v1/matches", json={"game": "river_dragons", "seats": 2}, headers=as_eve
    )["match"]["match_id"]
    platform.post("/v1/login-codes", player=EVE)
    platform.post("/v1/vacations", player=EVE, until=f"{time.gmtime().tm_year + 1}-01-01T12:00:00Z")
    platform.ask("POST", f"/v1/matches/{matches['running']}/stream-tickets", json={}, headers=as_eve)
    return matches


def answers(platform: Platform, matches: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield everything that the tenant can read."""
    paths = ["/v1/matches", "/v1/matches/export", "/v1/matches/export?what=results", "/v1/events"]
    paths += [
        "/v1/vacations?include_ended=true",
        f"/v1/players/export?player={EVE}",
        f"/v1/matches?player={EVE}",
    ]
    (endpoint,) = platform.ask("GET", "/v1/webhooks/endpoints")["endpoints"]
    paths.append(f"/v1/webhooks/endpoints/{endpoint['endpoint_id']}/deliveries")
    for match_id in matches.values():
        of_match = f"/v1/matches/{match_id}"
        paths += [of_match, f"{of_match}/export", f"{of_match}/moves"]
        if platform.ask("GET", of_match)["version"]:
            paths += [f"{of_match}/view", f"{of_match}/table", f"{of_match}/replay"]
    for path in paths:
        answer = platform.client.get(path)
        assert answer.is_success, (path, answer.text)
        yield path, answer.content


def named_in(content: bytes, marks: tuple[str, ...] = MARKS) -> list[str]:
    return [mark for mark in marks if any(one in content for one in spellings(mark))]


def logs(system: System) -> Iterator[tuple[str, bytes]]:
    yield "output", system.output_file.read_bytes()
    for file in (system.home / "logs").iterdir():
        yield file.name, file.read_bytes()


def dumped(database_url: str, folder: Path) -> bytes:
    """Return what pg_dump writes of the whole database."""
    done = subprocess.run(
        [binaries_folder() / "pg_dump", "--dbname", database_url, "--inserts"],
        capture_output=True,
        check=False,
        timeout=60,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def foldtable(system: System, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FOLDTABLE, *words, "--url", system.address, "--key", system.key],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=environment(),
    )


def test_an_erased_player_is_nowhere_and_every_match_verifies(
    here: System, database_url: str, tmp_path: Path
) -> None:
    with here.client() as client:
        platform = Platform(client)
        matches = play(platform)
        before = {place[:2] for place in traces(database_url, MARKS)}
        assert {
            ("seats", "player"),
            ("seats", "replaced"),
            ("events", "player"),
            ("forks", "account"),
        } <= before
        assert {mark for _, content in answers(platform, matches) for mark in named_in(content)} == set(MARKS)
        kept = foldtable(here, "players", "export", EVE)
        assert kept.returncode == 0, kept.stderr
        kinds = [json.loads(line)["kind"] for line in kept.stdout.splitlines()]
        assert kinds.count("seat") == 8, "running, ended, waiting, invited, replacing, forked twice, own"
        hashes = {name: platform.ask("GET", f"/v1/matches/{one}/export") for name, one in matches.items()}

        done = foldtable(here, "players", "erase", EVE, "--yes")
        assert done.returncode == 0, done.stderr

        assert traces(database_url, MARKS) == set()
        assert named_in(dumped(database_url, tmp_path)) == []
        wait_until(
            lambda: (
                not any(named_in(content) for path, content in answers(platform, matches) if EVE not in path)
            ),
            15,
        )
        for path, content in answers(platform, matches):
            assert named_in(content) == [], path
        assert client.get("/v1/players/export", params={"player": EVE}).content == b""
        for name, content in logs(here):
            assert named_in(content) == [], name
        documents = []
        for name, match_id in matches.items():
            said = platform.ask("GET", f"/v1/matches/{match_id}/verify")
            assert said["ok"] or said["status"] == "waiting", (name, said)
            document = client.get(f"/v1/matches/{match_id}/export").content
            found = verify_document(read_document(document))
            assert found.ok, (name, found)
            now = json.loads(document)
            assert [one["hash"] for one in now["moves"]] == [one["hash"] for one in hashes[name]["moves"]]
            assert now.get("players_hash") == hashes[name].get("players_hash")
            if now["status"] == "ended":
                documents.append(document)
                assert found.erased == 1, name
        assert len(documents) == 2
        if NODE:
            assert found_in(documents) == [[], []]


def test_a_deleted_match_is_nowhere(here: System, database_url: str, tmp_path: Path) -> None:
    with here.client() as client:
        platform = Platform(client)
        matches = play(platform)
        platform.ask("DELETE", f"/v1/matches/{matches.pop('public')}")
        gone = [matches.pop("running"), matches.pop("ended"), matches.pop("waiting")]
        with client.stream("GET", f"/v1/matches/{gone[0]}/stream") as watching:
            told = watching.iter_lines()
            assert next(line for line in told if line.startswith("event:")) == "event: snapshot"
            for match_id in gone:
                done = foldtable(here, "delete", match_id, "--yes")
                assert done.returncode == 0, done.stderr
            last = [line for line in told if line.startswith(("event:", "data:"))][-2:]
        assert last == ["event: revoked", 'data: {"reason":"MATCH_NOT_FOUND"}']

        for match_id in gone:
            left = {place[:2] for place in traces(database_url, (match_id, match_id.replace("-", "")))}
            assert left <= {
                ("deleted_matches", "match_id"),
                ("events", "match_id"),
                ("webhook_lanes", "lane"),
                ("webhook_deliveries", "lane"),
            }
            assert not any((table, "match_id") in left for table in OF_A_MATCH if table != "events")
            for path in ("", "/view", "/moves", "/export", "/stream", "/table"):
                answer = client.get(f"/v1/matches/{match_id}{path}")
                assert (answer.status_code, answer.json()["reason"]) == (404, "MATCH_NOT_FOUND"), path
            assert client.delete(f"/v1/matches/{match_id}").status_code == 204
            assert foldtable(here, "delete", match_id, "--yes").returncode == 0
        listed = {one["match_id"] for one in platform.ask("GET", "/v1/matches?page_size=100")["matches"]}
        assert listed == set(matches.values())
        events = platform.ask("GET", "/v1/events?limit=1000")["events"]
        of_gone = [one["type"] for one in events if one["data"]["match_id"] in gone]
        assert of_gone == ["foldtable.match.deleted.v1"] * 3
        audited = subprocess.run(
            [FOLDTABLE, "audit"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env={**environment(), "FOLDTABLE_DATABASE_URL": database_url},
        )
        assert audited.returncode == 0, audited.stdout + audited.stderr
