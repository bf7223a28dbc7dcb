"""Audiences as people write them: `1`, `seat 1`, `public`, `referee`."""

from __future__ import annotations

import re
from typing import Final

from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience

_SEAT: Final = re.compile(r"(?:seat[ :-]?)?(?P<seat>\d{1,2})", re.IGNORECASE)
WRITTEN: Final = "a seat's number, public, or referee"


def read_audience(text: str) -> Audience | None:
    """Return the audience a text names; None if it names none."""
    word = text.strip().lower()
    if found := _SEAT.fullmatch(word):
        return seat_audience(Seat(int(found["seat"])))
    return {"public": PUBLIC, "referee": REFEREE}.get(word)
