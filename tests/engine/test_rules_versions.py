"""Versions of rules: each keeps its decisions, its stored matches, and its name for ever."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from coming_rules import COMING, coming_rules

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.rules_versions import FIRST, RulesVersion, rulings_by_version
from engine.kernel.seats import Seat
from engine.match.replay import decide_again, fold, fold_moves
from engine.registry import game, versions
from engine.river_dragons import versions as of_river_dragons
from engine.river_dragons.actions import SubmitProgram
from engine.river_dragons.box.components import DRAGON_TARGET
from engine.river_dragons.errors import Code
from tests.support.our_games import OUR_GAMES
from tests.support.stored_logs import GOLDEN, corpus, game_of, golden_logs, logs_of_version, read

LEAVERS = "leavers-win-5.jsonl"
"""The same match under each version of River Dragons: two leave, somebody wins."""


def begun(rules: AnyGame) -> tuple[bytes, object]:
    """Return the events of a setup, and the state after it."""
    options = rules.options_codec.decode(b"{}")
    events = rules.start(options, min(rules.seat_counts), SeededChance(bytes(32), 1))
    return encode(events), fold(rules, events)


def version(name: str) -> RulesVersion[None]:
    return RulesVersion(version=name, since="2026-01-01", changes="", rulings=None)


# ── what there is ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_a_game_is_given_by_its_newest_rules_or_by_those_that_are_named(game_id: str) -> None:
    assert game(game_id).rules_version == versions(game_id)[0].version
    for one in versions(game_id):
        named = game(game_id, one.version)
        assert named.rules_version == one.version
        assert named is game(game_id, one.version)
        assert named.newest.rules_version == game(game_id).rules_version
    with pytest.raises(KeyError, match=r"there are: .*1\.0\.0"):
        game(game_id, "0.9.0")


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_every_version_tells_players_when_it_came_and_what_it_changed(game_id: str) -> None:
    dates = [one.since for one in versions(game_id)]
    assert dates == sorted(dates, reverse=True)
    assert all(one.changes.endswith(".") for one in versions(game_id))


@pytest.mark.parametrize(
    "listed",
    [
        pytest.param(("1.0.0", "1.1.0"), id="oldest first"),
        pytest.param(("1.1.0", "1.1.0", "1.0.0"), id="one twice"),
        pytest.param(("1.1.0",), id="without the first"),
        pytest.param(("1.9.0", "1.10.0", "1.0.0"), id="ordered as text"),
    ],
)
def test_versions_that_are_listed_wrongly_stop_the_game_from_loading(listed: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="newest first"):
        rulings_by_version(tuple(map(version, listed)))


# ── a match keeps the version it began with ────────────────────────────────────────────────────────


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_the_first_event_tells_the_rules_and_the_state_keeps_them(game_id: str) -> None:
    for one in versions(game_id):
        rules = game(game_id, one.version)
        events, state = begun(rules)
        assert rules.rules_of(state) == one.version
        assert rules.rules_of(rules.state_codec.decode(encode(state))) == one.version
        told = json.loads(events)[0].get("rules_version")
        assert told == (None if one.version == FIRST else one.version)


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_matches_that_are_older_than_versions_say_nothing_and_are_of_the_first(game_id: str) -> None:
    """Neither their first event nor their state has the field: not a byte of them has changed."""
    events, state = begun(game(game_id, FIRST))
    assert b"rules_version" not in events
    assert b"rules_version" not in encode(state)
    assert game(game_id).rules_of(state) == FIRST


def test_the_newest_rules_judge_an_older_match_by_the_rules_it_began_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coming = coming_rules(monkeypatch)
    for name in (FIRST, "1.1.0", COMING):
        _, state = begun(game("river_dragons", name))
        seat = Seat(0)
        (template,) = coming.legal_actions(state, seat).templates
        (dragon,) = (card for card in template.cards if card in DRAGON_TARGET)
        program = SubmitProgram(cards=(dragon, *[card for card in template.cards if card is not dragon][:4]))
        assert template.max_dragons == (0 if name == COMING else 1)
        if name == COMING:
            with pytest.raises(RuleViolation) as refusal:
                coming.decide(state, seat, program, SeededChance(bytes(32), 2))
            assert (refusal.value.code, refusal.value.rule) == (Code.SECOND_DRAGON, "F99")
        else:
            assert coming.decide(state, seat, program, SeededChance(bytes(32), 2))


# ── the stored matches of every version ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_every_version_has_its_stored_matches_and_no_stored_match_lacks_its_version(game_id: str) -> None:
    stored = {folder for folder in (GOLDEN / game_id).iterdir() if folder.is_dir() and folder.name[0] == "v"}
    assert stored == {corpus(game_id, one.version) for one in versions(game_id)}
    for one in versions(game_id):
        assert len(logs_of_version(game_id, one.version)) >= len(game(game_id).seat_counts)


@pytest.mark.parametrize(
    "path", [corpus("river_dragons", one.version) / LEAVERS for one in versions("river_dragons")]
)
def test_a_ruling_changed_without_a_new_version_is_caught(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a careless change of [F7] would do: the stored outcome is no longer what the moves lead to."""
    rules, (_, moves, end) = game_of(path), read(path)
    kept = of_river_dragons.RULINGS[rules.rules_version]
    changed = msgspec.structs.replace(
        kept, leavers_rank_last_after_a_win=not kept.leavers_rank_last_after_a_win
    )
    monkeypatch.setitem(of_river_dragons.RULINGS, rules.rules_version, changed)
    assert json.loads(encode(rules.outcome(fold_moves(rules, moves)))) != end["outcome"]


@pytest.mark.parametrize("game_id", OUR_GAMES)
def test_a_stored_match_is_not_taken_for_one_of_other_rules(game_id: str) -> None:
    """Each row follows from the rules of its match: with others, the first row already differs."""
    path = golden_logs(game_id)[0]
    header, moves, _ = read(path)
    later = RulesVersion(version="7.0.0", since="2030-01-01", changes="", rulings=None)
    rules = replace(game_of(path), versions=(later, *versions(game_id)), rules_version="7.0.0")
    difference = decide_again(rules, moves, bytes.fromhex(header["secret"]))
    assert difference is not None
    assert (difference.seq, difference.place) == (1, "events[0]")
