"""The watchdog as a process: `python -m services.rules.watchdog.watching FILE`, started by a rules server, with which it ends.

It reads the server's marks (marks.py). A call that goes on for too long is recorded in the database, so that no server makes it
again; then the log says what it was, and the server is ended. A process of its own can do so whatever the rules do: a loop in a
library may keep the interpreter's lock for ever, so that no other thread of the server runs.

What counts is the processor time of the thread. So a call is not taken for stuck because the machine was suspended, or busy with
something else. A call that only waits uses none; for it, the watchdog counts the time that itself was awake.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from services.rules.marks import NOTHING, Mark, MarksOfOther, read_work

END_SIGNAL: Final = signal.SIGXCPU
"""Ends the server: "processor time exceeded". ending.py says how."""
WAITING_FACTOR: Final = 6
"""How many times as long a call may take that only waits."""
LOOKS: Final = 20
"""How often the watchdog looks within the time that a call may take."""
KILL_SECONDS: Final = 2.0
CONNECT_SECONDS: Final = 3
_EVENT_LOOP: Final = Mark(slot=-1, call=0, function=-1, thread=0, work=NOTHING)

_RECORD: Final = """
INSERT INTO stuck_calls (distribution, game, function, match_id, version, seat, action, digest)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""


@dataclass(frozen=True)
class Settings:
    """What the rules server tells its watchdog."""

    seconds: float
    """How much processor time a call may take."""
    functions: list[list[str]]
    """Game and function, by number."""
    distributions: dict[str, str]
    """By game."""
    database_url: str
    log_level: str
    log_format: str


@dataclass
class _Watched:
    """A call that was going on when the watchdog looked last."""

    mark: Mark
    processor: float
    """The thread's processor time when the call was first seen."""
    awake: float = 0.0
    """How long it has been seen, in time that the watchdog was awake."""


class Watchdog:
    """Watches one server."""

    def __init__(self, settings: Settings, marks: MarksOfOther, server: int) -> None:
        self._settings = settings
        self._marks = marks
        self._server = server
        self._watched: dict[int, _Watched] = {}
        self._beats = 0

    def look(self, passed: float) -> Mark | None:
        """Return a call that is stuck, if there is one; `passed`: seconds since the last look."""
        going_on = {mark.slot: mark for mark in self._marks.read()}
        beats, thread = self._marks.beat()
        if beats and beats == self._beats and all(mark.thread != thread for mark in going_on.values()):
            going_on[_EVENT_LOOP.slot] = _EVENT_LOOP._replace(call=beats & 0xFFFF_FFFF, thread=thread)
        self._beats = beats
        before, self._watched = self._watched, {}
        for slot, mark in going_on.items():
            call = before.get(slot)
            if call is None or call.mark != mark:
                call = _Watched(mark, self._processor_time(mark.thread))
            elif not _is_stopped(self._server):
                call.awake += passed
            self._watched[slot] = call
            if self._is_stuck(call):
                return mark
        return None

    def goes_on(self, mark: Mark) -> bool:
        """Return whether a call still goes on."""
        if mark.slot == _EVENT_LOOP.slot:
            return self._marks.beat()[0] & 0xFFFF_FFFF == mark.call
        return mark in self._marks.read()

    def seen(self, mark: Mark) -> float:
        """Return for how long a call has been seen."""
        return self._watched[mark.slot].awake

    def _is_stuck(self, call: _Watched) -> bool:
        seconds = self._settings.seconds
        if call.awake < seconds:  # it may have begun long after its thread
            return False
        if self._processor_time(call.mark.thread) - call.processor >= seconds:
            return True
        return call.awake >= seconds * WAITING_FACTOR

    def _processor_time(self, thread: int) -> float:
        """Return the seconds a thread of the server has computed; 0 where the system does not say, so that only waiting counts."""
        try:
            stat = Path(f"/proc/{self._server}/task/{thread}/stat").read_text()
        except OSError:
            return 0.0
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _is_stopped(server: int) -> bool:
    """Return whether somebody has stopped the server, or looks at it with a debugger."""
    try:
        stat = Path(f"/proc/{server}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] in {"T", "t"}


def _facts(settings: Settings, mark: Mark) -> dict[str, Any]:
    """Return what is said of a call. No hidden fact is in it: of an action only its type, and a keyed digest."""
    work = read_work(mark.work)
    game, function = settings.functions[mark.function] if mark.function >= 0 else ("", "event loop")
    return {
        "game": game,
        "distribution": settings.distributions.get(game, ""),
        "function": function,
        "match_id": None if work.match_id is None else str(work.match_id),
        "version": work.version,
        "seat": work.seat,
        "action": work.action,
        "digest": work.digest,
    }


def _record(settings: Settings, facts: dict[str, Any]) -> str:
    """Record a call; return why that was not possible, or nothing."""
    import psycopg  # noqa: PLC0415 - hardly any watchdog ever needs it, and it is half of what the process would use

    try:
        with psycopg.connect(
            settings.database_url,
            connect_timeout=CONNECT_SECONDS,
            autocommit=True,
            application_name="foldtable watchdog",
            options=f"-c statement_timeout={CONNECT_SECONDS * 1000}",
        ) as connection:
            names = (
                "distribution",
                "game",
                "function",
                "match_id",
                "version",
                "seat",
                "action",
                "digest",
            )
            connection.execute(_RECORD, [facts[name] for name in names])
    except psycopg.Error as problem:
        return type(problem).__name__
    return ""


def _say(settings: Settings, facts: dict[str, Any], seconds: float, not_recorded: str) -> None:
    import structlog  # noqa: PLC0415 - as above

    from services.process.structured_logs import LogFormat, configure_logs  # noqa: PLC0415

    configure_logs(settings.log_level, LogFormat(settings.log_format))
    digest = facts["digest"]
    structlog.get_logger("foldtable.rules").error(
        "rules_stuck",
        **{**facts, "digest": None if digest is None else digest.hex()},
        seconds=round(seconds, 1),
        **({"not_recorded": not_recorded} if not_recorded else {}),
    )


def _end(server: int) -> None:
    """End the server; by force if it has changed what the signal does."""
    with suppress(ProcessLookupError):
        os.kill(server, END_SIGNAL)
        deadline = time.monotonic() + KILL_SECONDS
        while os.getppid() == server and time.monotonic() < deadline:
            time.sleep(0.02)
        if os.getppid() == server:
            os.kill(server, signal.SIGKILL)


def main() -> None:
    server = os.getppid()
    for number in (signal.SIGINT, signal.SIGTERM):  # they are for the server, whose end is seen below
        signal.signal(number, signal.SIG_IGN)
    settings = Settings(**json.loads(sys.stdin.readline()))
    watchdog = Watchdog(settings, MarksOfOther(int(sys.argv[1])), server)
    pause = settings.seconds / LOOKS
    last = time.monotonic()
    while os.getppid() == server:
        if select.select([sys.stdin], [], [], pause)[0]:
            return  # the server has closed the pipe, or has ended
        now = time.monotonic()
        stuck = watchdog.look(min(now - last, 2 * pause))  # more has passed only if the watchdog slept, too
        last = now
        if stuck is not None:
            facts = _facts(settings, stuck)
            not_recorded = _record(settings, facts)
            _say(settings, facts, watchdog.seen(stuck), not_recorded)
            if watchdog.goes_on(stuck):
                _end(server)
                return


if __name__ == "__main__":
    main()
