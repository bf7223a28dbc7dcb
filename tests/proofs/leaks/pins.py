"""What has nothing to do with a hidden fact and differs from run to run: pinned where it can be, blotted out where not.

Pinned: match secrets and ids, the clock the log is written by, made-up request ids, trace ids, the luck of sampled legal
actions and of dry runs. Blotted out: only what `BLOTTED` lists, each with the reason why it can say nothing.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch
from uuid import UUID

NOW: Final = datetime.now(UTC)
"""When everything happens, in both runs; proposals are measured against it, so it is no date of long ago."""
FIRST_MATCH: Final = 0x01940000_0000_7000_8000_000000000000
"""A UUIDv7, as they all are."""

BLOTTED: Final = (
    # Times Postgres takes: when an event was recorded, when a clock runs out, when a token does.
    (re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)"), b"<time>"),
    (re.compile(rb"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT"), b"<date>"),
    # What a clock has left when it is asked, to the microsecond.
    (re.compile(rb'"left_seconds":[0-9.e-]+'), b'"left_seconds":<left>'),
    (re.compile(rb'(/left_seconds","value":)[0-9.e-]+'), rb"\1<left>"),
    # Sent when nothing was said for a while.
    (re.compile(rb": ping\n\n"), b""),
    # Cursors of feeds: microseconds since 1970.
    (re.compile(rb"(?m)^id: \d{16}$"), b"id: <cursor>"),
    # What is left of a quota refills with time.
    (re.compile(rb'("\w+");r=\d+;t=\d+'), rb"\1;r=<left>;t=<left>"),
    # The hash chain is an HMAC with the match's secret over every row, so over what is hidden: it must differ, and
    # nobody who lacks the secret can tell it from noise.
    (re.compile(rb'"(hash|previous_hash)":"[0-9a-f]{64}"'), rb'"\1":"<keyed hash>"'),
    # Tokens and exports are signed over the time they were made; a signature of an export says the last row's hash, which
    # stands beside it, and the SHA-256 of the very document it is under.
    (re.compile(rb"eyJ[\w-]+\.[\w-]+\.[\w-]+"), b"<token>"),
    # Tickets are 256 bits of chance.
    (re.compile(rb"st_[\w-]{43}"), b"<ticket>"),
    # Ids that are drawn at random, of events, endpoints and keys; those of matches and requests are pinned.
    (re.compile(rb"(?!01940000-|00000000-)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"), b"<random id>"),
    # Ports the system chose.
    (re.compile(rb"127\.0\.0\.1:\d{4,5}"), b"127.0.0.1:<port>"),
)


def blotted(content: bytes) -> bytes:
    """Blot out what `BLOTTED` lists."""
    for pattern, instead in BLOTTED:
        content = pattern.sub(instead, content)
    return content


class _Clock(datetime):
    """Stands still."""

    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return NOW.astimezone(tz)


class Pins:
    """What the services draw while they are pinned."""

    def __init__(self) -> None:
        self.next_secret = b""
        """Of the next match that is created; later ones, forks, get one of their own each, the same in every run."""
        self._created = itertools.count(1)
        self._matches = itertools.count()
        self._ids = itertools.count(1)

    def secret(self, size: int) -> bytes:
        own = next(self._created).to_bytes(size, "big")
        secret, self.next_secret = self.next_secret or own, b""
        return secret

    def match_id(self) -> UUID:
        return UUID(int=FIRST_MATCH + next(self._matches))

    def request_id(self) -> UUID:
        return UUID(int=next(self._ids))


@contextmanager
def pinned() -> Iterator[Pins]:
    """Let the services of this process draw the same in every run."""
    pins = Pins()
    whims = SimpleNamespace(urandom=bytes)
    spans, traces = random.Random(1), random.Random(2)
    with ExitStack() as stack:
        for place, instead in (
            ("services.rules.match.seating.os", SimpleNamespace(urandom=pins.secret)),
            ("services.rules.match.seating.new_match_id", pins.match_id),
            ("services.rules.match.seating.datetime", _Clock),
            ("services.rules.match.appending.datetime", _Clock),
            ("services.rules.match.appending.uuid4", pins.request_id),
            ("services.rules.match.moves.os", whims),
            ("services.rules.views.looking.os", whims),
            ("gateway.telemetry.tracing.random", spans),
            ("services.process.tracing.random", traces),
        ):
            stack.enter_context(patch(place, instead))
        yield pins
