"""Numbers of legal sequences from named positions: a change of any rule on the way changes them."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import DeclareVisit, TakeItems
from engine.al_rashid.box.components import Goods
from engine.al_rashid.game import GAME
from tests.engine.whole_matches import sequences


@pytest.mark.parametrize(("depth", "count"), [(1, 37), (2, 37 * 37), (3, 37 * 889)])
def test_from_an_empty_board(a_match, depth, count) -> None:
    """§4 A pasha has 13 areas, a merchant 12, a sage 12; the own third move has 25, 23, 24 or 25 answers: 889 in all."""
    assert sequences(GAME, a_match(2).state, depth) == count


def test_a_rich_visitor_at_each_guild(a_match) -> None:
    """§7.2 Nothing, one action or two; with notes every office also at a discount."""
    counts = {}
    for palace in ("spies", "military", "culture", "mercantile", "political"):
        story = a_match().goods(A="9H 9P 9M 9Sp 9Si").notes("A").board(palace, "A P").rounds().resolve(palace)
        counts[palace] = len(story.legal("A"))
    assert counts == {"spies": 58, "military": 28, "culture": 28, "mercantile": 28, "political": 52}


def test_a_trade_of_rank_one_on_the_silk_road(a_match) -> None:
    """§9.7 Four kinds to take whole; up to three of H, M, 2 Sp, 4 Si and the note."""
    story = a_match().board("silk_road", "A P").rounds().resolve("silk_road")
    items = {
        (h, m, sp, si, note)
        for h in (0, 1)
        for m in (0, 1)
        for sp in range(3)
        for si in range(4)
        for note in (0, 1)
        if h + m + sp + si + note <= 3
    }
    assert len(story.legal("A")) == 4 + len(items)
    assert story.plays("A", TakeItems(goods=Goods())).has("A") == (0, 0, 0, 0, 0)


def test_a_poor_visitor_has_only_what_is_free(a_match) -> None:
    story = a_match().board("mercantile", "A P").rounds().resolve("mercantile")
    assert GAME.legal_actions(story.state, 0).actions == (DeclareVisit(),)
