"""The results of a mass replay, for people and for tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from services.cli.simulate.distribution import Distribution
from services.replays.judgements import NEWEST, Judgement, Verdict
from services.replays.tally import ReplayTally, RulesTally

LISTED: Final = 20
"""Differing matches that are printed; tools and Parquet files get more."""

SHORT: Final = 90
"""Characters of an event that are printed."""
_WORDS: Final = {
    Verdict.SAME: "decided the same",
    Verdict.DIFFERS: "otherwise",
    Verdict.UNDECIDED: "not replayed",
}


def report(tally: ReplayTally, rules: str) -> dict[str, Any]:
    """Return all results for tools, which depend only on the matches."""
    return {
        "rules": rules or "own",
        "matches": tally.matches,
        "rows": tally.rows,
        "differ": tally.differ,
        "games": [_of_rules(*key, one) for key, one in sorted(tally.rules.items())],
        "differing": [
            {
                name: getattr(one, name)
                for name in (
                    "match_id",
                    "game",
                    "rules_version",
                    "replayed_by",
                    "at",
                    "place",
                    "logged",
                    "decided",
                )
            }
            for one in tally.first()
        ],
    }


def _of_rules(game: str, version: str, one: RulesTally) -> dict[str, Any]:
    moves = Distribution(one.moves)
    return {
        "game": game,
        "rules_version": version,
        "matches": one.verdicts.total(),
        **{verdict.value: one.verdicts[verdict] for verdict in Verdict},
        "ended": one.ended,
        "moves": moves.summary() if len(moves) else None,
        "draws": one.draws,
        "ended_by": dict(sorted(one.reasons.items())),
        "wins": dict(sorted(one.wins.items())),
        "actions": dict(sorted(one.actions.items())),
        "differences": dict(sorted(one.places.items())),
        "undecided_because": dict(sorted(one.undecided.items())),
    }


def sentences(tally: ReplayTally, rules: str, done_by: str, seconds: float) -> Iterator[str]:
    """Yield the report line by line."""
    for (game, version), one in sorted(tally.rules.items()):
        yield f"{game or 'unknown game'} {version}: {_counted(one)}"
        for reason, matches in sorted(one.reasons.items()):
            yield f"  {matches / one.ended:6.1%}  {reason}"
        for why, matches in sorted(one.undecided.items()):
            yield f"  {matches} could not be replayed: {why}"
    for judgement in tally.first()[:LISTED]:
        yield _difference(judgement)
    if tally.differ > LISTED:
        yield f"… and {tally.differ - LISTED} more; --json and --parquet list them"
    speed = tally.rows / seconds if seconds else 0.0
    yield f"{tally.matches} matches, {tally.rows} moves, {speed:,.0f} moves/s in {done_by}, {seconds:.1f} s"
    by = {"": "the rules that each was played by", NEWEST: "the newest rules"}.get(
        rules, f"the rules {rules}"
    )
    yield f"{tally.differ or 'none'} would have been decided otherwise by {by}"


def _counted(one: RulesTally) -> str:
    moves = Distribution(one.moves)
    median = f", median {moves.quantile(0.5):g} moves" if len(moves) else ""
    counted = ", ".join(
        f"{one.verdicts[verdict]} {words}" for verdict, words in _WORDS.items() if one.verdicts[verdict]
    )
    return f"{one.verdicts.total()} matches, {one.ended} ended{median}; {counted}"


def _difference(one: Judgement) -> str:
    said = f": {_short(one.decided)}, not {_short(one.logged)}" if one.decided else ""
    return f"{one.match_id} {one.game} {one.rules_version} by {one.replayed_by}: version {one.at}, {one.place}{said}"


def _short(text: str) -> str:
    return text if len(text) <= SHORT else f"{text[:SHORT]}…"
