"""How long play paused in each harm: the longest time in which no new move was acknowledged, of any game by any gateway."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tests.proofs.faults.notes import AnyNote, Healed, Struck, of_kind
from tests.proofs.faults.recovery import acknowledged, middle

MARGIN_SECONDS: Final = 5.0
"""After a harm was made good, in which a pause still belongs to it."""


def pauses(notes: Sequence[AnyNote]) -> dict[str, list[float]]:
    """Return the longest pause of each harm in seconds, sorted, by the kind of harm.

    Unlike the time until a move is acknowledged again, this is right also for a harm that begins a while after it was asked
    for, such as a switch-over.
    """
    healed = {note.number: note.at for note in of_kind(notes, Healed)}
    times = [at for _, at in acknowledged(notes)]
    found: dict[str, list[float]] = defaultdict(list)
    for struck in of_kind(notes, Struck):
        until = healed.get(struck.number, struck.at) + MARGIN_SECONDS
        found[struck.kind].append(_longest(times, struck.at, until))
    return {kind: sorted(seconds) for kind, seconds in found.items()}


def _longest(times: Sequence[float], since: float, until: float) -> float:
    """Return the longest gap between two of these times that touches the window."""
    gaps = [after - before for before, after in pairwise(times) if after > since and before < until]
    return max(gaps, default=0.0)


def table(notes: Sequence[AnyNote]) -> str:
    """Return the pauses, a line for each kind of harm."""
    lines = [f"{'moves paused during':28} {'times':>5}  {'p50':>8}  {'max':>8}"]
    for kind, seconds in pauses(notes).items():
        lines.append(f"{kind:28} {len(seconds):5}  {middle(seconds):6.1f} s  {seconds[-1]:6.1f} s")
    return "\n".join(lines)
