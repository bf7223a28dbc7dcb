"""Every code of this game's refusals is provoked by a test of its chapter; here those that no chapter has."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import HoldBack, PlacePiece
from engine.al_rashid.box.components import Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.events import TurnStarted
from engine.al_rashid.game import GAME
from engine.kernel.errors import Unreadable


def test_a_piece_that_is_not_there_is_not_placed_or_held(a_match) -> None:
    story = a_match().plays("A", PlacePiece(piece=Piece.PASHA, area="spies"))
    story = story.plays("B", PlacePiece(piece=Piece.SAGE, area="spies"))
    story = story.plays("C", PlacePiece(piece=Piece.SAGE, area="spies"))
    again = PlacePiece(piece=Piece.PASHA, area="culture")
    story.refuses("A", again, Code.PIECE_NOT_IN_RESERVE, "4.2", piece="pasha")
    story.refuses(
        "A", PlacePiece(piece=Piece.SAGE, area="atlantis"), Code.AREA_UNKNOWN, "4.2", area="atlantis"
    )
    story = (
        a_match()
        .owns(
            "A",
            "diplomat",
        )
        .told(TurnStarted(turn=1, order=(0, 1, 2), diplomats=(0, 0)))
    )
    story = story.plays("A", HoldBack(piece=Piece.PASHA))
    story.refuses("A", HoldBack(piece=Piece.PASHA), Code.PIECE_NOT_IN_RESERVE, "4.1", piece="pasha")


@pytest.mark.parametrize(
    "action",
    [
        b'{"type":"pay","goods":{"hardwood":-1}}',
        b'{"type":"pay","goods":{"gold":1}}',
        b'{"type":"pay","goods":{"hardwood":100000}}',
        b'{"type":"choose_stack","colour":"green"}',
        b'{"type":"decline","why":"because"}',
        b'{"type":"place_piece","piece":"pasha","area":"' + b"x" * 99 + b'"}',
        b'{"type":"fly"}',
    ],
)
def test_what_is_no_action_is_unreadable(action) -> None:
    with pytest.raises(Unreadable):
        GAME.action_codec.decode(action)
