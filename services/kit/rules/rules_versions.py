"""Every version of the rules can be started and played, and a match keeps its version."""

from __future__ import annotations

from typing import Final

from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.rules_versions import number
from engine.match.playout import random_match
from services.kit.check import Check, Findings, Result
from services.kit.subject import CHOICES, MAX_MOVES, Subject


def _run(subject: Subject) -> Result:
    found = Findings()
    assert subject.matches  # if those cannot be played, `plays` reports it
    listed = [one.version for one in subject.game.versions]
    try:
        numbers = [number(version) for version in listed]
    except ValueError:
        found.add(
            f"the versions of the rules are {', '.join(listed)}",
            do="give every version three numbers, such as 1.1.0",
        )
        return found.result("nothing more")
    if numbers != sorted(set(numbers), reverse=True):
        found.add(
            f"the versions of the rules are listed as {', '.join(listed)}",
            do="list each version once, newest first",
        )
    if subject.game.rules_version != listed[0]:
        found.add(
            f"the game is under the rules {subject.game.rules_version}, and its newest are {listed[0]}",
            do="let `Game.rules_version` be `VERSIONS[0].version`",
        )
    for version in listed:
        game = subject.game.by(version)
        for seats in (min(game.seat_counts), max(game.seat_counts)):
            _keeps(subject, game, seats, found)
    return found.result(f"versions {', '.join(listed)}")


def _keeps(subject: Subject, game: AnyGame, seats: int, found: Findings) -> None:
    """Play a match under a version, with the default options."""
    version = game.rules_version
    subject.where = f"a match of {seats} seats under the rules {version}"
    options = game.types.options()
    steps = random_match(game, options, seats, subject.secret(seats), subject.chance(seats, CHOICES))
    for move, step in enumerate(steps, start=1):
        stored = game.state_codec.decode(encode(step.state))
        if game.rules_of(stored) != version:
            found.add(
                f"the state of a match under {version} says that its rules are {game.rules_of(stored)}",
                do="keep the version of the first event in the state, and decide by it, not by the newest rules",
                where=f"{subject.where}, move {move}",
                kind="kept",
            )
            return
        if move == MAX_MOVES:
            return


CHECK: Final = Check(
    name="rules-versions", asks="every version of the rules can be played, and is kept", run=_run
)
