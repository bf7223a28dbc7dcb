"""What came of a fault run, on one screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.proofs.faults.history import History
from tests.proofs.faults.notes import (
    Answered,
    AnyNote,
    Arrived,
    AttemptOutcome,
    Broken,
    Followed,
    Healed,
    Made,
    Pulled,
    Sent,
    Told,
    of_kind,
)
from tests.proofs.faults.recovery import middle, recoveries
from tests.proofs.faults.requests_checked import by_match
from tests.proofs.faults.violations import Violation

MAX_SHOWN = 3
"""Violations of one rule."""


def report(notes: Sequence[AnyNote], history: History, violations: Sequence[Violation], heading: str) -> str:
    """Return the table."""
    return "\n".join([heading, *_counts(notes, history), "", *_faults(notes), "", *_violations(violations)])


def _counts(notes: Sequence[AnyNote], history: History) -> list[str]:
    made, sent, answered = of_kind(notes, Made), of_kind(notes, Sent), of_kind(notes, Answered)
    outcomes = Counter(one.outcome for one in answered)
    requests = [one for match in by_match(sent, answered).values() for one in match.items()]
    in_log = {(row.request_id, match.match) for match in history.matches.values() for row in match.rows}
    acknowledged = [one for _, one in requests if one.of(AttemptOutcome.ACKNOWLEDGED)]
    unknown = [
        (one, (key[0], one.sent[0].match) in in_log)
        for key, one in requests
        if not one.of(AttemptOutcome.ACKNOWLEDGED) and not one.of(AttemptOutcome.REFUSED)
    ]
    refusals = Counter(one.reason for one in answered if one.outcome is AttemptOutcome.REFUSED)
    games = Counter(one.game for one in made)
    arrived = of_kind(notes, Arrived)
    followed, broken = of_kind(notes, Followed), of_kind(notes, Broken)
    kinds = Counter(one.follower.split()[0] for one in followed)
    rows = sum(len(match.rows) for match in history.matches.values())
    return [
        _line("matches", f"{len(made)}: {_listed(games)}; moves in their logs: {rows}"),
        _line("requests", f"{len(requests)}, acknowledged {len(acknowledged)}"),
        _line("attempts", f"{len(sent)}: {_listed(Counter({k.value: v for k, v in outcomes.items()}))}"),
        _line("", f"{_listed(Counter(one.manner for one in sent))}"),
        _line("first answer again", f"{sum(one.replayed for one in answered)} times"),
        _line(
            "never answered",
            f"{len(unknown)} requests, of which {sum(there for _, there in unknown)} were made",
        ),
        _line("refusals", _listed(refusals)),
        _line(
            "streams",
            f"{len(followed)} ({_listed(kinds)}), {len(broken)} reconnects, {len(of_kind(notes, Told))} moves told",
        ),
        _line(
            "events",
            f"{len(history.feed)} in the feed, {len(of_kind(notes, Pulled))} pulled with its cursor; webhooks {len(arrived)}, "
            f"{len(arrived) - len({one.event_id for one in arrived})} of them repeats",
        ),
    ]


def _faults(notes: Sequence[AnyNote]) -> list[str]:
    found = recoveries(notes)
    total = sum(one.times for one in found)
    still = total - len(of_kind(notes, Healed))
    lines = [f"{'harm':28} {'times':>5}  {'lasted p50':>10}  {'moves again after p50':>22}  {'max':>7}"]
    for one in sorted(found, key=lambda one: one.kind.lower()):
        lasted = f"{middle(one.lasted):.1f} s" if one.lasted else ""
        p50, most = (f"{middle(one.waited):.2f} s", f"{one.waited[-1]:.2f} s") if one.waited else ("-", "-")
        unseen = f"  not seen again: {one.unseen}" if one.unseen else ""
        lines.append(f"{one.kind:28} {one.times:5}  {lasted:>10}  {p50:>22}  {most:>7}{unseen}")
    return [*lines, f"{'all':28} {total:5}" + (f"  {still} not made good" if still else "")]


def _violations(violations: Sequence[Violation]) -> list[str]:
    lines = [f"violations {len(violations)}"]
    by_rule = Counter(one.rule for one in violations)
    for rule, count in by_rule.most_common():
        lines.append(f"  {count} × {rule}")
        lines += [f"      {one.text}" for one in violations if one.rule is rule][:MAX_SHOWN]
    return lines


def _line(name: str, text: str) -> str:
    return f"{name:19} {text}"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"
