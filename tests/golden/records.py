"""One stored record of every shape that was ever written into a log: events, and what was asked for.

Whole stored matches show that old logs fold to the same tables; but what is rare in play is in none of them. Here each
event and each request has a record, and when its struct changes, another one. They lie in `tests/golden/records/`, a file
for each game and one for the house, and stay as they are for ever:

    {"kind":"event","shape":"51b6…","record":{"type":"crate_loaded",…}}

`python -m tests.golden.records` adds what is missing, from the stored matches and from BY_HAND, and changes nothing else.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from engine.kernel.codec import Codec, encode
from engine.kernel.game import AnyGame
from engine.match.absence import TimeOut
from engine.match.commands import AnyMatchEvent, Forked, MatchCommand
from engine.match.forking import Fork
from engine.match.requests import Resign, StartMatch
from engine.registry import GAMES, game
from tests.proofs.upgrades.samples import Sample, stored
from tests.support.our_games import OUR_GAMES
from tests.support.stored_logs import GOLDEN, golden_logs, read

RECORDS: Final = GOLDEN / "records"
NO_GAME: Final = "house"
"""Owner of the requests and events that belong to every game; the stored file keeps its first name."""
NO_GAMES_REQUEST: Final = MatchCommand | StartMatch | Fork | Resign | TimeOut
NO_GAMES_EVENT: Final = AnyMatchEvent | Forked

NO_TILES: Final = dict.fromkeys(("red_2", "red_3", "red_4", "blue_2", "blue_3", "blue_4"), 0)
BY_HAND: Final[dict[str, dict[str, tuple[dict[str, Any], ...]]]] = {
    "al_rashid": {
        "event": (
            {"type": "holding_declined", "seat": 1},
            {"type": "stack_rebuilt", "colour": "red", "tiles": {**NO_TILES, "red_2": 2, "red_4": 1}},
            {"type": "sage_converted", "seat": 0, "area": None},
        ),
        "request": ({"type": "convert_sage", "area": None},),
    },
    NO_GAME: {
        "event": (
            {"type": "undo_proposed", "seat": 1, "to": 4},
            {"type": "undo_answered", "seat": 0, "accept": False},
            {"type": "abort_answered", "seat": 0, "accept": True},
            {"type": "seat_returned", "seat": 2},
            {"type": "match_aborted", "by": "absence", "seat": None},
            {"type": "pause_proposed", "seat": 1},
            {"type": "pause_answered", "seat": 0, "accept": True},
            {"type": "match_paused", "by": "consent", "seat": 1},
            {"type": "match_resumed", "seat": None},
            {"type": "time_added", "by": None, "seats": [0, 2], "seconds": 60},
            {"type": "vacation_began", "seat": 1},
            {"type": "vacation_ended", "seat": 1},
            {"type": "replacement_proposed", "seat": 1},
            {"type": "replacement_answered", "seat": 0, "accept": True},
            {"type": "replacement_agreed", "seat": 1},
        ),
        "request": (
            {"type": "answer_undo", "accept": True},
            {"type": "answer_abort", "accept": False},
            {"type": "return_to_seat"},
            {"type": "pause"},
            {"type": "answer_pause", "accept": True},
            {"type": "resume"},
            {"type": "add_time", "seats": [0, 2], "seconds": 60},
            {"type": "begin_vacation"},
            {"type": "end_vacation"},
            {"type": "ask_to_replace"},
            {"type": "answer_replace", "accept": True},
            {"type": "abandon"},
        ),
    },
}
"""What is in no stored match: rare in play, or never asked for there."""


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """A record as a file keeps it."""

    kind: str
    """`event` or `request`."""
    shape: str
    """The fingerprint of the struct that wrote it."""
    record: dict[str, Any]

    @property
    def tag(self) -> str:
        return str(self.record["type"])


def shape_of(struct: type) -> str:
    """Give a fingerprint of what a struct can hold: names, kinds and bounds of its fields, and not where its class lives."""
    shape = _shape(msgspec.inspect.type_info(struct))
    return hashlib.sha256(msgspec.json.encode(shape, order="sorted")).hexdigest()[:16]


def structs(owner: str, kind: str) -> dict[str, type]:
    """Give what a game, or the house, writes today, by tag."""
    return {str(struct.__struct_config__.tag): struct for struct in get_args(_union(owner, kind))}


def codec(owner: str, kind: str) -> Codec[Any]:
    """Give what reads a game's records, or the house's."""
    if owner == NO_GAME:
        return Codec(_union(owner, kind))
    found: AnyGame = game(owner)
    return found.event_codec if kind == "event" else found.action_codec


def records(owner: str) -> list[Stored]:
    """Read what is stored of a game, or of the house."""
    path = _file(owner)
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Stored) for line in lines]


def missing(owner: str) -> set[tuple[str, str]]:
    """Name the kinds and tags of which there is no record in the shape of today."""
    there = {(one.kind, one.tag, one.shape) for one in records(owner)}
    return {
        (kind, tag)
        for kind in ("event", "request")
        for tag, struct in structs(owner, kind).items()
        if (kind, tag, shape_of(struct)) not in there
    }


def main() -> None:
    """Add a record of each shape there is none of; name those that have to be written by hand."""
    for owner in (*GAMES, NO_GAME):
        _add(owner)
    if left := [(owner, *one) for owner in (*GAMES, NO_GAME) for one in sorted(missing(owner))]:
        sys.exit(f"met in no stored match; write one in BY_HAND: {left}")


def _add(owner: str) -> None:
    wanted = missing(owner)
    with _file(owner).open("ab") as file:
        for kind, record in _met(owner):
            if (kind, str(record["type"])) not in wanted:
                continue
            read_again = codec(owner, kind).decode(msgspec.json.encode(record))
            if msgspec.json.decode(encode(read_again)) != record:
                continue  # an old one, of another shape
            wanted.remove((kind, str(record["type"])))
            one = Stored(kind=kind, shape=shape_of(type(read_again)), record=record)
            file.write(msgspec.json.encode(one) + b"\n")


def _met(owner: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every record of the stored matches, and those written by hand."""
    for kind, by_hand in BY_HAND.get(owner, {}).items():
        for record in by_hand:
            yield kind, record
    for request, events in _rows(owner):
        yield "request", msgspec.json.decode(request)
        for event in msgspec.json.decode(events):
            yield "event", event


def _rows(owner: str) -> Iterator[tuple[bytes, bytes]]:
    for path in [log for name in OUR_GAMES if owner in {name, NO_GAME} for log in golden_logs(name)]:
        for move in read(path)[1]:
            yield move.request, move.events
    for revision in stored():
        rows = Sample(revision).rows
        games = {row["id"]: row["game"] for row in rows["matches"]}
        for row in rows["moves"]:
            if owner in {games[row["match_id"]], NO_GAME}:
                yield row["request"]["text"].encode(), row["events"]["text"].encode()


def _union(owner: str, kind: str) -> Any:
    if owner == NO_GAME:
        return NO_GAMES_EVENT if kind == "event" else NO_GAMES_REQUEST
    types = game(owner).types
    return types.event if kind == "event" else types.action


def _shape(node: Any) -> Any:
    """Describe a type as msgspec sees it."""
    if isinstance(node, msgspec.inspect.StructType):
        fields = {field.encode_name: [field.required, _shape(field.type)] for field in node.fields}
        return {"tag": node.tag, "strict": node.forbid_unknown_fields, "fields": fields}
    if isinstance(node, msgspec.inspect.EnumType):
        return sorted(one.value for one in node.cls)
    if isinstance(node, msgspec.inspect.Metadata):  # what is said to readers
        return _shape(node.type)
    if isinstance(node, msgspec.inspect.Type):
        return {type(node).__name__: {name: _shape(getattr(node, name)) for name in node.__struct_fields__}}
    return [_shape(one) for one in node] if isinstance(node, tuple) else node


def _file(owner: str) -> Path:
    return RECORDS / f"{owner}.jsonl"


if __name__ == "__main__":
    main()
