"""The signature under an export: it is over every byte, and holds against whoever knows the secret."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from engine.kernel.errors import Unreadable
from engine.kernel.seats import PUBLIC
from engine.registry import GAMES
from services.movelog.export.format import read_document, redacted_move, write_document
from services.movelog.export.signature import ExportSigner, Standing, check_signature
from services.movelog.export.verification import verify_document
from services.process.public_keys import by_key_id
from tests.support.forked_matches import a_fork
from tests.support.match_documents import a_match, a_match_that_never_began, document_of
from tests.support.winding_matches import a_winding_match

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SIGNER = ExportSigner(KEY, issuer="https://play.example")
KEYS = by_key_id([KEY.public_key()])
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


def standing(data: bytes, keys: Any = KEYS) -> Standing:
    return check_signature(read_document(data), keys).standing


@pytest.fixture(scope="module")
def signed() -> bytes:
    """An export of a short match that has ended, with its players."""
    return document_of(*a_match(moves=6), "Ada", "Bo", sign=SIGNER.sign)


def test_a_signed_export_says_by_whom_and_when_and_is_the_same_document_otherwise(signed: bytes) -> None:
    found = check_signature(read_document(signed), KEYS)
    assert (found.standing, found.key_id, found.issuer) == ("fits", SIGNER.key_id, "https://play.example")
    assert found.signed_at is not None
    assert verify_document(read_document(signed)).decided_again
    document = json.loads(signed)
    del document["signature"]
    assert json.dumps(document, separators=(",", ":")).encode() == document_of(*a_match(moves=6), "Ada", "Bo")


@pytest.mark.parametrize("game_id", GAMES)
def test_matches_of_every_kind_are_signed_for(game_id: str) -> None:
    played: dict[str, Any] = {"game_id": game_id, "moves": 60}
    for match, rows in (a_match(**played), a_winding_match(**played), a_fork(seats=2, seed=1, **played)):
        assert standing(document_of(match, rows, "Ada", "Zo\u00eb", sign=SIGNER.sign)) == "fits"
    assert standing(document_of(*a_match_that_never_began(), sign=SIGNER.sign)) == "fits"


def test_any_library_for_tokens_reads_what_was_signed(signed: bytes) -> None:
    document = json.loads(signed)
    token = document.pop("signature")
    said = jwt.decode(token, KEY.public_key(), algorithms=["EdDSA"])
    assert jwt.get_unverified_header(token) == {
        "alg": "EdDSA",
        "kid": SIGNER.key_id,
        "typ": "foldtable-export+jwt",
    }
    canonical = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()
    assert said.pop("iat") > 1_700_000_000
    assert said == {
        "iss": "https://play.example",
        "match_id": document["match_id"],
        "game": document["game"],
        "rules_version": document["rules_version"],
        "status": "ended",
        "version": document["version"],
        "commitment": document["commitment"],
        "head": document["moves"][-1]["hash"],
        "document": hashlib.sha256(canonical).hexdigest(),
    }


def test_a_key_is_named_by_its_thumbprint() -> None:
    """RFC 8037, appendix A.3."""
    raw = base64.urlsafe_b64decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=")
    key = Ed25519PrivateKey.from_private_bytes(raw)
    assert ExportSigner(key).key_id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def test_a_table_that_was_made_anew_with_the_revealed_secret_passes_every_check_but_the_signature(
    signed: bytes,
) -> None:
    """The very attack: the same match, the same secret, every hash right, every move legal, and another winner's game."""
    forged = document_of(*a_match(moves=9, choices_of=2), "Ada", "Bo")
    honest, made = read_document(signed), read_document(forged)
    assert (honest.match_id, honest.secret, honest.created_at) == (
        made.match_id,
        made.secret,
        made.created_at,
    )
    assert honest.moves[-1].hash != made.moves[-1].hash
    found = verify_document(made)
    assert found.ok
    assert found.decided_again, "nothing in the file itself says that it is forged"

    assert standing(forged) == "unsigned"
    stolen = b'%b,"signature":"%b"}' % (forged[:-1], str(honest.signature).encode())
    taken = check_signature(read_document(stolen), KEYS)
    assert taken.standing == "does_not_fit"
    assert taken.problem.startswith("it is over another `version`")
    assert standing(stolen, None) == "does_not_fit", "no key is needed to see that"
    own = document_of(*a_match(moves=9, choices_of=2), "Ada", "Bo", sign=ExportSigner(OTHER).sign)
    assert standing(own) == "unknown_key"
    pretender = ExportSigner(OTHER)
    pretender.key_id = SIGNER.key_id  # type: ignore[misc]
    borrowed = document_of(*a_match(moves=9, choices_of=2), "Ada", "Bo", sign=pretender.sign)
    assert check_signature(read_document(borrowed), KEYS).problem == "it was not made with the key it names"


def test_no_byte_can_be_altered() -> None:
    """Of the header, of players and outcome, of every move, and of the signature itself to its last spare bit."""
    signed = document_of(*a_match(moves=1), "Ada", "Bo", sign=SIGNER.sign)
    assert standing(signed) == "fits"
    silent = []
    signature = signed.index(b'"signature"')
    for place, byte in enumerate(signed):
        for other in (byte ^ 1, byte ^ 2, byte ^ 4) if place > signature else (byte ^ 1,):
            altered = signed[:place] + bytes([other]) + signed[place + 1 :]
            try:
                if standing(altered) is Standing.FITS:
                    silent.append((place, chr(byte), chr(other)))
            except Unreadable:
                pass
    assert silent == []


@pytest.mark.parametrize(
    "field",
    ["seats", "rules_version", "created_at", "players", "players_hash", "outcome", "audience", "commitment"],
)
def test_what_no_row_says_is_covered_too(signed: bytes, field: str) -> None:
    document = json.loads(signed)
    document[field] = {
        "seats": 3,
        "rules_version": "0.0.1",
        "created_at": "2026-05-04T12:00:00.123457Z",
        "players": [],
        "outcome": None,
        "audience": {"kind": "public", "seat": None},
    }.get(field, "ab" * 32)
    assert standing(json.dumps(document).encode()) == "does_not_fit"


def test_a_pretty_printed_file_is_the_same_document(signed: bytes) -> None:
    assert standing(json.dumps(json.loads(signed), indent=2).encode()) == "fits"


def test_a_running_match_is_signed_for_as_its_audience_may_know_it() -> None:
    match, rows = a_match(resign=False, moves=5)
    moves = [redacted_move(row, request=None, events=b"[]") for row in rows]
    data = write_document(match, moves, audience=PUBLIC, sign=SIGNER.sign)
    assert standing(data) == "fits"
    said = jwt.decode(json.loads(data)["signature"], options={"verify_signature": False})
    assert (said["status"], said["head"]) == ("running", rows[-1].hash.hex())


def spoiled(data: bytes, *, header: Any = None, claims: Any = None, key: Any = KEY) -> bytes:
    """Return the document with a signature that says something else, made with the right key."""
    document = json.loads(data)
    said = jwt.decode(document["signature"], options={"verify_signature": False})
    head = jwt.get_unverified_header(document["signature"])
    head |= header or {}
    said |= claims or {}
    document["signature"] = jwt.encode(said, key, algorithm=head.pop("alg"), headers=head)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({"header": {"typ": "JWT"}}, id="a match token's type"),
        pytest.param({"header": {"typ": "application/foldtable-export+jwt"}}, id="another spelling"),
        pytest.param({"claims": {"version": 4}}, id="another version"),
        pytest.param({"claims": {"head": "00" * 32}}, id="another head"),
        pytest.param({"claims": {"head": None}}, id="no head"),
        pytest.param({"claims": {"document": "00" * 32}}, id="another document"),
        pytest.param({"claims": {"iat": "now"}}, id="no time"),
        pytest.param({"claims": {"iat": 10**30}}, id="a time that is none"),
        pytest.param({"claims": {"exp": 1}}, id="expired, which ours never do"),
    ],
)
def test_a_signature_of_the_right_key_over_something_else_does_not_fit(signed: bytes, said: Any) -> None:
    assert standing(spoiled(signed)) == "fits"
    assert standing(spoiled(signed, **said)) == "does_not_fit"


def test_only_ed25519_signs(signed: bytes) -> None:
    """With the public key's bytes as the secret of an HMAC, a reader that believes `alg` would be fooled."""
    public = KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    assert standing(spoiled(signed, header={"alg": "HS256"}, key=public)) == "does_not_fit"
    with pytest.raises(Unreadable, match="JWT"):
        read_document(spoiled(signed, header={"alg": "none"}, key=None))


@pytest.mark.parametrize(
    "signature", ["a.b.c", "eyJ.eyJ.x", "e30.e30.AA", "eyJhbGciOiJFZERTQSJ9.bnVsbA.AA", "a.b.c\n"]
)
def test_what_is_no_signature_does_not_fit(signed: bytes, signature: str) -> None:
    document = json.loads(signed) | {"signature": signature}
    assert standing(json.dumps(document).encode()) == "does_not_fit"


@pytest.mark.parametrize(
    "signature", ["", "a.b", "....", "a.b.c.d", "\u00e9.b.c", "a.b.c=", f"a.{'b' * 3_000}.c", 7]
)
def test_what_has_not_the_form_of_one_is_refused(signed: bytes, signature: Any) -> None:
    with pytest.raises(Unreadable) as refused:
        read_document(json.dumps(json.loads(signed) | {"signature": signature}).encode())
    assert refused.value.pointer == "$.signature"


def test_without_keys_the_result_says_that_nobody_checked(signed: bytes) -> None:
    assert standing(signed, None) == "unchecked"
    assert standing(signed, by_key_id([OTHER.public_key()])) == "unknown_key"
