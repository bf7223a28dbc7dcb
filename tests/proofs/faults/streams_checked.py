"""What followers were told, held against the log: a prefix of it, gap-free, without repeats, and in the end all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tests.proofs.faults.history import MatchHistory
from tests.proofs.faults.notes import Finished, Followed, Looked, Overheard, Told
from tests.proofs.faults.violations import Rule, Violation


def check_streams(
    matches: Mapping[str, MatchHistory],
    followed: Sequence[Followed],
    told: Sequence[Told],
    finished: Sequence[Finished],
) -> Iterator[Violation]:
    """Check every follower, across all its reconnects."""
    by_follower: dict[str, list[Told]] = defaultdict(list)
    for one in told:
        by_follower[one.follower].append(one)
    ended = {one.follower for one in finished}
    for one in followed:
        match = matches.get(one.match)
        if match is None:
            continue  # it is gone, which is a violation of its own
        heard = by_follower[one.follower]
        yield from _check_told(match, one, heard)
        if one.follower not in ended or len(heard) < match.version:
            yield Violation(
                Rule.STREAM_END, f"{one.follower}: ended with {len(heard)} of {match.version} moves"
            )


def _check_told(match: MatchHistory, follower: Followed, heard: Sequence[Told]) -> Iterator[Violation]:
    truth = match.seen["public" if follower.seat is None else str(follower.seat)]
    for expected, one in enumerate(heard, start=1):
        if one.version != expected:
            yield Violation(
                Rule.STREAM, f"{follower.follower}: told {one.version} where {expected} comes next"
            )
            return
        if one.events != truth.get(one.version):
            yield Violation(Rule.STREAM_EVENTS, f"{follower.follower}: told other events of {one.version}")


def check_looks(looked: Sequence[Looked]) -> Iterator[Violation]:
    """Whoever looks sees at least what anybody was acknowledged before."""
    for one in looked:
        if one.version < one.at_least:
            yield Violation(
                Rule.STALE,
                f"{one.match}: seen at version {one.version} by {one.via}, after {one.at_least} was acknowledged",
            )


def check_tenant_feed(
    matches: Mapping[str, MatchHistory], overheard: Sequence[Overheard]
) -> Iterator[Violation]:
    """The feed of all matches may leave states out and repeat them; it goes forward, and as far as the match."""
    latest: dict[str, Overheard] = {}
    for one in overheard:
        before = latest.get(one.match)
        if before is not None and before.version > one.version:
            text = f"told version {one.version} after {before.version}"
            yield Violation(Rule.TENANT_FEED, f"{one.match}: {text}")
        latest[one.match] = one
    for match in matches.values():
        told = latest.get(match.match)
        if told is None or (told.version, told.ended) != (match.version, match.status == "ended"):
            text = f"{match.status} at version {match.version}; the feed has told {told and told.version}"
            yield Violation(Rule.TENANT_FEED, f"{match.game} {match.match}: {text}")
