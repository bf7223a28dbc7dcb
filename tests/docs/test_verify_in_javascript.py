"""The verifier of docs/examples agrees with honest matches of all games, and names whatever was altered in others."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from engine.kernel.seats import PUBLIC
from services.movelog.export.format import redacted_move, write_document
from services.movelog.export.signature import ExportSigner
from services.movelog.records import Match, Move
from services.process.public_keys import jwk_set
from tests.support.forked_matches import a_fork
from tests.support.golden_documents import ALL_LOGS, ONE_OF_EACH, export_of, log_name, match_and_rows
from tests.support.independent_verifier import NODE, WHY_NOT, found_in, vouched_for
from tests.support.match_documents import a_match, a_match_that_never_began, document_of, relinked
from tests.support.our_games import OUR_GAMES
from tests.support.winding_matches import a_winding_match

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)

VERIFIER = Path(__file__).resolve().parents[2] / "docs" / "examples" / "verify.mjs"
DRAWN = {
    "river_dragons": {"match_started": ("order", "first_player")},
    "al_rashid": {
        "match_started": ("order",),
        "crisis_drawn": ("crisis", "tiles"),
        "mercenaries_drawn": ("tiles",),
    },
    "river_of_gold": {
        "match_started": (
            "order",
            "clans",
            "buildings",
            "region_tiles",
            "masteries",
            "row",
            "era_1",
            "era_2",
        ),
        "seat_set_up": ("upstream_roll", "midstream_roll"),
        "die_rolled": ("face",),
        "customer_drawn": ("customer",),
        "row_refilled": ("stack",),
    },
}
"""The fields of each game's events that luck decides."""


def few_tiles_left(state: Any) -> Any:
    """Return a table of Al-Rashid with one tile of each value in the stacks, and the others discarded."""
    left = (1,) * len(state.stacks)
    gone = tuple(all_left - kept for all_left, kept in zip(state.stacks, left, strict=True))
    discards = tuple(before + more for before, more in zip(state.discards, gone, strict=True))
    return replace(state, stacks=left, discards=discards)


def test_honest_matches_of_every_game_agree() -> None:
    """Whole matches, matches with moves taken back and put back, forks, and one that never began."""
    documents = {log_name(log): export_of(log) for log in ALL_LOGS}
    for game_id in OUR_GAMES:
        for number in range(2):
            played = {"game_id": game_id, "seats": 2 + number, "moves": 150, "seed": number}
            documents[f"winding {game_id} {number}"] = document_of(
                *a_winding_match(**played), "Ada", "Zo\u00eb"
            )
            documents[f"fork {game_id} {number}"] = document_of(*a_fork(**played))
    rebuilt = a_fork(game_id="al_rashid", seats=3, moves=200, seed=3, at=12, altered=few_tiles_left)
    assert any(b'"stack_rebuilt"' in row.events for row in rebuilt[1]), (
        "tiles are drawn from a stack made anew"
    )
    documents["a stack made anew"] = document_of(*rebuilt)
    documents["never began"] = document_of(*a_match_that_never_began())
    found = dict(zip(documents, found_in(list(documents.values())), strict=True))
    assert found == {name: [] for name in documents}


def another(value: Any) -> Any:
    """Return a value that luck might have given as well: other members, or other numbers, in the same form."""
    match value:
        case [first, second, *rest] if isinstance(first, str | int):
            return [second, first, *rest]
        case [first, *rest]:
            return [another(first), *rest]
        case {"building": building, **others}:
            return {"building": f"{building[:-1]}x", **others}
        case {"top": top, **others}:
            return {"top": f"{top[:-1]}x", **others}
        case {"value": int(number), **others}:
            return {**others, "value": number % 4 + 1}
        case int(number):
            return number % 6 + 1
        case str(word):
            return f"{word[:-1]}x"
    raise AssertionError(value)


def forgeries(match: Match, rows: tuple[Move, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield every drawn field altered in the last event of its kind, with all hashes made anew; and how it is named."""
    places = {}
    for index, row in enumerate(rows):
        for number, event in enumerate(msgspec.json.decode(row.events)):
            for field in DRAWN[match.game].get(event["type"], ()):
                if event[field] and not (field == "stack" and event["stack"]["top"] is None):
                    places[event["type"], field] = index, number
    for (_, field), (index, number) in places.items():
        events = msgspec.json.decode(rows[index].events)
        events[number][field] = another(events[number][field])
        changed = replace(rows[index], events=msgspec.json.encode(events))
        forged = relinked(match, (*rows[:index], changed, *rows[index + 1 :]))
        yield f"move {index + 1}: events[{number}].{field} is", document_of(match, forged)


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_every_kind_of_die_card_and_shuffle_is_named_when_it_was_forged(log: Any) -> None:
    """By somebody who knew the secret: every hash is right."""
    match, rows = match_and_rows(log)
    forged = list(forgeries(match, rows))
    drawn = {field for fields in DRAWN[match.game].values() for field in fields}
    assert {named.rpartition(".")[2].removesuffix(" is") for named, _ in forged} >= drawn - {"clans"}
    for (named, _), found in zip(forged, found_in([data for _, data in forged]), strict=True):
        assert len(found) >= 1
        assert found[0].startswith(named), found


ALTERED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "the secret is not the one promised": lambda match: match.update(secret="00" * 32),
    "the players are others": lambda match: match["players"][0].update(name="Eve"),
    "move 5: is not what was hashed": lambda match: match["moves"][4].update(request_id="mine"),
    "move 6: is not what was hashed": lambda match: match["moves"][5].update(
        recorded_at="2026-05-04T12:00:06.123457Z"
    ),
    "move 7: does not follow the one before": lambda match: match["moves"].pop(6),
    "move 8: does not follow the one before": lambda match: match["moves"].insert(7, match["moves"].pop(8)),
    "29 moves, yet the match says version 30": lambda match: match["moves"].pop(),
    "move 1: does not follow the one before": lambda match: match.update(created_at="2026-05-04T12:00:00Z"),
}


def test_whatever_else_was_altered_is_named() -> None:
    match, rows = a_match(moves=28)
    document = json.loads(document_of(match, rows, "Ada", "Bo"))
    assert len(rows) == 30
    altered = []
    for change in ALTERED.values():
        copy = json.loads(json.dumps(document))
        change(copy)
        altered.append(json.dumps(copy).encode())
    for named, found in zip(ALTERED, found_in(altered), strict=True):
        assert named in found


def test_a_running_match_cannot_be_checked() -> None:
    match, rows = a_match(moves=3)
    document = json.loads(document_of(match, rows)) | {"secret": None}
    assert found_in([json.dumps(document).encode()]) == [["the match runs: its secret is not out yet"]]


KEY, OTHER = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
KEYS = [OTHER.public_key(), KEY.public_key()]


def test_what_a_server_signed_is_vouched_for() -> None:
    """Of every game, with names beyond ASCII, and of a match that still runs."""
    sign = ExportSigner(KEY).sign
    documents = [document_of(*match_and_rows(log), "Ada", "Zo\u00eb", sign=sign) for log in ONE_OF_EACH]
    for game_id in OUR_GAMES:
        played = {"game_id": game_id, "seats": 2, "moves": 100, "seed": 1}
        documents += [
            document_of(*a_winding_match(**played), sign=sign),
            document_of(*a_fork(**played), sign=sign),
        ]
    running, rows = a_match(moves=5, resign=False)
    moves = [redacted_move(row, request=None, events=row.events) for row in rows]
    documents.append(write_document(running, moves, audience=PUBLIC, sign=sign))
    assert vouched_for(documents, KEYS) == ["fits"] * len(documents)


def test_a_table_made_anew_with_the_revealed_secret_agrees_with_itself_and_nobody_vouches_for_it() -> None:
    honest = json.loads(document_of(*a_match(), "Ada", "Bo", sign=ExportSigner(KEY).sign))
    forged = document_of(*a_match(choices_of=2), "Ada", "Bo")
    stolen = json.dumps(json.loads(forged) | {"signature": honest["signature"]}).encode()
    own = ExportSigner(Ed25519PrivateKey.generate())
    strange = document_of(*a_match(choices_of=2), "Ada", "Bo", sign=own.sign)
    own_id, own.key_id = own.key_id, ExportSigner(KEY).key_id  # type: ignore[misc]
    pretended = document_of(*a_match(choices_of=2), "Ada", "Bo", sign=own.sign)
    documents = [forged, stolen, strange, pretended]
    assert found_in(documents) == [[]] * 4, "nothing in the file itself says that it is forged"
    assert vouched_for(documents, KEYS) == [
        "not signed",
        "the document is not what was signed",
        f"signed with another key: {own_id}",
        "not signed with the key it names",
    ]


def test_no_character_of_the_signature_can_be_altered() -> None:
    document = json.loads(document_of(*a_match(moves=1), "Ada", "Bo", sign=ExportSigner(KEY).sign))
    honest = document["signature"]
    body = honest.rpartition(".")[2]
    others = [
        honest[: -len(body)] + body[:n] + chr(ord(sign) ^ 1) + body[n + 1 :] for n, sign in enumerate(body)
    ]
    spare = [honest[:-1] + sign for sign in f"{ascii_letters}{digits}-_"]
    altered = [json.dumps(document | {"signature": each}).encode() for each in {*others, *spare} - {honest}]
    assert set(vouched_for(altered, KEYS)) == {"not signed with the key it names"}


def test_its_exit_code_says_whether_somebody_vouches(tmp_path: Path) -> None:
    match, keys = tmp_path / "match.json", tmp_path / "jwks.json"
    keys.write_bytes(msgspec.json.encode(jwk_set(KEYS)))
    match.write_bytes(document_of(*a_match(), sign=ExportSigner(KEY).sign))
    assert node(match, keys) == (0, "signature: fits")
    assert node(match) == (0, "signature: not checked: name the server's keys")
    match.write_bytes(document_of(*a_match(choices_of=2)))
    assert node(match, keys) == (3, "signature: not signed")


def node(*files: Path) -> tuple[int, str]:
    """Run the verifier as the page says; give its exit code and the last line it prints."""
    assert NODE is not None
    done = subprocess.run([NODE, VERIFIER, *files], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout.splitlines()[-1]
