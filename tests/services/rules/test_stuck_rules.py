"""Rules that never return: the call is named, refused from then on, and everything else goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from tests.support.deployment import GENEROUS
from tests.support.running_system import FOLDTABLE, System, environment, running_system, wait_until
from tests.support.stuck_games import FOREVER, IN_A_LIBRARY, SLOW, WAITING, install_stuck_game

pytestmark = pytest.mark.slow

SECONDS = "1"
RECOVERED_SECONDS = 60
OTHER = "river_dragons"
EVOLVES_NO_MORE = "evolves_no_more"
TOLD = {
    *(
        "event",
        "level",
        "logger",
        "timestamp",
        "game",
        "distribution",
        "function",
        "match_id",
        "version",
        "seat",
    ),
    *("action", "digest", "seconds"),
}
GONE = (0, 502, 503, 504)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    # A move gets stuck in each way. What else gets stuck waits, which leaves the processor to other tests.
    install_stuck_game(folder, "loops", decide=FOREVER, set_up=WAITING, check_options=WAITING)
    install_stuck_game(folder, "reads", view=WAITING, legal_actions=WAITING)
    install_stuck_game(folder, "library", decide=IN_A_LIBRARY)
    install_stuck_game(folder, "waits", decide=WAITING)
    install_stuck_game(folder, "slow", decide=SLOW)
    install_stuck_game(folder, "absent", policy=WAITING)
    install_stuck_game(folder, "stored", evolve=str(folder / EVOLVES_NO_MORE))
    return folder


@contextmanager
def started(folder: Path, packages: Path, *words: str) -> Iterator[System]:
    with running_system(
        folder / "home",
        *words,
        PYTHONPATH=str(packages),
        FOLDTABLE_RULES_SECONDS=SECONDS,
        FOLDTABLE_RATE_LIMITS=GENEROUS,
    ) as system:
        yield system


@pytest.fixture(scope="module")
def system(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """One rules server for all games."""
    with started(tmp_path_factory.mktemp("together"), packages) as system:
        yield system


class Table:
    """A match of two players."""

    def __init__(self, system: System, game: str, **more: Any) -> None:
        self.system = system
        with system.client() as tenant:
            made = until_answered(lambda: tenant.post("/v1/matches", json={"game": game, "seats": 2, **more}))
        assert made.status_code == 201, made.text
        self.id: str = made.json()["match"]["match_id"]
        self.path = f"/v1/matches/{self.id}"

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Ask once; for what is only read, until somebody answers: the server may have been started anew just now."""
        with self.system.client() as tenant:
            once = partial(tenant.request, method, f"{self.path}{path}", **more)
            return until_answered(once) if method == "GET" else once()

    def legal(self) -> Any:
        seat = self.ask("GET", "").json()["to_act"][0]
        return seat, self.ask("GET", f"/legal-actions?seat={seat}").json()

    def move(self, seat: int, action: Any, version: int, request_id: str = "") -> httpx.Response:
        body = {"action": action, "expected_version": version, "seat": seat}
        return self.ask("POST", "/moves", json={**body, **({"request_id": request_id} if request_id else {})})

    @property
    def version(self) -> int:
        version: int = self.ask("GET", "").json()["version"]
        return version


def reason(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("reason", "")


def until_answered(ask: Any) -> httpx.Response:
    """Ask until somebody answers, and return that."""
    deadline = time.monotonic() + RECOVERED_SECONDS
    while True:
        answer: httpx.Response = ask()
        if answer.status_code not in GONE:
            return answer
        assert time.monotonic() < deadline, answer.text
        time.sleep(0.2)


def told(system: System, server: str = "rules") -> list[dict[str, Any]]:
    return [line for line in system.log(server) if line["event"] == "rules_stuck"]


def stuck_with(system: System, ask: Any, *, server: str = "rules") -> tuple[httpx.Response, dict[str, Any]]:
    """Ask for what does not return; give the answer of the server that was started anew, and what the log says."""
    before, pid, began = len(told(system, server)), system.part(server)["pid"], time.monotonic()
    ask()
    wait_until(lambda: system.part(server)["pid"] != pid, RECOVERED_SECONDS)
    answer = until_answered(ask)
    print(
        f"{server}: answered {time.monotonic() - began:.1f} s after the request, with a bound of {SECONDS} s"
    )
    (line,) = told(system, server)[before:]
    return answer, line


@pytest.mark.parametrize("game", ["loops", "library", "waits"])
def test_a_move_that_does_not_return_is_refused_and_its_match_goes_on(system: System, game: str) -> None:
    table, other = Table(system, game), Table(system, OTHER)
    seat, legal = table.legal()
    first, second = legal["actions"][:2]
    version = legal["version"]

    answer, line = stuck_with(system, lambda: table.move(seat, second, version, "the same"))

    assert reason(answer) == (409, "RULES_STUCK")
    assert (line["game"], line["match_id"], line["function"]) == (game, table.id, "decide")
    assert (line["seat"], line["action"], line["version"]) == (seat, second["type"], version)
    assert line["digest"]
    assert line.keys() == TOLD, "nothing else of the action is told, for it may be secret"
    assert "rules stopped a call of a game that did not return" in system.output

    began = time.monotonic()
    assert reason(table.move(seat, second, version, "another")) == (409, "RULES_STUCK")
    assert time.monotonic() - began < 5, "it is refused without being tried"
    assert table.version == version, "nothing was written"
    assert table.move(seat, first, version).status_code == 200
    assert other.ask("GET", "/view").status_code == 200
    assert Table(system, game).ask("GET", "/view").status_code == 200


@pytest.mark.parametrize(
    ("function", "path"), [("view", "/view?seat=1"), ("legal_actions", "/legal-actions?seat={}")]
)
def test_a_match_that_cannot_be_read_is_stopped_and_the_others_go_on(
    system: System, function: str, path: str
) -> None:
    table, other = Table(system, "reads"), Table(system, "reads")

    path = path.format(table.ask("GET", "").json()["to_act"][0])

    answer, line = stuck_with(system, lambda: table.ask("GET", path))

    assert reason(answer) == (409, "RULES_STUCK")
    assert (line["match_id"], line["function"], line["digest"]) == (table.id, function, None)
    assert reason(table.ask("GET", "/view?seat=0")) == (409, "RULES_STUCK")
    assert other.ask("GET", "/view?seat=0").status_code == 200
    with system.client("no credential of anybody") as stranger:
        assert stranger.get(f"{table.path}/view").status_code == 401


def test_a_match_whose_log_cannot_be_folded_is_stopped(system: System, packages: Path) -> None:
    table, flag = Table(system, "stored"), packages / EVOLVES_NO_MORE
    seat, legal = table.legal()
    assert table.move(seat, legal["actions"][0], legal["version"]).status_code == 200
    before, pid = len(told(system)), system.part("rules")["pid"]
    flag.touch()
    os.kill(pid, signal.SIGKILL)  # what it had folded is gone
    assert Table(system, OTHER).ask("GET", "/view").status_code == 200
    table.ask("GET", "/view")
    wait_until(lambda: len(told(system)) > before, RECOVERED_SECONDS)
    flag.unlink()
    assert reason(until_answered(lambda: table.ask("GET", "/view"))) == (409, "RULES_STUCK")
    (line,) = told(system)[before:]
    assert (line["match_id"], line["function"], line["digest"]) == (table.id, "evolve", None)
    assert Table(system, "stored").ask("GET", "/view").status_code == 200


def test_options_that_do_not_return_are_refused_for_every_match(system: System) -> None:
    def ask() -> httpx.Response:
        with system.client() as tenant:
            return tenant.post("/v1/matches", json={"game": "loops", "seats": 4})

    answer, line = stuck_with(system, ask)
    assert reason(answer) == (409, "RULES_STUCK")
    assert (line["game"], line["function"], line["match_id"]) == ("loops", "check_options", None)


def test_a_match_that_cannot_start_is_named(system: System) -> None:
    def ask() -> httpx.Response:
        with system.client() as tenant:
            return tenant.post(
                "/v1/matches", json={"game": "loops", "seats": 3}, headers={"Idempotency-Key": "once"}
            )

    answer, line = stuck_with(system, ask)
    assert reason(answer) == (409, "RULES_STUCK")
    assert (line["function"], line["action"]) == ("set_up", "start_match")
    assert line["match_id"]


def test_a_policy_that_does_not_return_stops_its_match_only(system: System) -> None:
    pid = system.part("rules")["pid"]
    table = Table(system, "absent", clock={"kind": "per_move", "seconds": 1})
    wait_until(lambda: system.part("rules")["pid"] != pid, RECOVERED_SECONDS)
    answer = until_answered(lambda: table.ask("GET", "/view?seat=0"))
    assert reason(answer) == (409, "RULES_STUCK")
    assert (told(system)[-1]["function"], told(system)[-1]["match_id"]) == ("policy", table.id)
    again = system.part("rules")["pid"]
    time.sleep(5)
    assert system.part("rules")["pid"] == again, "it is not tried again"
    assert Table(system, OTHER).ask("GET", "/view").status_code == 200


def test_a_server_that_was_stopped_for_a_while_is_not_taken_for_stuck(system: System) -> None:
    table, pid, before = Table(system, "slow"), system.part("rules")["pid"], len(told(system))
    seat, legal = table.legal()
    moving = Thread(target=lambda: table.move(seat, legal["actions"][1], legal["version"]))
    moving.start()
    time.sleep(1)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(12 * float(SECONDS))
    os.kill(pid, signal.SIGCONT)
    moving.join()
    wait_until(lambda: table.ask("GET", "").json().get("version") == legal["version"] + 1, RECOVERED_SECONDS)
    assert system.part("rules")["pid"] == pid
    assert len(told(system)) == before


def test_an_operator_lists_what_is_refused_and_has_it_tried_again(system: System) -> None:
    table = Table(system, "reads")
    stuck_with(system, lambda: table.ask("GET", "/view?seat=1"))
    listed = foldtable(system, "stuck")
    (line,) = [one for one in listed.stdout.splitlines() if table.id in one]
    number, _, distribution, what = line.split("\t")
    assert (distribution, what) == ("reads 1.0", f"view of reads: match {table.id}")

    assert foldtable(system, "stuck", "--lift", number).returncode == 0
    deadline = time.monotonic() + RECOVERED_SECONDS
    while (answer := table.ask("GET", "/view?seat=0")).status_code != 200:
        assert reason(answer) == (409, "RULES_STUCK")
        assert time.monotonic() < deadline
        time.sleep(0.2)
    again = foldtable(system, "stuck", "--lift", number)
    assert (again.returncode, f"no call of the number {number} is refused" in again.stderr) == (1, True)


def foldtable(system: System, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [FOLDTABLE, *words, "--home", system.home],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )


def test_readiness_says_that_no_game_is_served_meanwhile(system: System) -> None:
    table = Table(system, "waits")
    seat, legal = table.legal()
    statuses: list[int] = []
    moving = Thread(target=lambda: table.move(seat, legal["actions"][-1], legal["version"]))
    moving.start()
    with system.client() as anybody:
        deadline = time.monotonic() + 2 * RECOVERED_SECONDS
        while statuses[-2:] != [503, 200] and time.monotonic() < deadline:
            statuses.append(anybody.get("/readyz").status_code)
            time.sleep(0.1)
    moving.join()
    assert statuses[0] == 200
    assert statuses[-2:] == [503, 200]


def test_a_rules_server_of_its_own_keeps_everything_else_going(packages: Path, tmp_path: Path) -> None:
    with started(tmp_path, packages, "--own-servers") as system:
        pids = {part["name"]: part["pid"] for part in system.running["parts"]}
        assert {name for name in pids if name.startswith("rules")} == {
            "rules",
            *(f"rules-{game}" for game in ("absent", "library", "loops", "reads", "slow", "stored", "waits")),
        }
        table, other, third = Table(system, "waits"), Table(system, OTHER), Table(system, "loops")
        seat, legal = table.legal()
        moving = Thread(target=lambda: table.move(seat, legal["actions"][1], legal["version"]))
        moving.start()
        away: set[str] = set()
        asked = 0
        with system.client() as anybody:
            while system.part("rules-waits")["pid"] == pids["rules-waits"]:
                assert other.ask("GET", "/view").status_code == 200
                assert third.ask("GET", "/view?seat=0").status_code == 200
                ready = anybody.get("/readyz")
                assert ready.status_code == 200, ready.text
                away |= set(ready.json().get("games_away", ()))
                asked += 1
                time.sleep(0.1)
        moving.join()
        assert asked > 5
        assert away == {"waits"}
        answer = until_answered(lambda: table.move(seat, legal["actions"][1], legal["version"]))
        assert reason(answer) == (409, "RULES_STUCK")
        changed = {part["name"] for part in system.running["parts"] if pids[part["name"]] != part["pid"]}
        assert changed == {"rules-waits"}
