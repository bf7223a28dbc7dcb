"""How long players had to wait after a harm began: until every gateway it concerns has acknowledged a new move of every game."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter

import msgspec

from tests.proofs.faults.notes import (
    Answered,
    AnyNote,
    AttemptOutcome,
    Healed,
    Made,
    Sent,
    Struck,
    What,
    of_kind,
)
from tests.proofs.faults.violations import Rule, Violation

Pairs = frozenset[tuple[str, str]]
"""Of a gateway and a game."""


class Recovery(msgspec.Struct, frozen=True, kw_only=True):
    """Of one kind of harm."""

    kind: str
    times: int
    lasted: tuple[float, ...]
    """Seconds each harm lasted, sorted."""
    waited: tuple[float, ...]
    """Seconds until moves were acknowledged again, sorted; from the beginning of the harm. Faults that concern no
    move are not in it."""
    unseen: int
    """After how many of those that do, moves were not acknowledged everywhere again."""


class _After(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen after one harm."""

    struck: Struck
    waited: float
    """Seconds until the last of the pairs that were seen again."""
    concerns_moves: bool
    missing: Pairs


def recoveries(notes: Sequence[AnyNote]) -> list[Recovery]:
    """Return what every kind of harm cost, in the order in which the kinds came first."""
    healed = {note.number: note.at for note in of_kind(notes, Healed)}
    by_kind: dict[str, list[_After]] = defaultdict(list)
    for after in _after_each(notes):
        by_kind[after.struck.kind].append(after)
    return [
        Recovery(
            kind=kind,
            times=len(all_of_it),
            lasted=tuple(
                sorted(
                    healed[one.struck.number] - one.struck.at
                    for one in all_of_it
                    if one.struck.number in healed
                )
            ),
            waited=tuple(sorted(one.waited for one in all_of_it if one.concerns_moves and not one.missing)),
            unseen=sum(bool(one.missing) for one in all_of_it),
        )
        for kind, all_of_it in by_kind.items()
    ]


def is_all_seen_again(notes: Sequence[AnyNote]) -> bool:
    """Return whether moves were acknowledged again after every harm."""
    return not any(one.missing for one in _after_each(notes))


def check_recoveries(notes: Sequence[AnyNote]) -> Iterator[Violation]:
    """After every harm moves were acknowledged again: the run plays on for a while to see it."""
    for one in _after_each(notes):
        for gateway, game in sorted(one.missing):
            where = f"after «{one.struck.kind}» of {one.struck.victim}"
            yield Violation(Rule.RECOVERY, f"{where}: no new move of {game} by {gateway}")


def _after_each(notes: Sequence[AnyNote]) -> Iterator[_After]:
    played = {note.game for note in of_kind(notes, Made)}
    answered = acknowledged(notes)
    for struck in of_kind(notes, Struck):
        yield _after(struck, answered, played)


def acknowledged(notes: Sequence[AnyNote]) -> list[tuple[Sent, float]]:
    """Return every attempt that made a new move, and when that was acknowledged; in the order of these times."""
    sent = {note.attempt: note for note in of_kind(notes, Sent) if note.what is What.MOVE}
    return [
        (sent[note.attempt], note.at)
        for note in of_kind(notes, Answered)
        if note.outcome is AttemptOutcome.ACKNOWLEDGED and not note.replayed and note.attempt in sent
    ]


def _after(struck: Struck, acknowledged: Sequence[tuple[Sent, float]], played: set[str]) -> _After:
    """Look, for each pair of gateway and game, for the first new move that was sent after the harm began."""
    pairs = {(gateway, game) for gateway in struck.gateways for game in struck.games if game in played}
    missing, seen_at = set(pairs), struck.at
    first = bisect_left(acknowledged, struck.at, key=itemgetter(1))
    for sent, at in islice(acknowledged, first, None):
        if not missing:
            break
        if sent.at >= struck.at and (sent.via, sent.game) in missing:
            missing.discard((sent.via, sent.game))
            seen_at = at
    return _After(
        struck=struck,
        waited=seen_at - struck.at,
        concerns_moves=bool(pairs),
        missing=frozenset(missing),
    )


def middle(sorted_seconds: Sequence[float]) -> float:
    """Return the median, the lower one of two."""
    return sorted_seconds[(len(sorted_seconds) - 1) // 2]
