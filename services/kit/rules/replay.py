"""What is stored of a match gives the same match again."""

from __future__ import annotations

from typing import Any, Final

from engine.kernel.codec import encode
from engine.match.folding import LoggedMove
from engine.match.replay import decide_again, fold_moves, states_after_each
from engine.match.requests import start_request
from services.kit.check import Check, Findings, Result, record_text
from services.kit.subject import Played, Subject

SNAPSHOTS: Final = 12
"""States of a match from which the rest of it is folded."""
DO: Final = "keep in the events and in the state only what their types say, in types that JSON can carry"


def _run(subject: Subject) -> Result:
    found = Findings()
    moves = 0
    for played in subject.matches:
        if not _ended(subject, played):
            continue  # `ends` reports it
        moves += len(played.steps)
        _again(subject, played, found)
    return found.result(f"{moves:,} moves in {len(subject.matches)} matches")


def _ended(subject: Subject, played: Played) -> bool:
    return subject.game.outcome(played.steps[-1].state) is not None


def _again(subject: Subject, played: Played, found: Findings) -> None:
    game = subject.game
    rows = rows_of(played)
    for (row, state), step in zip(states_after_each(game, rows), played.steps, strict=True):
        subject.where = played.at(row.seq)
        if encode(game.event_codec.decode_many(row.events)) != row.events:
            found.add(
                "the events of a move are others after they were stored",
                do=DO,
                where=subject.where,
                kind="events",
            )
        if step.action is not None and game.action_codec.decode(row.request) != step.action:
            found.add(
                f"{record_text(step.action)} is another action after it was stored",
                do=DO,
                where=subject.where,
                kind="action",
            )
        if encode(state) != encode(step.state) or state != step.state:
            found.add(
                "the stored events give another state than the live match had",
                do=f"{DO}; make the new state from the old one and the event alone",
                where=subject.where,
                kind="state",
            )
    every = max(1, len(played.steps) // SNAPSHOTS)
    last = played.steps[-1].state
    for move in range(1, len(played.steps), every):
        subject.where = played.at(move)
        state = played.steps[move - 1].state
        snapshot = game.state_codec.decode(encode(state))
        if snapshot != state:
            found.add("a state is another after it was stored", do=DO, where=subject.where, kind="snapshot")
        elif encode(fold_moves(game, rows[move:], snapshot)) != encode(last):
            found.add(
                "the rest of the match, from a stored state, ends in another state",
                do=DO,
                where=subject.where,
                kind="rest",
            )
    subject.where = f"match {played.number}, {played.seats} seats"
    difference = decide_again(game, rows, subject.secret(played.number))
    if difference is not None:
        found.add(
            f"deciding the stored match again gives another `{difference.place}`: "
            f"{difference.decided}, where it was {difference.logged}",
            do="let `decide` depend on the state, the action and the draws alone",
            where=played.at(difference.seq),
            kind="decided",
        )


def rows_of(played: Played) -> tuple[LoggedMove, ...]:
    """Return a match as the log stores it."""

    def request(action: Any) -> bytes:
        return start_request(played.options, played.seats) if action is None else encode(action)

    return tuple(
        LoggedMove(seq=seq, seat=step.seat, request=request(step.action), events=encode(step.events))
        for seq, step in enumerate(played.steps, start=1)
    )


CHECK: Final = Check(name="replay", asks="a stored match gives the same states and events again", run=_run)
