"""How long players had to wait after a harm began: until every gateway it concerns has acknowledged a new move of every game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from tests.faults.notes import Answered, AnyNote, Healed, Outcome, Sent, Struck, of_kind


class Recovery(msgspec.Struct, frozen=True, kw_only=True):
    """Of one kind of harm."""

    kind: str
    times: int
    lasted: tuple[float, ...]
    """Seconds each harm lasted, sorted."""
    waited: tuple[float, ...]
    """Seconds until moves were acknowledged again, sorted; from the beginning of the harm. Harms that concern no
    move, and those the run ended too soon after, are not in it."""


def recoveries(notes: Sequence[AnyNote]) -> list[Recovery]:
    """Give what every kind of harm cost, in the order in which the kinds came first."""
    healed = {note.number: note.at for note in of_kind(notes, Healed)}
    sent = {note.attempt: note for note in of_kind(notes, Sent)}
    acknowledged = [
        (sent[note.attempt], note.at)
        for note in of_kind(notes, Answered)
        if note.outcome is Outcome.ACKNOWLEDGED
    ]
    by_kind: dict[str, list[Struck]] = defaultdict(list)
    for struck in of_kind(notes, Struck):
        by_kind[struck.kind].append(struck)
    return [
        Recovery(
            kind=kind,
            times=len(all_struck),
            lasted=tuple(sorted(healed[one.number] - one.at for one in all_struck if one.number in healed)),
            waited=tuple(
                sorted(found for one in all_struck if (found := _waited(one, acknowledged)) is not None)
            ),
        )
        for kind, all_struck in by_kind.items()
    ]


def _waited(struck: Struck, acknowledged: Sequence[tuple[Sent, float]]) -> float | None:
    """Give the seconds until each pair of gateway and game was acknowledged a move that was sent after the harm began."""
    missing = {(gateway, game) for gateway in struck.gateways for game in struck.games}
    if not missing:
        return None
    for sent, at in acknowledged:
        if sent.at >= struck.at:
            missing.discard((sent.via, sent.game))
            if not missing:
                return at - struck.at
    return None


def middle(sorted_seconds: Sequence[float]) -> float:
    """Give the median, the lower one of two."""
    return sorted_seconds[(len(sorted_seconds) - 1) // 2]
