"""The one clock of all open event streams."""

from __future__ import annotations

import pytest

from gateway.access.auth import Caller
from gateway.access.stream_slots import StreamSlots
from gateway.live.readers import EventReader, Readers
from tests.gateway.live.conftest import until


class Beaten(EventReader):
    """Counts its heartbeats, and may stumble over each of them."""

    def __init__(self, readers: Readers, *, stumbles: bool = False) -> None:
        super().__init__(
            readers, StreamSlots(1, per_credential=1, per_seat=1).take(Caller("Bearer ft_one", None))
        )
        self.beats = 0
        self._stumbles = stumbles

    def beat(self, now: float) -> None:
        self.beats += 1
        if self._stumbles:
            raise LookupError


async def test_a_mistake_about_one_reader_stops_nobodys_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.live.readers.PING_SECONDS", 1)
    readers = Readers()
    broken, sound = Beaten(readers, stumbles=True), Beaten(readers)
    readers.add(broken)
    readers.add(sound)
    readers.start()
    await until(lambda: (broken.beats, sound.beats) == (2, 2), seconds=4)
    readers.remove(broken)
    readers.remove(sound)
    await readers.close()
