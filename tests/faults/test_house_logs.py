"""What a house's processes log and no fault explains is found, whichever of their lives it was in."""

from __future__ import annotations

from pathlib import Path

from tests.faults.house import House, Part
from tests.faults.proxy import Proxy
from tests.gateway.processes import Process

LINES = (
    '{"event":"request","level":"error","status":503,"reason":"LOG_UNAVAILABLE"}',
    '{"event":"internal error","level":"error","kind":"KeyError"}',
    '{"event":"serving","level":"info"}',
    '{"event":"request","level":"err',
    "Traceback (most recent call last):",
    '{"event":"request","level":"info","exception":"KeyError: 1"}',
)


def test_errors_are_found_except_those_that_say_not_now(tmp_path: Path) -> None:
    log = tmp_path / "gateway.log"
    log.write_text("\n".join(LINES))
    part = Part("gateway 0", Process("gateway", log), Proxy())
    other = Part("platform", Process("services.platform", tmp_path / "none.log"), Proxy())
    (tmp_path / "none.log").touch()
    house = House(None, [part], [], other, key="")  # type: ignore[arg-type]  # nobody asks for the database
    assert house.unexpected() == [f"gateway 0: {LINES[number]}" for number in (1, 4, 5)]
