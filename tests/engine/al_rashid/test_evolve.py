"""`evolve` records and judges nothing; what cannot be a history of a match is a programming error, never skipped."""

from __future__ import annotations

import pytest

from engine.al_rashid.box.components import Colour
from engine.al_rashid.event_parts import DrawnTile, PlacedTile
from engine.al_rashid.events import CrisisDrawn, HoldingDeclined, OwnTurnEnded, TurnStarted
from engine.al_rashid.evolve import evolve
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.owner_events import MercenariesDrawn, OfficeAcquired
from engine.kernel.chance import SeededChance
from engine.match.playout import playout


def test_a_history_begins_with_the_start() -> None:
    with pytest.raises(ValueError, match="begins with match_started"):
        evolve(None, OwnTurnEnded(seat=0))


def test_a_match_starts_once() -> None:
    started = GAME.start(AlRashidOptions(), 2, SeededChance(bytes(32), 1))[0]
    with pytest.raises(ValueError, match="starts once"):
        evolve(evolve(None, started), started)


@pytest.mark.parametrize(
    "event",
    [
        MercenariesDrawn(seat=0, tiles=(DrawnTile(colour=Colour.RED),)),
        CrisisDrawn(crisis="turn_1", tiles=(PlacedTile(id=0, territory="sarmatia", colour=Colour.RED),)),
    ],
)
def test_a_redacted_event_cannot_be_folded(a_match, event) -> None:
    with pytest.raises(ValueError, match="redacted"):
        evolve(a_match().state, event)


def test_what_does_not_follow_from_the_table_is_not_folded(a_match) -> None:
    state = a_match().told(TurnStarted(turn=1, order=(0, 1, 2), diplomats=(1,))).state
    for event, words in (
        (HoldingDeclined(seat=0), "another seat"),
        (OwnTurnEnded(seat=0), "another seat"),
        (OfficeAcquired(seat=0, office="raider", note=False), "next step"),
    ):
        with pytest.raises(ValueError, match=words):
            evolve(state, event)


@pytest.mark.parametrize("seats", [2, 5])
def test_a_playout_of_the_kernel_ends(seats) -> None:
    secret = bytes(32)
    finished = playout(GAME, AlRashidOptions(), seats, secret, SeededChance(secret, 1 << 32))
    assert finished.moves > 60
    assert finished.outcome.reason == "TURNS_PLAYED"
