"""The course of a match: which rows of its log count at each version, once moves can be taken back.

History never shrinks. An undo is a row of its own after which fewer rows count; a redo is a row after which those rows count
again. The state at a version is the fold of the rows that count there.

A row that counts draws with its own number. One that repeats a row taken back (same seat, same request, made after the
same rows) draws with that row's number instead. So the same move has the same draws again, and nobody can re-draw by taking
it back; a different move has draws that nobody has seen. Two rows are the same place if they draw with the same number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from hashlib import blake2b
from typing import Any, Final

import msgspec

from engine.kernel.errors import Unreadable
from engine.kernel.seats import Seat
from engine.match.commands import (
    AbortAnswered,
    AbortProposed,
    MatchAborted,
    MatchPaused,
    MatchResumed,
    MoveRedone,
    MoveUndone,
    PauseAnswered,
    PausedBy,
    PauseProposed,
    ReplacementAgreed,
    ReplacementAnswered,
    ReplacementProposed,
    SeatReturned,
    TimeAdded,
    UndoAnswered,
    UndoProposed,
    VacationBegan,
    VacationEnded,
)

_RESIGN: Final = b'{"type":"resign"}'
_FORFEIT: Final = b'{"type":"time_out","action":' + _RESIGN
_OF_A_FORK: Final = b'{"type":"fork",'


class _Left(msgspec.Struct):
    """The part of a fork's first row that names the seats that had left."""

    left: tuple[Seat, ...] = ()


_LEFT: Final = msgspec.json.Decoder(_Left)


class TimelinePlace:
    """A row that counts, with those before it. Immutable; places share the rows before them."""

    __slots__ = ("before", "luck", "mark", "resigned", "seat", "seq")

    def __init__(
        self,
        seq: int,
        seat: Seat | None,
        mark: bytes,
        luck: int,
        before: TimelinePlace | None,
        *,
        resigned: bool,
    ) -> None:
        self.seq = seq
        self.seat = seat
        self.mark = mark
        """A hash of the request."""
        self.luck = luck
        """The number this row draws with: its own, or that of the undone row it repeats."""
        self.before = before
        self.resigned = resigned

    def back(self) -> Iterator[TimelinePlace]:
        """Yield this row and those that count before it, newest first; not the beginning."""
        place: TimelinePlace | None = self
        while place is not None and place.before is not None:
            yield place
            place = place.before


class ProposalKind(StrEnum):
    """What a seat proposes to the others. A name is never reused for another meaning."""

    UNDO = "undo"
    ABORT = "abort"
    PAUSE = "pause"
    REPLACE = "replace"
    """Another player for the seat; the tenant may propose it, too."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's proposal that the others must accept."""

    kind: ProposalKind
    version: int
    """The version at which it was made."""
    seat: Seat
    to: int | None = None
    """For an undo, the version to go back to."""
    accepted: tuple[Seat, ...] = ()
    """The seats that have accepted so far, without the one that proposed."""


def proposed(seq: int, event: UndoProposed | AbortProposed | PauseProposed | ReplacementProposed) -> Proposal:
    """Return the proposal that a row makes."""
    match event:
        case UndoProposed(seat=seat, to=to):
            return Proposal(kind=ProposalKind.UNDO, version=seq, seat=seat, to=to)
        case AbortProposed(seat=seat):
            return Proposal(kind=ProposalKind.ABORT, version=seq, seat=seat)
        case PauseProposed(seat=seat):
            return Proposal(kind=ProposalKind.PAUSE, version=seq, seat=seat)
        case ReplacementProposed(seat=seat):
            return Proposal(kind=ProposalKind.REPLACE, version=seq, seat=seat)


class TakenBack(msgspec.Struct, frozen=True, kw_only=True):
    """An undo that was made."""

    version: int
    """The version after it."""
    seat: Seat
    """The seat that asked for it."""
    before: TimelinePlace
    """The latest row that counted before it."""


class Pause(msgspec.Struct, frozen=True, kw_only=True):
    """A pause of the match."""

    since: int
    """The version at which it began."""
    by: PausedBy
    until: int | None = None
    """The version at which it ended; None: it goes on."""


class Timeline:
    """The course up to a version. It begins at the start of a log or, with `start`, at the version of a snapshot."""

    __slots__ = (
        *("_heads", "_left_before", "_start", "_undone", "aborted", "agreed", "first_command_row"),
        *("pauses", "proposal", "redoable", "refused", "resting"),
    )

    def __init__(self, start: int = 0) -> None:
        self._start = start
        self._heads = [TimelinePlace(start, None, b"", start, None, resigned=False)]
        """The latest row that counts, by version."""
        self._undone: dict[tuple[int, Seat | None, bytes], int] = {}
        """The numbers that undone rows drew with, by the number of the row before, the seat and the request."""
        self._left_before: frozenset[Seat] = frozenset()
        """Seats that had left the match that this one was forked from."""
        self.redoable: tuple[TakenBack, ...] = ()
        """Undos that can be redone, latest last."""
        self.first_command_row: int | None = None
        """Every row before this version counts."""
        self.proposal: Proposal | None = None
        self.refused: frozenset[tuple[ProposalKind, Seat]] = frozenset()
        """Proposals that were refused since the last move that counts, by their kind and who made them."""
        self.agreed: Mapping[Seat, int] = {}
        """The seats that all others agreed to give to another player, and the version at which they were last asked.

        Who has a seat is not in the log: the service knows whether the player of that version has it still."""
        self.pauses: tuple[Pause, ...] = ()
        """Every pause, oldest first."""
        self.resting: frozenset[Seat] = frozenset()
        """Seats whose players are on vacation, so that their clocks stand."""
        self.aborted: int | None = None
        """The version that called the match off; nothing follows it."""

    @property
    def version(self) -> int:
        return self._start + len(self._heads) - 1

    @property
    def head(self) -> TimelinePlace:
        """The latest row that counts."""
        return self._heads[-1]

    def head_at(self, version: int) -> TimelinePlace:
        """Return the latest row that counted at a version. Raises Unreadable if the match has no such version."""
        if not self._start <= version <= self.version:
            raise Unreadable(f"there is no version {version} to go back to")
        return self._heads[version - self._start]

    @property
    def pause(self) -> Pause | None:
        """Return the pause that goes on; None: the match is not paused."""
        return self.pauses[-1] if self.pauses and self.pauses[-1].until is None else None

    def is_paused_at(self, version: int) -> bool:
        """Return whether the match was paused after a row."""
        return any(one.since <= version and (one.until is None or version < one.until) for one in self.pauses)

    def is_paused_after(self, events: Iterable[Any]) -> bool:
        """Return whether the match would be paused after these events of the server."""
        paused = self.pause is not None
        for event in events:
            if isinstance(event, MatchPaused | MatchResumed):
                paused = isinstance(event, MatchPaused)
        return paused

    def rests_after(self, events: Iterable[Any]) -> frozenset[Seat]:
        """Return the seats whose players would be on vacation after these events of the server."""
        resting = self.resting
        for event in events:
            match event:
                case VacationBegan(seat=seat):
                    resting |= {seat}
                case VacationEnded(seat=seat):
                    resting -= {seat}
        return resting

    def line(self, version: int | None = None) -> tuple[int, ...]:
        """Return the numbers of the rows that count, oldest first."""
        head = self.head if version is None else self.head_at(version)
        return tuple(reversed([place.seq for place in head.back()]))

    def left(self, version: int | None = None) -> frozenset[Seat]:
        """Return the seats that have left for good; with a version, those that had by then."""
        head = self.head if version is None else self.head_at(version)
        return self._left_before | {
            place.seat for place in head.back() if place.resigned and place.seat is not None
        }

    def taken_back(self, to: int) -> tuple[TimelinePlace, ...] | None:
        """Return the rows that going back to a version takes back, newest first; None if the present line does not pass it."""
        if not max(self._start, 1) <= to <= self.version:
            return None
        target = self.head_at(to)
        gone: list[TimelinePlace] = []
        for place in self.head.back():
            if place is target:
                return tuple(gone)
            if place.seq < target.seq:
                return None
            gone.append(place)
        return tuple(gone) if target is self._heads[0] else None

    def turned(self, events: Iterable[Any]) -> TimelinePlace:
        """Return the latest row that would count after these events of the server."""
        head = self.head
        for event in events:
            match event:
                case MoveUndone(to=to):
                    head = self.head_at(to)
                case MoveRedone() if self.redoable:
                    head = self.redoable[-1].before
        return head

    def luck_number(self, seat: Seat | None, request: bytes, *, seq: int | None = None) -> int:
        """Return the number that the next row draws with if it is this one."""
        number = self.version + 1 if seq is None else seq
        if not self._undone:
            return number
        return self._undone.get((self.head.luck, seat, _mark(request)), number)

    def advance(
        self, seq: int, seat: Seat | None, request: bytes, events: Iterable[Any] | None
    ) -> TimelinePlace:
        """Advance by the next row; return the latest row that counts after it. `events` is None for a row that counts itself."""
        if seq != self.version + 1:
            raise Unreadable(f"row {seq} follows version {self.version}")
        if self.aborted is not None:
            raise Unreadable(f"row {seq} follows the end of a match that was called off")
        if events is None:
            return self._count(seq, seat, request)
        self._heads.append(self.head)
        if self.first_command_row is None:
            self.first_command_row = seq
        for event in events:
            self._take_in(seq, event)
        return self.head

    def _count(self, seq: int, seat: Seat | None, request: bytes) -> TimelinePlace:
        luck = self.luck_number(seat, request, seq=seq)
        resigned = request == _RESIGN or request.startswith(_FORFEIT)
        place = TimelinePlace(seq, seat, _mark(request), luck, self.head, resigned=resigned)
        if seat is None and request.startswith(_OF_A_FORK):
            self._left_before = frozenset(_LEFT.decode(request).left)
        self._heads.append(place)
        if self.redoable or self.proposal or self.refused:
            self.redoable = ()
            self._settle()
        return place

    def _settle(self) -> None:
        """The state has changed: close the proposal and allow everybody to propose again."""
        self.proposal, self.refused = None, frozenset()

    def _take_in(self, seq: int, event: Any) -> None:
        match event:
            case MoveUndone(seat=seat, to=to):
                self.redoable = (*self.redoable, TakenBack(version=seq, seat=seat, before=self.head))
                self._turn(self.head_at(to))
            case MoveRedone():
                self._redo(seq)
            case UndoProposed() | AbortProposed() | PauseProposed() | ReplacementProposed():
                self.proposal = proposed(seq, event)
            case UndoAnswered() | AbortAnswered() | PauseAnswered() | ReplacementAnswered():
                self._answer(seq, event.seat, accept=event.accept)
            case ReplacementAgreed(seat=seat):
                asked = seq if self.proposal is None else self.proposal.version
                self.proposal, self.agreed = None, {**self.agreed, seat: asked}
            case MatchAborted():
                self.proposal, self.redoable, self.aborted = None, (), seq
            case MatchPaused() | MatchResumed():
                self._pause(seq, event)
            case VacationBegan() | VacationEnded():
                self.resting = self.rests_after((event,))
            case SeatReturned() | TimeAdded():
                pass  # the game knows nothing of it
            case _:
                raise Unreadable(f"row {seq} holds an event that is none of the server")

    def _redo(self, seq: int) -> None:
        if not self.redoable:
            raise Unreadable(f"row {seq} puts back what nobody took back")
        last = self.redoable[-1]
        self.redoable = self.redoable[:-1]
        self._turn(last.before)

    def _pause(self, seq: int, event: MatchPaused | MatchResumed) -> None:
        self.proposal = None
        if isinstance(event, MatchPaused):
            self.pauses = (*self.pauses, Pause(since=seq, by=event.by))
            return
        if self.pause is None:
            raise Unreadable(f"row {seq} ends a pause that nobody began")
        *before, last = self.pauses
        self.pauses = (*before, msgspec.structs.replace(last, until=seq))

    def _answer(self, seq: int, seat: Seat, *, accept: bool) -> None:
        proposal = self.proposal
        if proposal is None:
            raise Unreadable(f"row {seq} answers what nobody proposed")
        if accept:
            self.proposal = msgspec.structs.replace(proposal, accepted=(*proposal.accepted, seat))
        else:
            self.proposal = None
            self.refused |= {(proposal.kind, proposal.seat)}

    def _turn(self, head: TimelinePlace) -> None:
        """Continue from another row; remember the numbers that rows which no longer count drew with."""
        self._settle()
        kept = {place.seq for place in head.back()}
        for place in self.head.back():
            if place.seq in kept:
                break
            assert place.before is not None  # the beginning is always kept
            self._undone[place.before.luck, place.seat, place.mark] = place.luck
        self._heads[-1] = head


def _mark(request: bytes) -> bytes:
    return blake2b(request, digest_size=16).digest()
