"""Two states that an audience cannot tell apart: the true one and one that was dealt again for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.knowledge import audiences
from engine.kernel.seats import Audience
from services.kit.subject import Position, Subject

DEALT: Final = 1 << 39
"""The move number under which states are dealt again."""
_AROUND: Final = 60
"""Characters on each side of a difference that a report shows."""


def twins(subject: Subject, most: int) -> Iterator[tuple[Position, Audience, Any]]:
    """Yield positions, each with one audience in turn and a state that was dealt again for it."""
    for number, position in enumerate(subject.positions(most)):
        everybody = audiences(position.seats)
        audience = everybody[number % len(everybody)]
        subject.where = f"{position}, for {name(audience)}"
        yield position, audience, twin(subject, position.state, audience, position.number)


def twin(subject: Subject, state: Any, audience: Audience, number: int, about: int = 0) -> Any:
    """Return the state dealt again for an audience: the same for the same numbers."""
    return subject.game.redeal(state, audience, subject.chance(number, DEALT + about))


def name(audience: Audience) -> str:
    """Return an audience as a report names it."""
    return f"seat {audience.seat}" if audience.seat is not None else str(audience.kind)


def parted(first: Any, second: Any) -> str:
    """Return two records that differ as a report shows them: what is around the first difference."""
    one, other = encode(first).decode(), encode(second).decode()
    if one == other:
        return "equal as JSON, and not as values"
    pairs = enumerate(zip(one, other, strict=False))
    place = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    start = max(0, place - _AROUND)
    return f"…{one[start : place + _AROUND]}… and …{other[start : place + _AROUND]}…"
