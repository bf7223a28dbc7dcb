"""[R23] [F14] The round limit is an option: 40 by default, another number, or none where absent players forfeit and only people play."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.kernel.seats import PUBLIC, Seat
from engine.match.certain_end import Missing, must_end
from engine.match.playout import random_match
from engine.match.replay import fold
from engine.river_dragons.agents.features import features
from engine.river_dragons.box.components import Variant
from engine.river_dragons.errors import Code
from engine.river_dragons.events import EndReason, MatchEnded, MatchStarted, RoundEnded
from engine.river_dragons.game import GAME
from engine.river_dragons.options import NoLimit, RiverDragonsOptions
from tests.engine.river_dragons.conftest import Story

ONLY_FALLS = "move1 move2 jump remove dragon:{}"
"""Nothing is laid, so every pawn falls."""
NONE = NoLimit.NONE


def rounds(story: Story, number: int) -> Story:
    """Two players who get nowhere play so many rounds."""
    for _ in range(number):
        story = story.programs(pink=ONLY_FALLS.format("black"), black=ONLY_FALLS.format("pink"))
    return story


def started(story_or_events) -> MatchStarted:
    return next(event for event in story_or_events if isinstance(event, MatchStarted))


def begun(options: RiverDragonsOptions, rules: str = GAME.rules_version):
    return GAME.by(rules).start(options, 2, SeededChance(bytes(32), 1))


# What it does


@pytest.mark.parametrize("limit", [1, 3])
def test_after_so_many_rounds_the_match_is_a_draw(a_match, limit) -> None:
    """[R23] Given a limit of 3, when the third round ends without a winner, then nobody has won."""
    story = (
        rounds(a_match(players=2, round_limit=limit), limit - 1) if limit > 1 else a_match(2, round_limit=1)
    )
    assert story.waiting == ["pink program", "black program"]
    story = rounds(story, 1)
    ended = (RoundEnded(round=limit), MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()))
    assert story.events[-2:] == ended
    assert GAME.outcome(story.state).rule == "R23"


def test_beyond_40_rounds_where_the_limit_is_higher(a_match) -> None:
    """[R23]"""
    story = rounds(a_match(players=2, round_limit=42), 41)
    assert (story.state.round, story.waiting) == (42, ["pink program", "black program"])
    assert rounds(story, 1).waiting == []


def test_without_a_limit_rounds_go_on(a_match) -> None:
    """[R23] The 41st round, and the 61st."""
    story = rounds(a_match(players=2, round_limit=NONE), 40)
    assert (story.state.round, story.waiting) == (41, ["pink program", "black program"])
    assert rounds(story, 20).state.round == 61


def test_who_leaves_a_match_without_a_limit_ends_it(a_match) -> None:
    """[R23] [R29] What a clock under which the absent forfeit comes to."""
    story = rounds(a_match(players=2, round_limit=NONE), 41).leaves("pink")
    outcome = GAME.outcome(story.state)
    assert (outcome.reason, outcome.winners) == ("LAST_PLAYER_LEFT", (story.seat("black"),))


# What is told of it


@pytest.mark.parametrize(("limit", "told"), [(UNSET, 40), (40, 40), (7, 7), (NONE, 0)])
def test_the_view_says_the_limit(a_match, limit, told) -> None:
    """[R23] 0: there is none."""
    story = a_match(players=2, round_limit=limit)
    view = GAME.view(story.state, PUBLIC)
    assert view.round_limit == told
    assert (f"round 1 of {told}, slot 0" if told else "round 1, slot 0") in GAME.draw(view)


def test_the_usual_limit_is_not_written_down() -> None:
    """[R23] Left out or said, the events and the state are the same, and as they were under older rules."""
    usual, said = begun(RiverDragonsOptions()), begun(RiverDragonsOptions(round_limit=40))
    assert encode(usual) == encode(said)
    assert b"round_limit" not in encode(usual)
    assert b"round_limit" not in encode(fold(GAME, usual))
    assert encode(RiverDragonsOptions()) == b'{"variant":"islands"}'


@pytest.mark.parametrize(("limit", "kept"), [(7, 7), (NONE, 0)])
def test_another_limit_is_in_the_first_event_and_in_the_state(limit, kept) -> None:
    """[R23]"""
    events = begun(RiverDragonsOptions(round_limit=limit))
    assert started(events).round_limit == kept
    assert GAME.state_codec.decode(encode(fold(GAME, events))).round_limit == kept


def test_rows_of_views_stay_between_0_and_1_however_long_it_takes(a_match) -> None:
    """[R23] Programs that learn are told how much of the rounds has gone."""
    for limit, number in ((NONE, 60), (200, 45), (3, 2)):
        story = rounds(a_match(players=2, round_limit=limit), number)
        row = features(RiverDragonsOptions(), 2).row(GAME.view(story.state, PUBLIC), Seat(0))
        assert all(0 <= value <= 1 for value in row)


# What is refused


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        pytest.param("0", ">= 1", id="no round at all"),
        pytest.param("201", "<= 200", id="too many"),
        pytest.param('"never"', "allowed: 1 to 200, none", id="another word"),
        pytest.param("null", "allowed: 1 to 200, none", id="nothing"),
        pytest.param("7.5", "allowed: 1 to 200, none", id="half a round"),
        pytest.param("true", "allowed: 1 to 200, none", id="a truth"),
    ],
)
def test_a_limit_is_a_number_of_rounds_or_none(said, detail) -> None:
    """[R23]"""
    with pytest.raises(Unreadable) as refusal:
        GAME.options_codec.decode(f'{{"round_limit":{said}}}'.encode())
    assert refusal.value.pointer == "$.round_limit"
    assert detail in refusal.value.detail


@pytest.mark.parametrize("limit", [7, 40, NONE])
@pytest.mark.parametrize("rules", ["1.0.0", "1.1.0"])
def test_older_rules_leave_nothing_to_choose(rules, limit) -> None:
    """[R23] [F14] Not even what they have anyway: they do not know the option."""
    options = RiverDragonsOptions(round_limit=limit)
    for ask in (lambda: begun(options, rules), lambda: GAME.check_options(options, 2, rules)):
        with pytest.raises(RuleViolation) as refusal:
            ask()
        assert (refusal.value.code, refusal.value.rule) == (Code.ROUND_LIMIT_FIXED, "R23")
        assert refusal.value.field == "round_limit"
        assert refusal.value.facts == {"rounds": 40, "rules_version": rules, "since": "1.2.0"}
    assert begun(RiverDragonsOptions(), rules)


# Where it may be none


@pytest.mark.parametrize("limit", [UNSET, 1, 200])
def test_a_match_with_a_limit_ends_wherever_it_is_played(limit) -> None:
    """[R23]"""
    must_end(GAME, RiverDragonsOptions(round_limit=limit), bots=True)


@pytest.mark.parametrize(
    ("forfeits", "bots", "missing"),
    [
        pytest.param(False, False, Missing.FORFEIT_CLOCK, id="nobody is made to leave"),
        pytest.param(True, True, Missing.PEOPLE_ONLY, id="a bot plays on for ever"),
        pytest.param(False, True, Missing.PEOPLE_ONLY, id="neither"),
    ],
)
def test_without_a_limit_somebody_must_end_it(forfeits, bots, missing) -> None:
    """[R23] [F14]"""
    options = RiverDragonsOptions(round_limit=NONE)
    with pytest.raises(RuleViolation) as refusal:
        must_end(GAME, options, forfeits=forfeits, bots=bots)
    assert (refusal.value.code, refusal.value.field) == (TableCode.NO_CERTAIN_END, "round_limit")
    assert refusal.value.facts == {"missing": missing.value}
    must_end(GAME, options, forfeits=True)


def test_no_playout_begins_that_might_not_end() -> None:
    """[R23] [F14]"""
    options = RiverDragonsOptions(round_limit=NONE)
    with pytest.raises(RuleViolation) as refusal:
        next(random_match(GAME, options, 2, bytes(32), SeededChance(bytes(32), 1)))
    assert refusal.value.code is TableCode.NO_CERTAIN_END


@pytest.mark.parametrize(("players", "limit"), [(2, 1), (3, 5), (6, 2), (2, 60)])
def test_random_matches_keep_to_their_limit(play, players, limit) -> None:
    """[R23]"""
    last = None
    for last in play(players, Variant.ISLANDS, 23, round_limit=limit):
        assert last.state.round <= limit
    outcome = GAME.outcome(last.state)
    assert outcome.reason == "DESTINATION_REACHED" or last.state.round == limit
