"""The last move of a match, made so that it changes as little as possible: for tests of the final scoring."""

from __future__ import annotations

from tests.engine.river_of_gold.conftest import DECLINE, END, Story, sail

INCOME = 4
"""Koku A gains by the last move, if the shore spaces around `river_02` are empty."""


def ended(story: Story) -> Story:
    """A plays the very last turn: the upstream ship sails from `river_01` to `river_02`."""
    story = story.with_state(last_turns=()).with_player("A", die=1, ships=(0, story.player("A").ships[1]))
    story = story.plays("A", sail("upstream", 1))
    if story.waiting == ["A closing"]:
        story = story.plays("A", END)
    story = nobody_exchanges(story)
    assert story.waiting == [], story.waiting
    return story


def nobody_exchanges(story: Story) -> Story:
    """[F11] Whoever is asked before the final scoring declines."""
    while story.waiting and story.waiting[0].endswith("last_exchanges"):
        story = story.plays(story.waiting[0][0], DECLINE)
    return story
