"""What can be found wrong, by the rule that was broken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """What has to hold."""

    LOST = "acknowledged move is in the log"
    PLACE = "acknowledged move is where it was said to be"
    EVENTS = "acknowledged events are those of the log"
    ORDER = "moves stand in the order they were made in"
    TWICE = "request is made at most once"
    REFUSED = "refused request is never made"
    UNASKED = "every move was asked for"
    HOLE = "versions have no holes"
    STUCK = "matches can be brought to their end"
    ANSWER = "no answer is an internal error"
    REASON = "only what cannot be done is refused, and for its own reason"
    DENIED = "nobody is told no who may look"
    EXPECTED = "move stands on the version it was decided on"
    STALE = "nobody sees less than was acknowledged before"
    MATCHES = "match is made once"
    STREAM = "stream is a prefix without holes and repeats"
    STREAM_EVENTS = "stream tells what the log says"
    STREAM_END = "stream reaches the end"
    TENANT_FEED = "tenant's feed tells where every match is in the end, and never goes back"
    OUTBOX = "every move has its events, and every event its move"
    FEED = "feed has every event once, in order"
    WEBHOOK = "every event arrives"
    WEBHOOK_ORDER = "events of a match arrive in order"
    SIGNATURE = "every webhook is signed"
    HASH = "hashes are the same wherever they are told"
    REPLAY = "replay reproduces the match"
    LOGS = "no process logs an error that no fault explains"
    ALIVE = "no process ends by itself"
    WAYS = "moves take every way that they take in a running system"
    CLOCKS = "clocks stand while no server takes moves"
    AUDIT = "an audit of the database finds nothing"
    RECOVERY = "moves are acknowledged again after every harm"


@dataclass(frozen=True)
class Violation:
    """A rule, and who broke it where."""

    rule: Rule
    text: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"
