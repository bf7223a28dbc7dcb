"""Events and webhooks held against the log: every row of the outbox matches its move, and every webhook came, in order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tests.proofs.faults.history import Event, MatchHistory, read_event
from tests.proofs.faults.notes import Answered, Arrived, AttemptOutcome, Forged, Pulled
from tests.proofs.faults.requests_checked import Attempts, Request
from tests.proofs.faults.violations import Rule, Violation

Told = tuple[str, int, int | None]
"""Type, version, seat."""


def check_outbox(matches: Mapping[str, MatchHistory], feed: Sequence[Event]) -> Iterator[Violation]:
    """Every match has exactly the events its moves call for, in the order of its versions."""
    by_match: dict[str, list[Event]] = defaultdict(list)
    for event in feed:
        by_match[event.match].append(event)
    for match in matches.values():
        events = by_match.pop(match.match, [])
        there = Counter((event.type, event.version, event.seat) for event in events)
        wanted = Counter(_events_of(match, events))
        where = f"{match.game} {match.match}"
        for told in sorted((wanted - there).elements(), key=str):
            yield Violation(Rule.OUTBOX, f"{where}: no event {_named(told)}")
        for told in sorted((there - wanted).elements(), key=str):
            yield Violation(Rule.OUTBOX, f"{where}: an event {_named(told)} that no move calls for")
        versions = [event.version for event in events]
        if versions != sorted(versions):
            yield Violation(Rule.FEED, f"{where}: events out of order")
    for match_id in by_match:
        yield Violation(Rule.OUTBOX, f"{match_id}: events of a match that nobody has made")


def _events_of(match: MatchHistory, events: Sequence[Event]) -> Iterator[Told]:
    """Yield the events a match calls for. Who has to act after a move, its event says itself: see `check_answers`."""
    to_act: dict[int, tuple[int, ...]] = {}
    for event in events:
        to_act.setdefault(event.version, event.to_act)
    yield "match.created", 0, None
    for row in match.rows:
        if row.version == 1:
            yield "match.started", 1, None
        else:
            yield "move.applied", row.version, row.seat
        before = to_act.get(row.version - 1, ()) if row.version > 1 else ()
        for seat in to_act.get(row.version, ()):
            if seat not in before:
                yield "turn.started", row.version, seat
    if match.status == "ended":
        yield "match.ended", match.version, None


def check_answers(
    matches: Mapping[str, MatchHistory],
    feed: Sequence[Event],
    asked: Mapping[str, Mapping[Request, Attempts]],
) -> Iterator[Violation]:
    """Events say of each version what whoever made it was answered: who is waited for, and whether the match is over."""
    by_place: dict[tuple[str, int], list[Event]] = defaultdict(list)
    for event in feed:
        by_place[event.match, event.version].append(event)
    for match in matches.values():
        for attempts in asked.get(match.match, {}).values():
            for answer in attempts.of(AttemptOutcome.ACKNOWLEDGED):
                events = by_place.get((match.match, answer.version), [])
                where = f"{match.game} {match.match}: move {answer.version} was answered"
                yield from _check_answer(answer, events, where)


def _check_answer(answer: Answered, events: Sequence[Event], where: str) -> Iterator[Violation]:
    for event in events:
        if event.to_act != answer.to_act:
            text = f"{where} {list(answer.to_act)} to act; its {event.type} says {list(event.to_act)}"
            yield Violation(Rule.OUTBOX, text)
    if events and answer.ended != any(event.type == "match.ended" for event in events):
        said = "as the end" if answer.ended else "as not the end"
        yield Violation(Rule.OUTBOX, f"{where} {said}; its events say otherwise")


def _named(told: Told) -> str:
    kind, version, seat = told
    return f"{kind} of version {version}" + ("" if seat is None else f", seat {seat}")


def check_feed(feed: Sequence[Event], pulled: Sequence[Pulled]) -> Iterator[Violation]:
    """Who pulled the feed meanwhile, with a cursor, read all that is there afterwards, in its order: nothing skipped."""
    for event_id, count in Counter(event.id for event in feed).items():
        if count > 1:
            yield Violation(Rule.FEED, f"event {event_id} is there {count} times")
    afterwards = [event.id for event in feed]
    meanwhile = [one.event_id for one in pulled]
    for number, (one, other) in enumerate(zip(meanwhile, afterwards, strict=False)):
        if one != other:
            yield Violation(Rule.FEED, f"event {number} was {one} for who pulled, and is {other}")
            return
    if len(meanwhile) != len(afterwards):
        yield Violation(Rule.FEED, f"{len(meanwhile)} events were pulled, and there are {len(afterwards)}")


def check_webhooks(feed: Sequence[Event], arrived: Sequence[Arrived]) -> Iterator[Violation]:
    """Every event came at least once, as the feed has it, and those of a match first came in its order."""
    first: dict[str, Arrived] = {}
    for one in arrived:
        if one.accepted:
            first.setdefault(one.event_id, one)
    yield from _check_complete(feed, first)
    yield from _check_arrival_order(feed, list(first))


def check_signatures(forged: Sequence[Forged]) -> Iterator[Violation]:
    """Nobody but the system knows the address, so whatever comes there is signed by it."""
    for one in forged:
        yield Violation(Rule.SIGNATURE, f"what came at {one.at:.3f} s has no good signature")


def _check_complete(feed: Sequence[Event], first: Mapping[str, Arrived]) -> Iterator[Violation]:
    truth = {event.id: event for event in feed}
    for event_id, one in first.items():
        if event_id not in truth:
            yield Violation(Rule.WEBHOOK, f"event {event_id} came, and is not in the feed")
        elif read_event(one.body.encode()).body != truth[event_id].body:
            yield Violation(Rule.WEBHOOK, f"event {event_id} came with another body than the feed has")
    for event in feed:
        if event.id not in first:
            yield Violation(Rule.WEBHOOK, f"{_which(event)} never came")


def _check_arrival_order(feed: Sequence[Event], arrived: Sequence[str]) -> Iterator[Violation]:
    places = {event.id: (number, event) for number, event in enumerate(feed)}
    latest: dict[str, int] = {}
    for event_id in arrived:
        if event_id not in places:
            continue
        place, event = places[event_id]
        if place < latest.get(event.match, -1):
            yield Violation(Rule.WEBHOOK_ORDER, f"{_which(event)} came after a later one")
        latest[event.match] = max(place, latest.get(event.match, -1))


def _which(event: Event) -> str:
    return f"{event.match}: {_named((event.type, event.version, event.seat))}"
