"""The one clock of all open event streams."""

from __future__ import annotations

import pytest

from gateway.access.auth import Caller
from gateway.access.stream_slots import StreamSlots
from gateway.live.open_streams import OpenStream, OpenStreams
from tests.gateway.live.conftest import until


class Beaten(OpenStream):
    """Counts its heartbeats, and may stumble over each of them."""

    def __init__(self, open_streams: OpenStreams, *, stumbles: bool = False) -> None:
        super().__init__(
            open_streams, StreamSlots(1, per_credential=1, per_seat=1).take(Caller("Bearer ft_one", None))
        )
        self.beats = 0
        self._stumbles = stumbles

    def beat(self, now: float) -> None:
        self.beats += 1
        if self._stumbles:
            raise LookupError


async def test_a_mistake_about_one_stream_stops_nobodys_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.live.open_streams.PING_SECONDS", 1)
    open_streams = OpenStreams()
    broken, sound = Beaten(open_streams, stumbles=True), Beaten(open_streams)
    open_streams.add(broken)
    open_streams.add(sound)
    open_streams.start()
    await until(lambda: (broken.beats, sound.beats) == (2, 2), seconds=4)
    open_streams.remove(broken)
    open_streams.remove(sound)
    await open_streams.close()
