"""What an audience was told in one run, piece by piece, and where two runs told it differently."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from tests.proofs.leaks.channels import CHANNELS
from tests.proofs.leaks.pins import blotted
from tests.support.ways import Ways

AROUND: Final = 60
"""Bytes shown before and after the first that differs."""
LINE: Final = 4_000
"""Bytes of a line that is shown whole."""
EVERYBODY: Final = "everybody"
ALL_GAMES: Final = "all"


@dataclass(frozen=True)
class RecordedPlace:
    """Where something was told: to whom, of which match, at which version of it, in answer to what."""

    channel: str
    game: str
    match: int
    audience: str
    version: int
    what: str


@dataclass(frozen=True)
class Piece:
    place: RecordedPlace
    content: bytes


@dataclass(frozen=True)
class Difference:
    """The first byte of a piece that is not the same in both runs. The texts are for the tester's eyes only."""

    place: RecordedPlace
    position: int
    first: bytes
    second: bytes

    def __str__(self) -> str:
        at = self.place
        return (
            f"{at.channel}: {at.game}, match {at.match}, {at.audience}, version {at.version}, {at.what}: "
            f"byte {self.position}\n    {self.first!r}\n    {self.second!r}"
        )


@dataclass
class Recording:
    """Everything that was told in one run, in the order it was told in."""

    pieces: list[Piece] = field(default_factory=list)

    def hear(self, place: RecordedPlace, content: bytes) -> None:
        assert place.channel in CHANNELS, place
        self.pieces.append(Piece(place, blotted(content)))

    def in_any_order(self, place: RecordedPlace, pieces: list[bytes]) -> None:
        """Hear pieces whose order is chance: tasks that run side by side."""
        self.hear(place, b"\n".join(sorted(blotted(piece) for piece in pieces)))


@dataclass
class Comparison:
    """Two recordings side by side, counted by channel and game."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Of pieces."""
    bytes: Counter[tuple[str, str]] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """Everything that was asked for, as places say it; see coverage.py."""
    ways: Ways = field(default_factory=Ways)
    """Those that moves took in both runs."""

    @property
    def differing(self) -> Counter[tuple[str, str]]:
        return Counter((one.place.channel, one.place.game) for one in self.differences)

    @property
    def channels(self) -> frozenset[str]:
        return frozenset(channel for channel, _ in self.pairs)

    @property
    def found_in(self) -> frozenset[str]:
        """The channels in which something differs."""
        return frozenset(one.place.channel for one in self.differences)

    def add(self, other: Comparison) -> None:
        self.pairs += other.pairs
        self.bytes += other.bytes
        self.differences += other.differences
        self.asked |= other.asked
        self.ways += other.ways

    def __str__(self) -> str:
        """One line for each channel, three numbers for each game: pieces, bytes, differences."""
        games = sorted({game for _, game in self.pairs})
        lines = [f"{'channel':<24}" + "".join(f"{game:>30}" for game in games)]
        for channel in sorted(self.channels):
            told = [(self.pairs[channel, game], self.bytes[channel, game], game) for game in games]
            cells = [
                f"{pairs:>8,}{size:>14,}{self.differing[channel, game]:>8}" if pairs else f"{'-':>30}"
                for pairs, size, game in told
            ]
            lines.append(f"{channel:<24}" + "".join(cells))
        return "\n".join(lines)


def compare(first: Recording, second: Recording) -> Comparison:
    """Put what was told in two runs side by side; what was told in one of them only is a difference."""
    found = Comparison()
    told, again = _by_place(first), _by_place(second)
    found.asked = {place.what for place in told}
    for place in told | again:
        for one, other in zip_longest(told.get(place, []), again.get(place, [])):
            found.pairs[place.channel, place.game] += 1
            found.bytes[place.channel, place.game] += len(one or b"")
            if one != other:
                found.differences.append(_difference(place, one, other))
    return found


def _by_place(recording: Recording) -> dict[RecordedPlace, list[bytes]]:
    told: dict[RecordedPlace, list[bytes]] = defaultdict(list)
    for piece in recording.pieces:
        told[piece.place].append(piece.content)
    return told


def _difference(place: RecordedPlace, one: bytes | None, other: bytes | None) -> Difference:
    if one is None or other is None:
        return Difference(place, 0, *(b"nothing" if told is None else told[:AROUND] for told in (one, other)))
    position = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return Difference(place, position, *(_around(told, position) for told in (one, other)))


def _around(told: bytes, position: int) -> bytes:
    """Return what stands around a place; of log lines and the like, the whole line."""
    begin, end = told.rfind(b"\n", 0, position) + 1, told.find(b"\n", position)
    if begin and 0 < end - begin < LINE:
        return told[begin:end]
    return told[max(0, position - AROUND) : position + AROUND]
