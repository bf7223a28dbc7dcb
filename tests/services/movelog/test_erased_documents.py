"""Exports with erased players: no hash changes, and nothing that is altered passes for erased."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from services.movelog.export.format import MatchDocument, read_document, whole_move, write_document
from services.movelog.export.verification import match_of, moves_of, verify_document
from services.movelog.identities import Identity, SeatIdentities, commitment
from services.movelog.records import ReplacedPlayer, SeatClaim
from tests.support.documents import ROOT, blocks
from tests.support.independent_verifier import NODE, WHY_NOT, found_in
from tests.support.match_documents import a_match, document_of

SALTS = [bytes([number]) * 16 for number in range(3)]
AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
EARLIER = ReplacedPlayer(player="bob", name="Bob", until_version=2, replaced_at=AT)
"""Had seat 1 before Cleo."""
Document = Callable[..., bytes]


@pytest.fixture(scope="module")
def played() -> MatchDocument:
    """A match that has ended."""
    return read_document(document_of(*a_match(moves=12)))


@pytest.fixture
def document(played: MatchDocument) -> Document:
    """Return the document of the match, with the players' identities, and any of them erased."""

    def written(*erased: str, salted: bool = True) -> bytes:
        names = [("ada", "Ada", ()), ("cleo", "Cleo", (EARLIER,))]
        claims, identities = [], []
        for seat, (player, name, replaced) in enumerate(names):
            present, here = _of(played.match_id, seat, player, name, SALTS[seat], erased, salted=salted)
            earlier = [
                _of(played.match_id, seat, one.player, one.name, SALTS[2], erased, salted=salted)
                for one in replaced
            ]
            before = tuple(
                msgspec.structs.replace(one, player=shown[0], name=shown[1])
                for one, (_, shown) in zip(replaced, earlier, strict=True)
            )
            claims.append(SeatClaim(seat=seat, player=here[0], name=here[1], replaced=before))
            identities.append(
                SeatIdentities(seat=seat, present=present, earlier=tuple(one for one, _ in earlier))
            )
        moves = [whole_move(move) for move in moves_of(played)]
        return write_document(match_of(played), moves, claims=claims, identities=identities)

    return written


def _of(
    match_id: UUID, seat: int, player: str, name: str, salt: bytes, erased: tuple[str, ...], *, salted: bool
) -> tuple[Identity, tuple[str, str]]:
    if player in erased:
        return Identity(erased=commitment(salt, match_id, seat, player, name)), ("", "")
    return Identity(salt=salt if salted else b""), (player, name)


def altered(data: bytes, change: Callable[[Any], object]) -> bytes:
    said = json.loads(data)
    change(said)
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()


def test_erasing_changes_no_hash(document: Document) -> None:
    before, after = read_document(document()), read_document(document("ada", "bob"))
    assert after.players_hash == before.players_hash
    assert [move.hash for move in after.moves] == [move.hash for move in before.moves]
    found = verify_document(after)
    assert (found.ok, found.decided_again, found.erased) == (True, True, 2)
    assert verify_document(before).erased == 0


def test_an_erased_document_holds_neither_the_player_nor_the_salt(document: Document) -> None:
    said = json.loads(document("ada", "bob"))
    ada, cleo = said["players"]
    assert (ada["player"], ada["name"], "salt" in ada) == ("", "", False)
    assert len(ada["erased"]) == 64
    assert (cleo["player"], cleo["salt"], "erased" in cleo) == ("cleo", SALTS[1].hex(), False)
    (bob,) = cleo["replaced"]
    assert (bob["player"], bob["name"], "salt" in bob, bob["until_version"]) == ("", "", False, 2)
    text = document("ada", "bob")
    assert not any(mark in text for mark in (b"Ada", b"Bob", b'"ada"', b'"bob"', SALTS[0].hex().encode()))


def test_whoever_has_an_older_export_can_still_tell_who_it_was(document: Document) -> None:
    (ada, _), (erased, _) = (json.loads(data)["players"] for data in (document(), document("ada")))
    match_id = UUID(json.loads(document())["match_id"])
    assert erased["erased"] == commitment(bytes.fromhex(ada["salt"]), match_id, 0, "ada", "Ada").hex()


def test_whoever_has_an_export_can_call_a_player_erased_and_only_the_signature_shows_it(
    document: Document,
) -> None:
    def erase(said: Any) -> None:
        mark = commitment(SALTS[0], UUID(said["match_id"]), 0, "ada", "Ada").hex()
        said["players"][0] = {"seat": 0, "player": "", "name": "", "erased": mark}

    by_hand = altered(document(), erase)
    assert by_hand == document("ada"), "byte for byte what the server writes"
    assert verify_document(read_document(by_hand)).ok


def test_without_salts_the_hash_of_the_players_changes_whenever_one_is_erased(document: Document) -> None:
    documents = [document(*erased, salted=False) for erased in ((), ("ada",), ("ada", "cleo"))]
    assert len({read_document(one).players_hash for one in documents}) == 3
    assert all(verify_document(read_document(one)).ok for one in documents)


@pytest.mark.parametrize("salted", [True, False])
@pytest.mark.parametrize("erased", [(), ("ada",), ("bob", "cleo")])
def test_the_plain_python_of_the_page_checks_documents_of_every_release(
    document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, erased: tuple[str, ...], salted: bool
) -> None:
    (page,) = [one for one in blocks(ROOT / "docs/trust/verify.md") if "def commitment" in one.content]
    monkeypatch.chdir(tmp_path)
    whole = document(*erased, salted=salted)
    Path("match.json").write_bytes(whole)
    exec(page.content, {})
    Path("match.json").write_bytes(altered(whole, _until_later))
    with pytest.raises(AssertionError):
        exec(page.content, {})


def test_a_match_of_before_there_were_salts_is_hashed_as_ever_until_somebody_is_erased(
    document: Document,
) -> None:
    old = json.loads(document(salted=False))
    assert not any(key in one for one in old["players"] for key in ("salt", "erased"))
    assert verify_document(read_document(document(salted=False))).ok
    erased = json.loads(document("ada", salted=False))
    assert [one.get("salt") for one in erased["players"]] == [None, ""]
    assert verify_document(read_document(document("ada", salted=False))).ok


def _rename(said: Any) -> None:
    said["players"][1]["name"] = "Mallory"


def _other_commitment(said: Any) -> None:
    said["players"][0]["erased"] = "0" * 64


def _erased_yet_named(said: Any) -> None:
    said["players"][0]["player"] = "ada"


def _erased_with_salt(said: Any) -> None:
    said["players"][0] = {name: value for name, value in said["players"][0].items() if name != "erased"} | {
        "salt": "00" * 16,
        "erased": said["players"][0]["erased"],
    }


def _call_another_erased(said: Any) -> None:
    cleo = said["players"][1]
    nobody = {"seat": 1, "player": "", "name": "", "erased": "1" * 64}
    said["players"][1] = {**nobody, "replaced": cleo["replaced"]}


def _without_salt(said: Any) -> None:
    del said["players"][1]["salt"]


def _until_later(said: Any) -> None:
    said["players"][1]["replaced"][0]["until_version"] = 3


def _another_move(said: Any) -> None:
    move = said["moves"][3]
    move["request"], move["seat"] = said["moves"][4]["request"], said["moves"][4]["seat"]


def _another_event(said: Any) -> None:
    said["moves"][3]["events"] = said["moves"][4]["events"]


TAMPERED = {
    "another name": (_rename, "/players_hash"),
    "another commitment": (_other_commitment, "/players_hash"),
    "erased, yet named": (_erased_yet_named, "/players/0/player"),
    "erased, with a salt": (_erased_with_salt, "/players/0/salt"),
    "another player called erased": (_call_another_erased, "/players_hash"),
    "a player without a salt": (_without_salt, "/players/1/salt"),
    "another moment of replacement": (_until_later, "/players_hash"),
    "another move": (_another_move, "/moves/3/hash"),
    "another event": (_another_event, "/moves/3/hash"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_nothing_altered_passes_for_erased(document: Document, name: str) -> None:
    change, pointer = TAMPERED[name]
    found = verify_document(read_document(altered(document("ada"), change)))
    assert (found.ok, found.difference_pointer) == (False, pointer)


@pytest.mark.skipif(NODE is None, reason=WHY_NOT)
def test_the_verifier_that_shares_no_code_agrees_about_all_of_it(document: Document) -> None:
    good = [document(), document("ada"), document("ada", "cleo", "bob"), document(salted=False)]
    good.append(document("bob", salted=False))
    bad = [altered(document("ada"), change) for change, _ in TAMPERED.values()]
    found = found_in([*good, *bad])
    assert [said for said in found[: len(good)] if said] == []
    assert all(found[len(good) :]), "each that was altered is refused"
