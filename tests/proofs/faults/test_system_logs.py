"""What a system's processes log and no fault explains is found, whichever of their lives it was in; so is their end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.proofs.faults.proxy import Proxy
from tests.proofs.faults.system import Part, System
from tests.support.processes import Process

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
    system = System(None, [part], [], other, key="")  # type: ignore[arg-type]  # nobody asks for the database
    assert system.unexpected() == [f"gateway 0: {LINES[number]}" for number in (1, 4, 5)]


def test_a_process_that_does_not_run_is_found(tmp_path: Path) -> None:
    gateway, platform = (
        Part(name, Process(name, tmp_path / name), Proxy()) for name in ("gateway", "platform")
    )
    gateway.ended.append(3)
    system = System(None, [gateway], [], platform, key="")  # type: ignore[arg-type]  # nobody asks for the database
    assert system.ended() == [
        "gateway: had ended by itself, with 3",
        "gateway: does not run",
        "platform: does not run",
    ]


class Ended(Process):
    """One that ends as soon as it has started."""

    def start(self) -> str:
        self._process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
        self._process.wait()
        return ""


async def test_who_is_to_kill_a_process_notes_that_it_had_ended_already(tmp_path: Path) -> None:
    part = Part("gateway", Ended("gateway", tmp_path / "log"), Proxy())
    part.process.start()
    await part.kill()
    assert part.ended == [3]
