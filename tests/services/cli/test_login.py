"""`foldtable login`, and how the greeting of `foldtable up` opens the page."""

from __future__ import annotations

from typing import Any

import pytest

from services.cli.up import greeting
from tests.support.page_in_front import page_in_front
from tests.support.running_system import System

KEY = "ft_dev_x"
LINK = "http://127.0.0.1:8080/#login=lc_x"
NOBODY = "http://127.0.0.1:1"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.cli.login_link.RETRY_SECONDS", 0.1)
    monkeypatch.delenv("FOLDTABLE_WEB", raising=False)


async def lines(address: str, monkeypatch: pytest.MonkeyPatch) -> str:
    async def link(url: str, key: str) -> str:
        assert (url, key) == (address, KEY)
        return LINK

    monkeypatch.setattr(greeting, "login_link", link)
    return "\n".join(await greeting.page_lines(address, KEY))


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"])
async def test_a_system_that_only_this_machine_reaches_greets_with_a_link(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await lines(address, monkeypatch)
    assert told.startswith(f"Play in the browser:  {LINK}\n")
    assert "once" in told
    assert "`foldtable login`" in told


@pytest.mark.parametrize(
    "address", ["http://0.0.0.0:8080", "http://10.0.0.7:8080", "http://games.example:8080", "http://[::]:80"]
)
async def test_one_that_others_reach_tells_the_address_alone(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await lines(address, monkeypatch) == f"Play in the browser:  {address}/\n"


async def test_without_a_page_there_is_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDTABLE_WEB", "off")
    assert await lines("http://127.0.0.1:8080", monkeypatch) == ""
    monkeypatch.setenv("FOLDTABLE_WEB", "on")
    assert LINK in await lines("http://127.0.0.1:8080", monkeypatch)


async def test_a_system_that_can_make_no_link_greets_all_the_same() -> None:
    told = await greeting.page_lines(NOBODY, KEY)
    assert told[0] == f"Play in the browser:  {NOBODY}/"
    assert "none could be made now" in told[1]


def test_login_says_why_there_is_no_link(foldtable: Any) -> None:
    """An address where nobody answers is no gateway without a page."""
    nobody = foldtable("login", "--url", NOBODY, "--key", KEY)
    assert (nobody.exit_code, nobody.stdout) == (1, "")
    assert KEY not in nobody.stderr
    assert "no page" not in nobody.stderr
    long = foldtable("login", "--hours", "721")
    assert long.exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("here", ["on", "off"])
def test_the_server_says_whether_there_is_a_page_and_not_the_environment_of_the_command(
    foldtable: Any, system: System, here: str
) -> None:
    for has_page in (True, False):
        with page_in_front(system, has_page=has_page) as front:
            done = foldtable("login", "--url", front.address, "--key", system.key, FOLDTABLE_WEB=here)
            is_made = any(line.startswith("POST /v1/login-codes") for line in front.asked)
        assert (done.exit_code == 0, is_made) == (has_page, has_page), done.stderr
        assert done.stdout.startswith(f"{front.address}/#login=lc_") is has_page
        assert ("FOLDTABLE_WEB" in done.stderr) is not has_page


@pytest.mark.slow
async def test_the_greeting_makes_no_link_to_a_page_that_is_not_built(system: System) -> None:
    with page_in_front(system, has_page=False) as front:
        assert await greeting.page_lines(front.address, system.key) == ()
        assert not any(line.startswith("POST") for line in front.asked)


@pytest.mark.slow
def test_login_prints_a_link_of_the_named_player(foldtable: Any, system: System) -> None:
    done = foldtable(
        *("login", "--player", "zoe", "--hours", "1"), FOLDTABLE_URL=system.address, FOLDTABLE_KEY=system.key
    )
    assert done.exit_code == 0, done.stderr
    page, _, code = done.stdout.strip().partition("#login=")
    assert page == f"{system.address}/"
    with system.client("") as browser:
        del browser.headers["authorization"]
        answer = browser.post("/v1/login-codes/redeem", json={"code": code})
    assert answer.json()["player"] == "zoe"


@pytest.mark.slow
def test_a_link_leads_to_the_named_match(foldtable: Any, system: System) -> None:
    match = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"
    running = {"FOLDTABLE_URL": system.address, "FOLDTABLE_KEY": system.key}
    done = foldtable("login", "--match", match, **running)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.strip().endswith(f"&next=/m/{match}")
    wrong = foldtable("login", "--match", "https://elsewhere.example/", **running)
    assert (wrong.exit_code, wrong.stdout) == (2, "")
