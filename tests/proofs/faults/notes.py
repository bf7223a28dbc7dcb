"""What the clients of a fault run write down while it goes on: every request, every answer, everything they were told.

The checker works from these notes and from what the public API says afterwards. They are kept in memory and, line by
line as JSON, in a file. No credential is ever in them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import msgspec


class AttemptOutcome(StrEnum):
    """What became of an attempt, as far as its sender knows."""

    ACKNOWLEDGED = "acknowledged"
    REFUSED = "refused"
    """By somebody who has judged it: it was not made, and never will be."""
    UNKNOWN = "unknown"
    """No answer, or "try again": it was made, or it was not, or it still may be."""
    STRANGE = "strange"
    """An answer that nobody should ever get."""


class What(StrEnum):
    """What is asked for."""

    MOVE = "move"
    RESIGN = "resign"
    ABORT = "abort"


class Note(msgspec.Struct, frozen=True, kw_only=True, tag_field="note"):
    """One line."""

    at: float
    """Seconds of the monotonic clock."""


class Made(Note, frozen=True, kw_only=True, tag="made"):
    """A match was made."""

    match: str
    game: str
    seats: int


class Sent(Note, frozen=True, kw_only=True, tag="sent"):
    """An attempt goes out. Several attempts with one request id are one request, if their bodies are the same."""

    attempt: int
    match: str
    game: str
    what: What
    seat: int | None
    request_id: str
    body: str
    """Of a move: its action, as JSON; of anything else: empty."""
    expected: int | None
    """The version it was decided on."""
    via: str
    """The gateway, or the rules server, it is sent to."""
    manner: str
    """Why it is sent: `plain`, `twice`, `rival`, …; `again` for a repeat."""


class Answered(Note, frozen=True, kw_only=True, tag="answered"):
    """What came of an attempt."""

    attempt: int
    outcome: AttemptOutcome
    version: int = 0
    """Where an acknowledged move stands."""
    events: str = ""
    """What an acknowledged move says has happened, as canonical JSON."""
    to_act: tuple[int, ...] = ()
    ended: bool = False
    replayed: bool = False
    reason: str = ""
    """Of a refusal, its stable code; of anything unknown, what is known."""


class Looked(Note, frozen=True, kw_only=True, tag="looked"):
    """Somebody has looked at a match, and saw it at a version."""

    match: str
    version: int
    at_least: int
    """The newest version anybody had been acknowledged before the look began."""
    via: str


class Denied(Note, frozen=True, kw_only=True, tag="denied"):
    """Somebody who may look, follow or begin was told no, and not «not now»."""

    who: str
    what: str
    """What was asked for."""
    reason: str


class Told(Note, frozen=True, kw_only=True, tag="told"):
    """A follower was told a move."""

    follower: str
    version: int
    events: str


class Followed(Note, frozen=True, kw_only=True, tag="followed"):
    """Somebody begins to follow a match, for the eyes of a seat or of the public (None)."""

    follower: str
    match: str
    seat: int | None


class Broken(Note, frozen=True, kw_only=True, tag="broken"):
    """A follower's connection broke; it comes back with the version it has."""

    follower: str
    why: str


class Finished(Note, frozen=True, kw_only=True, tag="finished"):
    """A follower was told that the match is over."""

    follower: str


class Arrived(Note, frozen=True, kw_only=True, tag="arrived"):
    """A webhook came, with a good signature."""

    event_id: str
    body: str
    accepted: bool
    """False: the receiver has refused it, to be sent it again."""


class Forged(Note, frozen=True, kw_only=True, tag="forged"):
    """Something came to the address for webhooks, and its signature was not good."""


class Pulled(Note, frozen=True, kw_only=True, tag="pulled"):
    """An event was read from the feed while the run went on."""

    event_id: str


class Overheard(Note, frozen=True, kw_only=True, tag="overheard"):
    """The tenant's feed has told how a match stands."""

    match: str
    version: int
    ended: bool


class Struck(Note, frozen=True, kw_only=True, tag="struck"):
    """The nemesis begins to do harm."""

    number: int
    kind: str
    victim: str
    games: tuple[str, ...]
    """Whose matches it concerns."""
    gateways: tuple[str, ...]
    """Through which gateways."""


class Healed(Note, frozen=True, kw_only=True, tag="healed"):
    """The harm is over: what was killed runs again, what was cut is joined."""

    number: int


AnyNote = (
    Made
    | Sent
    | Answered
    | Looked
    | Denied
    | Told
    | Followed
    | Broken
    | Finished
    | Arrived
    | Forged
    | Pulled
    | Overheard
    | Struck
    | Healed
)
Kind = TypeVar("Kind", bound=Note)


class Notebook:
    """Takes notes, in the order in which things happened to their writers."""

    def __init__(self, file: Path | None = None) -> None:
        """`file`: where the notes are kept as lines of JSON; None: in memory only."""
        self.notes: list[AnyNote] = []
        self._file = None if file is None else file.open("wb")
        self._attempts = 0

    def add(self, note: AnyNote) -> None:
        """Write a note down."""
        self.notes.append(note)
        if self._file is not None:
            self._file.write(msgspec.json.encode(note) + b"\n")

    def next_attempt(self) -> int:
        """Return a number for an attempt that no other has."""
        self._attempts += 1
        return self._attempts

    def close(self) -> None:
        """Bring the notes to their file."""
        if self._file is not None:
            self._file.close()


def now() -> float:
    """Return the time of a note."""
    return time.monotonic()


def canonical(body: bytes) -> str:
    """Return JSON in one spelling, for comparing."""
    return msgspec.json.encode(msgspec.json.decode(body), order="sorted").decode()


def read_notes(file: Path) -> list[AnyNote]:
    """Read what a notebook has kept."""
    decoder = msgspec.json.Decoder(AnyNote)
    return [decoder.decode(line) for line in file.read_bytes().splitlines()]


def of_kind(notes: Iterable[AnyNote], kind: type[Kind]) -> list[Kind]:
    """Return the notes of one kind, in their order."""
    return [note for note in notes if isinstance(note, kind)]
