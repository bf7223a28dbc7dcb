"""`foldtable replay` in a terminal: it opens the page in a browser, and prints where there is none. The browser is a
program of the test that writes down what it was given.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest

from services.cli.replay.page import Link
from tests.support.golden_documents import ONE_OF_EACH, export_of, game_id_of
from tests.support.matches_over_rest import play
from tests.support.page_in_front import Front, page_in_front
from tests.support.pseudo_terminal import in_terminal
from tests.support.running_system import FOLDTABLE, System

BROWSER = """#!{python}
import json, os, sys
from pathlib import Path

link = sys.argv[1]
print("cannot open", link)
print("cannot open", link, file=sys.stderr)
token = link.partition("token=")[2].partition("&")[0].encode()
knowing = []
for process in Path("/proc").glob("[0-9]*"):
    try:
        knowing += [int(process.name)] if token in (process / "cmdline").read_bytes() else []
    except OSError:
        pass
Path({seen!r}).write_text(json.dumps({{"link": link, "knowing": knowing, "own": os.getpid()}}))
"""


@dataclass
class Browser:
    """A browser that opens nothing."""

    program: Path
    seen: Path

    @property
    def link(self) -> str:
        """The one address that it was given."""
        link: str = json.loads(self.seen.read_text())["link"]
        return link

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.link).fragment.partition("?")[2])

    @property
    def token(self) -> str:
        return self.query["token"][0]


@dataclass
class Replay:
    """How `foldtable replay` ended in a terminal, and what it wrote."""

    code: int
    text: str


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    made = Browser(tmp_path / "browser", tmp_path / "seen.json")
    made.program.write_text(BROWSER.format(python=sys.executable, seen=str(made.seen)))
    made.program.chmod(0o755)
    return made


@pytest.fixture(scope="module")
def front(system: System) -> Iterator[Front]:
    with page_in_front(system) as front:
        yield front


@pytest.fixture(scope="module")
def match_id(system: System) -> str:
    """A match that still runs, at version 5."""
    return play(system, "river_dragons", 4)


def replayed(match: str | Path, *words: str, browser: Path | str, **variables: str) -> Replay:
    named = {"BROWSER": str(browser), "DISPLAY": "", "WAYLAND_DISPLAY": "", **variables}
    with in_terminal(FOLDTABLE, "replay", match, *words, columns=500, **named) as terminal:
        return Replay(terminal.end(), terminal.text)


def kind_of(system: System, token: str) -> Any:
    with system.client(token) as client:
        return client.get("/v1/token").json()["kind"]


def test_a_link_names_the_place_and_only_the_browsers_has_the_token() -> None:
    link = Link("https://games.example/", "m1", {"at": 57, "as": 1})
    assert str(link) == "https://games.example/#/m/m1/replay?at=57&as=1"
    assert link.with_token("a&b") == "https://games.example/#/m/m1/replay?token=a%26b&at=57&as=1"
    assert str(Link("https://games.example", "m1", {})) == "https://games.example/#/m/m1/replay"
    assert urlsplit(link.with_token("secret")).path == "/"


@pytest.mark.slow
def test_a_match_opens_in_the_browser_with_a_spectators_token_that_nothing_else_holds(
    system: System, front: Front, match_id: str, browser: Browser
) -> None:
    done = replayed(
        *(match_id, "--at", "3", "--url", front.address), browser=browser.program, FOLDTABLE_KEY=system.key
    )
    assert done.code == 0
    assert done.text == f"opened {front.address}/#/m/{match_id}/replay?at=3\r\n"
    address, _, fragment = browser.link.partition("#")
    assert address == f"{front.address}/"
    path, _, query = fragment.partition("?")
    assert path == f"/m/{match_id}/replay"
    assert dict(parse_qsl(query)) == {"token": browser.token, "at": "3"}
    assert kind_of(system, browser.token) == "spectator"
    assert [line for line in front.asked if browser.token in line] == []
    for log in (system.home / "logs").iterdir():
        assert browser.token not in log.read_text()


@pytest.mark.slow
@pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(), reason="looks at processes through Linux's /proc"
)
def test_the_token_is_an_argument_of_the_browser_and_of_no_other_process(
    system: System, front: Front, match_id: str, browser: Browser
) -> None:
    address = f"{front.address}/v1/matches/{match_id}"
    assert replayed(address, browser=browser.program, FOLDTABLE_KEY=system.key).code == 0
    seen = json.loads(browser.seen.read_text())
    assert seen["knowing"] == [seen["own"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        pytest.param(("--as", "public"), "spectator", "public", id="public"),
        pytest.param(("--as", "referee"), "referee", "referee", id="referee"),
        pytest.param(("--as", "1"), "referee", "1", id="a seat"),
        pytest.param((), "spectator", None, id="nobody named"),
    ],
)
def test_a_running_match_opens_with_no_more_rights_than_were_asked_for(
    system: System,
    front: Front,
    match_id: str,
    browser: Browser,
    words: tuple[str, ...],
    kind: str,
    said: str | None,
) -> None:
    address = f"{front.address}/v1/matches/{match_id}"
    assert replayed(address, *words, browser=browser.program, FOLDTABLE_KEY=system.key).code == 0
    assert kind_of(system, browser.token) == kind
    assert browser.query.get("as") == (None if said is None else [said])


@pytest.mark.slow
def test_an_ended_match_needs_no_referee(system: System, front: Front, browser: Browser) -> None:
    ended = play(system, "river_dragons", 2)
    with system.client() as client:
        assert client.post(f"/v1/matches/{ended}/resign", json={"seat": 0}).status_code == 200
    words = (f"{front.address}/v1/matches/{ended}", "--as", "referee")
    assert replayed(*words, browser=browser.program, FOLDTABLE_KEY=system.key).code == 0
    assert browser.query["as"] == ["referee"]
    assert kind_of(system, browser.token) == "spectator"


@pytest.mark.slow
def test_a_seats_own_token_goes_along_and_opens_no_other_seat(
    system: System, front: Front, match_id: str, browser: Browser
) -> None:
    with system.client() as client:
        token = client.post(f"/v1/matches/{match_id}/seats/1/token", json={}).json()["seat_token"]["token"]
    address = f"{front.address}/v1/matches/{match_id}"
    for other in ("0", "referee"):
        refused = replayed(address, "--as", other, browser=browser.program, FOLDTABLE_KEY=token)
        assert refused.code == 1
        assert "SEAT_FORBIDDEN" in refused.text
        assert not browser.seen.exists()
    done = replayed(address, "--as", "1", browser=browser.program, FOLDTABLE_KEY=token)
    assert done.text == f"opened {front.address}/#/m/{match_id}/replay?as=1\r\n"
    assert browser.token == token


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        *(("--print",), ("--plain",), ("--no-input",), ("--json",), ("--from", "2"), ("--to", "3")),
        *(("--show", "both"), ("--lang", "it")),
    ],
    ids=" ".join,
)
def test_options_of_printing_print(
    system: System, front: Front, match_id: str, browser: Browser, words: tuple[str, ...]
) -> None:
    address = f"{front.address}/v1/matches/{match_id}"
    done = replayed(address, *words, browser=browser.program, FOLDTABLE_KEY=system.key)
    assert done.code == 0
    assert "river_dragons" in done.text or "River Dragons" in done.text
    assert "opened" not in done.text
    assert not browser.seen.exists()


@pytest.mark.slow
def test_a_file_and_a_pipe_print(
    foldtable: Any, system: System, front: Front, match_id: str, browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(ONE_OF_EACH[0]))
    assert "   3  " in replayed(file, "--at", "3", browser=browser.program).text
    address = f"{front.address}/v1/matches/{match_id}"
    piped = foldtable("replay", address, BROWSER=str(browser.program), FOLDTABLE_KEY=system.key)
    assert piped.stdout.startswith("River Dragons ")
    assert not browser.seen.exists()


@pytest.mark.slow
def test_sentences_are_wrapped_at_the_width_of_the_terminal_and_drawings_stay_whole(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    file.write_bytes(export_of(next(log for log in ONE_OF_EACH if game_id_of(log) == "river_dragons")))
    words = (FOLDTABLE, "replay", file, "--to", "3")
    with in_terminal(*words, "--show", "events", columns=40) as terminal:
        assert terminal.end() == 0
        _, *moves = terminal.output.split("\r\n")
        assert any(line.startswith("   3  ") for line in moves)
        assert max(map(len, moves)) <= 40
    drawings = []
    for columns in (20, 500):
        with in_terminal(*words, "--show", "board", columns=columns) as terminal:
            assert terminal.end() == 0
            lines = terminal.output.split("\r\n")
            drawings.append([line for line in lines if len(line) > 20 and re.search(r"\S {3,}\S", line)])
    assert drawings[0] == drawings[1] != []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param(
            "",
            "no browser here; where there is one, this command opens ",
            id="none",
            marks=pytest.mark.skipif(
                sys.platform != "linux", reason="other systems have one without DISPLAY"
            ),
        ),
        pytest.param(
            "w3m", "no browser here; where there is one, this command opens ", id="without JavaScript"
        ),
        pytest.param(
            "/nowhere/browser", "the browser did not open; where one does, this command opens ", id="broken"
        ),
    ],
)
def test_without_a_browser_it_says_how_to_open_the_page_and_prints(
    system: System, front: Front, match_id: str, command: str, said: str
) -> None:
    address = f"{front.address}/v1/matches/{match_id}"
    done = replayed(address, "--at", "2", browser=command, FOLDTABLE_KEY=system.key)
    first, title, *moves = done.text.split("\r\n")
    assert done.code == 0
    assert first == f"{said}{front.address}/#/m/{match_id}/replay?at=2"
    assert title.startswith("River Dragons ")
    assert moves[0].startswith("   2  Seat ")
    assert "token" not in done.text


@pytest.mark.slow
def test_a_server_without_a_page_prints(system: System, match_id: str, browser: Browser) -> None:
    with page_in_front(system, has_page=False) as front:
        address = f"{front.address}/v1/matches/{match_id}"
        done = replayed(address, browser=browser.program, FOLDTABLE_KEY=system.key)
    assert done.text.startswith(f"{front.address} has no page for browsers:\r\nRiver Dragons ")
    assert not browser.seen.exists()


@pytest.mark.slow
def test_a_key_or_a_session_is_never_given_to_the_browser(
    system: System, front: Front, match_id: str, browser: Browser
) -> None:
    with system.client() as client:
        tenant = client.get("/v1/token").json()["tenant"]
        made = client.post(f"/v1/tenants/{tenant}/keys", json={"scopes": ["matches:read"]})
        reading = made.json()["secret"]
        session = client.post("/v1/player-sessions", json={"player": "ada"}).json()["token"]
        seating = [{"player": "ada", "name": "Ada"}, {"player": "bo", "name": "Bo"}]
        created = client.post(
            "/v1/matches", json={"game": "river_dragons", "seats": 2, "seating": seating}
        ).json()
    for credential, match, said in (
        (reading, match_id, "this API key may not issue the watch token that the page needs:"),
        (session, created["match"]["match_id"], "the page is opened with an API key, or "),
    ):
        address = f"{front.address}/v1/matches/{match}"
        done = replayed(address, browser=browser.program, FOLDTABLE_KEY=credential)
        assert done.code == 0, done.text
        assert done.text.startswith(said)
        assert "\r\nRiver Dragons " in done.text
        assert not browser.seen.exists()


@pytest.mark.slow
def test_what_is_not_there_opens_nothing(
    system: System, front: Front, match_id: str, browser: Browser
) -> None:
    with system.client() as client:
        seating = [{"kind": "open"}, {"kind": "open"}]
        waiting = client.post("/v1/matches", json={"game": "river_dragons", "seats": 2, "seating": seating})
        waits = waiting.json()["match"]["match_id"]
    unknown = "01940000-0000-7000-8000-000000000001"
    for match, words, said in (
        (match_id, ("--at", "99"), "move 99: this match has the moves 1 to 5"),
        (match_id, ("--as", "7"), "seats 0 to 1"),
        (waits, (), "there is nothing to see yet"),
        (unknown, (), "MATCH_NOT_FOUND"),
    ):
        address = f"{front.address}/v1/matches/{match}"
        done = replayed(address, *words, browser=browser.program, FOLDTABLE_KEY=system.key)
        assert said in done.text
        assert len(done.text.splitlines()) == 1
        assert not browser.seen.exists()
