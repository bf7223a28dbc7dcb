"""One altered byte anywhere in an export is found, and the place is named."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
import pytest

from engine.kernel.errors import Unreadable
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from tests.support.match_documents import a_match, document_of
from tests.support.our_games import OUR_GAMES
from tests.support.winding_matches import a_winding_match

SAMPLED = 20
BYTE = re.compile(r"\(byte (\d+)\)")
BEFORE = 60
"""Bytes before a broken one where reading may be said to have ended: the beginning of the string or the number it is in."""


def difference(data: bytes) -> tuple[str, str]:
    """Return where the document is said to differ, and how; both empty if it is said to be right."""
    try:
        found = verify_document(read_document(data))
    except Unreadable as problem:
        return problem.pointer, problem.detail
    if found.ok and found.decided_again:
        return "", ""
    return found.difference_path, found.difference


def is_named(data: bytes, changed: bytes, place: int) -> bool:
    """Return whether the byte's move is named or, where the file is no JSON any more, the byte or where reading on ended.

    A byte of no move belongs to the match itself, and many a move may show that it is not right.
    """
    path, words = difference(changed)
    if path == "$" and (byte := BYTE.search(words)) is not None:
        return int(byte[1]) >= place - BEFORE  # a "}" that is missed shows later
    number = move_at(data, place)
    return path.startswith(f"$.moves[{number}]") if number is not None else path.startswith("$")


def move_at(data: bytes, place: int) -> int | None:
    """Return the number, from 0, of the move that a byte of a compact document belongs to."""
    end = 0
    for number, move in enumerate(msgspec.json.decode(data)["moves"]):
        written = msgspec.json.encode(move)
        begin = data.index(written, end)
        end = begin + len(written)
        if begin <= place < end:
            return number
    return None


def altered(data: bytes, place: int, choices: random.Random) -> bytes:
    """Return the document with another byte in a place: now and then just another letter case."""
    was = data[place]
    byte = was ^ 0x20 if choices.random() < 0.5 else choices.choice([b for b in range(256) if b != was])
    return data[:place] + bytes([byte]) + data[place + 1 :]


def test_every_byte_of_a_short_match() -> None:
    data = document_of(*a_match(moves=2), "Ada", "Zo\u00eb")
    assert difference(data) == ("", "")
    choices = random.Random(6)
    missed = []
    for place in range(len(data)):
        changed = altered(data, place, choices)
        if not is_named(data, changed, place):
            missed.append((place, changed[max(0, place - 20) : place + 20], difference(changed)))
    assert missed == []


@pytest.mark.slow
@pytest.mark.parametrize("game_id", OUR_GAMES)
@pytest.mark.parametrize("a_long_one", [a_match, a_winding_match])
def test_bytes_here_and_there_of_a_long_match(game_id: str, a_long_one: Any) -> None:
    data = document_of(*a_long_one(game_id=game_id, moves=120), "Ada", "Bo")
    assert difference(data) == ("", "")
    choices = random.Random(7)
    for _ in range(SAMPLED):
        place = choices.randrange(len(data))
        changed = altered(data, place, choices)
        assert is_named(data, changed, place), (changed[place - 20 : place + 20], difference(changed))
