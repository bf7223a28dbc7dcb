"""Whether the process accepts new work; notifies the streams when it stops doing so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal


class Drain:
    """The state of the process: starting, then ok, then draining, never back. Belongs to one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._started = False
        self._begun = False
        self._bells: list[Callable[[], None]] = []

    def start(self) -> None:
        """Mark the process as ready."""
        self._started = True

    def on_begin(self, bell: Callable[[], None]) -> None:
        """Call `bell` in the event loop when the drain begins."""
        self._bells.append(bell)

    def begin(self) -> None:
        """Begin to stop: turn readiness off and let the streams close. May be called by a signal handler."""
        if not self._begun:
            self._begun = True
            for bell in self._bells:
                self._loop.call_soon_threadsafe(bell)

    @property
    def begun(self) -> bool:
        """True once the drain has begun."""
        return self._begun

    @property
    def status(self) -> Literal["ok", "starting", "draining"]:
        """The status that the probes report."""
        if self._begun:
            return "draining"
        return "ok" if self._started else "starting"
