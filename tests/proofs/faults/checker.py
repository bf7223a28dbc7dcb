"""The judge: holds what clients wrote down against what the public API says afterwards. It knows nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.proofs.faults.events_checked import (
    check_answers,
    check_feed,
    check_outbox,
    check_signatures,
    check_webhooks,
)
from tests.proofs.faults.history import History, MatchHistory
from tests.proofs.faults.notes import (
    Answered,
    AnyNote,
    Arrived,
    Denied,
    Finished,
    Followed,
    Forged,
    Looked,
    Made,
    Overheard,
    Pulled,
    Sent,
    Told,
    of_kind,
)
from tests.proofs.faults.recovery import check_recoveries
from tests.proofs.faults.refusals_checked import check_denied, check_refusals
from tests.proofs.faults.requests_checked import by_match, check_lost, check_requests
from tests.proofs.faults.streams_checked import check_looks, check_streams, check_tenant_feed
from tests.proofs.faults.versions_checked import check_expected, waited_for
from tests.proofs.faults.violations import Rule, Violation


def check(notes: Sequence[AnyNote], history: History) -> list[Violation]:
    """Return everything that is wrong; an empty list: nothing was lost, nothing played twice, nothing told otherwise."""
    return list(_check(notes, history))


def _check(notes: Sequence[AnyNote], history: History) -> Iterator[Violation]:
    made = {note.match for note in of_kind(notes, Made)}
    for match_id in sorted(history.listed - made):
        yield Violation(Rule.MATCHES, f"{match_id} is there, and nobody was told that it was made")
    asked = by_match(of_kind(notes, Sent), of_kind(notes, Answered))
    for match_id in sorted(made - history.listed):
        yield Violation(Rule.MATCHES, f"{match_id} was made, and is not there")
        yield from check_lost(match_id, asked.get(match_id, {}))
    waited = waited_for(history.feed)
    for match in history.matches.values():
        requests = asked.get(match.match, {})
        yield from check_requests(match, requests)
        yield from check_refusals(match, requests)
        yield from check_expected(match, requests, waited.get(match.match, {}))
        yield from _check_replay(match)
    yield from check_denied(of_kind(notes, Denied))
    yield from check_looks(of_kind(notes, Looked))
    yield from check_streams(
        history.matches, of_kind(notes, Followed), of_kind(notes, Told), of_kind(notes, Finished)
    )
    yield from check_tenant_feed(history.matches, of_kind(notes, Overheard))
    yield from check_outbox(history.matches, history.feed)
    yield from check_answers(history.matches, history.feed, asked)
    yield from check_feed(history.feed, of_kind(notes, Pulled))
    yield from check_webhooks(history.feed, of_kind(notes, Arrived))
    yield from check_signatures(of_kind(notes, Forged))
    yield from check_recoveries(notes)


def _check_replay(match: MatchHistory) -> Iterator[Violation]:
    where = f"{match.game} {match.match}"
    if match.replay and match.status == "ended":
        yield Violation(Rule.REPLAY, f"{where}: {match.replay}")
    if match.offline and match.status == "ended":
        yield Violation(Rule.REPLAY, f"{where}, its export: {match.offline}")
    if match.hashes != {row.version: row.hash for row in match.rows}:
        yield Violation(Rule.HASH, f"{where}: the export has other hashes than the list of moves")
