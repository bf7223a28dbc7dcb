"""Every open decision has a default action, and a match whose players are absent reaches its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat, seat_audience
from engine.match.replay import fold
from services.kit.check import Check, Findings, Result, record_text
from services.kit.rules.attempts import offered
from services.kit.subject import Position, Subject

POSITIONS: Final = 300
MAX_MOVES: Final = 5_000
"""Moves of absent players after which a match counts as one that does not end."""
SHOWN: Final = 6
"""Last actions of such a match that a report shows."""
_REDEALT: Final = 1 << 37
_PRESENT: Final = 1 << 38
"""Move numbers: of the redealt states, and of who is there."""
LOOP: Final = (
    "let the policy do what brings the match nearer to its end: it must not undo, swap or repeat for ever"
)


def _run(subject: Subject) -> Result:
    found = Findings()
    decisions = 0
    for position in subject.positions(POSITIONS):
        decisions += _answers(subject, position, found)
    matches = 0
    for place, (options, seats, mixed) in enumerate(_tables(subject)):
        matches += 1
        if not _plays_to_the_end(subject, options, seats, place, mixed=mixed, found=found):
            break  # the others hardly say more, and each takes as long
    return found.result(f"{decisions} decisions, {matches} matches with absent players")


def _answers(subject: Subject, position: Position, found: Findings) -> int:
    """Check what the policy does for every seat. Return how many decisions are open."""
    game, state = subject.game, position.state
    waited_for = game.to_act(state)
    for seat in map(Seat, range(position.seats)):
        if seat not in waited_for:
            _must_not_know(subject, position, seat, found)
            continue
        action = game.policy(state, seat)
        if not offered(game.legal_actions(state, seat), action):
            found.add(
                f"the policy of seat {seat} is {record_text(action)}, which was not offered",
                do="choose in `policy` from `legal_actions`",
                where=str(position),
                kind="offered",
            )
        try:
            game.decide(state, seat, action, subject.chance(position.played.number, position.move + 1))
        except RuleViolation as refusal:
            found.add(
                f"the policy of seat {seat} is {record_text(action)}, which is refused: {refusal}",
                do="choose in `policy` what `decide` accepts",
                where=str(position),
                kind="refused",
            )
        twin = game.redeal(state, seat_audience(seat), subject.chance(position.number, _REDEALT))
        if encode(game.policy(twin, seat)) != encode(action):
            found.add(
                f"the policy of seat {seat} depends on what the seat cannot know: {record_text(action)} becomes {record_text(game.policy(twin, seat))}",
                do="read in `policy` only what the seat's view shows",
                where=str(position),
                kind="knows",
            )
    return len(waited_for)


def _must_not_know(subject: Subject, position: Position, seat: Seat, found: Findings) -> None:
    try:
        action = subject.game.policy(position.state, seat)
    except LookupError:
        return
    found.add(
        f"the policy has {record_text(action)} for seat {seat}, which has no open decision",
        do="raise LookupError in `policy` for a seat that `pending` does not name",
        where=str(position),
        kind="idle",
    )


def _tables(subject: Subject) -> Iterator[tuple[Any, int, bool]]:
    for options in subject.options:
        for seats in subject.game.seat_counts:
            try:
                subject.game.check_options(options, seats, subject.game.rules_version)
            except RuleViolation:
                continue
            yield options, seats, False
            yield options, seats, True


def _plays_to_the_end(
    subject: Subject, options: Any, seats: int, number: int, *, mixed: bool, found: Findings
) -> bool:
    """Play a match whose seats are absent; `mixed`: some of them. Return whether it ends."""
    game = subject.game
    whims = subject.chance(number, _PRESENT)
    absent = {seat for seat in range(seats) if not mixed or whims.below(2)}
    who = "all" if not mixed else f"{sorted(absent)}"
    state = fold(game, game.start(options, seats, subject.chance(number, 1)))
    seen: Counter[bytes] = Counter()
    last: list[str] = []
    move = 1
    while waited_for := game.to_act(state):
        move += 1
        subject.where = f"a match of {seats} seats, {who} absent, move {move}"
        seat = waited_for[whims.below(len(waited_for))]
        action = game.policy(state, seat) if seat in absent else game.sample(state, seat, whims)
        last = [*last[1 - SHOWN :], f"seat {seat} {record_text(action)}"]
        seen[encode(state)] += not mixed
        if move > MAX_MOVES:
            again = max(seen.values())
            loop = f"; one state comes {again} times" if again > 1 else ""
            found.add(
                f"{MAX_MOVES:,} moves do not end the match{loop}; the last ones: {', '.join(last)}",
                do=LOOP,
                where=subject.where,
                kind="endless",
            )
            return False
        state = fold(game, game.decide(state, seat, action, subject.chance(number, move)), state)
    return True


CHECK: Final = Check(
    name="policy", asks="absent players have a legal default action, and the match ends", run=_run
)
