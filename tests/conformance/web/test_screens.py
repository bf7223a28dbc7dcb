"""The page's screens: as assistive technology reads them, in many tabs, and after the gateway was killed."""

from __future__ import annotations

import json
import os
import signal

import pytest

from tests.conformance.web.conftest import HERE, SECONDS, Play, available
from tests.support.node import started
from tests.support.running_system import System

pytestmark = [pytest.mark.timeout(SECONDS + 60), pytest.mark.slow]


def test_axe_finds_nothing_on_any_screen_at_360_and_1600_pixels(play: Play) -> None:
    told = play("screens.mjs", GAMES=["river_of_gold", "river_dragons", "al_rashid"])
    assert told["found"] == []
    assert told["wide"] == []


def test_eight_tabs_go_on_after_the_gateway_was_killed(web_system: System, browser: dict[str, str]) -> None:
    """Eight tabs would use up a browser's six connections if each had its own; `foldtable up` starts the gateway again."""
    where = {"GATEWAY": web_system.address, "KEY": web_system.key, **browser}
    up = web_system.process.pid
    try:
        with started("node", str(HERE / "tabs.mjs"), **where) as lines:
            for line in lines:
                if line == "killed":
                    os.kill(up, signal.SIGSTOP)  # a gateway that is back at once would not be missed
                    os.kill(web_system.part("gateway")["pid"], signal.SIGKILL)
                elif line == "lost":
                    os.kill(up, signal.SIGCONT)
            told = available(json.loads(line))
    finally:
        os.kill(up, signal.SIGCONT)
    assert told["before"] == told["after"] == len(told["stillLost"]) == 8
    assert told["stillLost"] == [0] * 8
    assert told["faults"] == []


def test_a_player_whose_time_was_up_comes_back_with_a_click(play: Play) -> None:
    """The match goes on meanwhile, so coming back must not name the version that was seen."""
    told = play("away.mjs")
    assert told["before"] == "away"
    assert told["returned"] == [{"type": "seat_returned", "seat": 0}]
    assert told["faults"] == []
