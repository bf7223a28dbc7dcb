"""`foldtable verify --keys`: who vouches for a file, each answer with an exit code of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.identity.signing_keys import add_public_key
from services.movelog.export.signature import ExportSigner
from services.process.public_keys import jwk_set
from tests.support.match_documents import a_match, document_of

KEY, OTHER = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
SIGNER = ExportSigner(KEY, issuer="https://play.example")
PUBLISHED = msgspec.json.encode(jwk_set([OTHER.public_key(), KEY.public_key()]))


@pytest.fixture
def jwks(tmp_path: Path) -> Path:
    """The set that the server of these tests publishes: its key of today and one of tomorrow."""
    file = tmp_path / "jwks.json"
    file.write_bytes(PUBLISHED)
    return file


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """Somebody else's keys."""
    file = tmp_path / "strangers.pem"
    add_public_key(file, OTHER.public_key())
    return file


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    file = tmp_path / "signed.json"
    file.write_bytes(document_of(*a_match(), "Ada", "Bo", sign=SIGNER.sign))
    return file


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    """Another table with the same secret, every hash made anew: it agrees with itself."""
    file = tmp_path / "forged.json"
    file.write_bytes(document_of(*a_match(choices_of=2), "Ada", "Bo"))
    return file


def test_a_file_of_the_server_is_vouched_for(foldtable: Any, signed: Path, jwks: Path) -> None:
    done = foldtable("verify", signed, "--keys", jwks)
    assert done.exit_code == 0, done.output
    assert f"signed with the key {SIGNER.key_id} of https://play.example, at 20" in done.output
    assert "that server vouches for this match" in done.output


def test_a_forged_table_is_consistent_and_nobody_vouches_for_it(
    foldtable: Any, forged: Path, signed: Path, jwks: Path
) -> None:
    """Without keys it passes with the caveat, with them it is refused, with a signature of the honest file it does not fit."""
    alone = foldtable("verify", forged)
    assert alone.exit_code == 0
    assert "not signed. A file alone proves that" in alone.output
    assert "anybody who knows the secret" in alone.output
    refused = foldtable("verify", forged, "--keys", jwks)
    assert refused.exit_code == 4
    assert "not signed" in refused.stderr
    stolen = json.loads(forged.read_bytes()) | {"signature": json.loads(signed.read_bytes())["signature"]}
    forged.write_text(json.dumps(stolen))
    for keys in ((), ("--keys", jwks)):
        misfit = foldtable("verify", forged, *keys)
        assert misfit.exit_code == 3
        assert "the signature does not fit: it is over another `" in misfit.stderr


def test_a_forger_who_signs_it_himself_is_not_believed(
    foldtable: Any, forged: Path, tmp_path: Path, jwks: Path
) -> None:
    mine = ExportSigner(Ed25519PrivateKey.generate(), issuer="https://play.example")
    forged.write_bytes(document_of(*a_match(choices_of=2), "Ada", "Bo", sign=mine.sign))
    assert foldtable("verify", forged, "--keys", jwks).exit_code == 4
    mine.key_id = SIGNER.key_id  # type: ignore[misc]
    forged.write_bytes(document_of(*a_match(choices_of=2), "Ada", "Bo", sign=mine.sign))
    pretended = foldtable("verify", forged, "--keys", jwks)
    assert pretended.exit_code == 3
    assert "was not made with the key it names" in pretended.stderr


def test_without_keys_it_is_said_that_nobody_has_checked(foldtable: Any, signed: Path) -> None:
    done = foldtable("verify", signed)
    assert done.exit_code == 0
    assert "which was not checked: give the server" in done.output


def test_strangers_keys_vouch_for_nothing(foldtable: Any, signed: Path, strangers: Path) -> None:
    done = foldtable("verify", signed, "--keys", strangers)
    assert done.exit_code == 4
    assert "none of the given keys" in done.stderr


def test_a_player_who_was_renamed_in_the_file_is_noticed(foldtable: Any, signed: Path, jwks: Path) -> None:
    """By the hash of the players, whose key is in the file, and where that was made anew by the signature alone."""
    document = json.loads(signed.read_bytes())
    honest = json.loads(document_of(*a_match(), "Eve", "Bo"))
    document |= {"players": honest["players"], "players_hash": honest["players_hash"]}
    signed.write_text(json.dumps(document))
    done = foldtable("verify", signed, "--keys", jwks)
    assert done.exit_code == 3
    assert "something in the document is not what was signed" in done.stderr


def test_tools_get_json(foldtable: Any, signed: Path, forged: Path, jwks: Path) -> None:
    told = foldtable("verify", signed, "--keys", jwks, "--json")
    assert told.exit_code == 0
    signature = json.loads(told.stdout)["signature"]
    assert (signature["standing"], signature["key_id"]) == ("fits", SIGNER.key_id)
    told = foldtable("verify", forged, "--keys", jwks, "--json")
    assert told.exit_code == 4
    assert json.loads(told.stdout)["signature"]["standing"] == "unsigned"


def test_what_the_rules_forbid_comes_before_who_signed(foldtable: Any, signed: Path, jwks: Path) -> None:
    document = json.loads(signed.read_bytes())
    document["moves"][6]["events"] = []
    signed.write_text(json.dumps(document))
    done = foldtable("verify", signed, "--keys", jwks)
    assert done.exit_code == 1
    assert "move 7" in done.stderr
    assert "the signature does not fit" in done.output


class TestWhereKeysAre:
    """A JWK set, a PEM file, or an address; anything else is one clear line."""

    @pytest.fixture
    def server(self) -> Iterator[str]:
        answers = {"/.well-known/jwks.json": PUBLISHED, "/huge": b" " * 200_000, "/page": b"<html>"}

        class Answering(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = answers.get(self.path)
                self.send_response(404 if body is None else 200)
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_: Any) -> None: ...

        with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as serving:
            threading.Thread(target=serving.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{serving.server_port}"
            serving.shutdown()

    @pytest.mark.parametrize("path", ["", "/", "/.well-known/jwks.json"])
    def test_an_address_is_asked(self, foldtable: Any, signed: Path, server: str, path: str) -> None:
        assert foldtable("verify", signed, "--keys", server + path).exit_code == 0

    @pytest.mark.parametrize("path", ["/huge", "/page", "/nothing"])
    def test_an_address_without_keys_is_named(
        self, foldtable: Any, signed: Path, server: str, path: str
    ) -> None:
        done = foldtable("verify", signed, "--keys", server + path)
        assert done.exit_code == 2
        assert path in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_a_pem_file_is_read(self, foldtable: Any, signed: Path, tmp_path: Path) -> None:
        file = tmp_path / "keys.pem"
        for key in (OTHER, KEY):
            add_public_key(file, key.public_key())
        assert foldtable("verify", signed, "--keys", file).exit_code == 0

    @pytest.mark.parametrize(
        "content", [b"", b"{}", b'{"keys":[]}', b'{"keys":[{"kty":"RSA"}]}', b"-----BEGIN X"]
    )
    def test_a_file_without_keys_is_named(
        self, foldtable: Any, signed: Path, tmp_path: Path, content: bytes
    ) -> None:
        file = tmp_path / "none.json"
        file.write_bytes(content)
        done = foldtable("verify", signed, "--keys", file)
        assert done.exit_code == 2
        assert str(file) in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_nobody_answers(self, foldtable: Any, signed: Path) -> None:
        done = foldtable("verify", signed, "--keys", "http://127.0.0.1:9")
        assert done.exit_code == 2
        assert len(done.stderr.splitlines()) == 1

    def test_a_file_that_is_not_there(self, foldtable: Any, signed: Path, tmp_path: Path) -> None:
        assert foldtable("verify", signed, "--keys", tmp_path / "nowhere").exit_code == 2


class TestSigningKeys:
    """`foldtable signing-keys` makes keys in the order in which they are used."""

    def test_a_key_is_known_before_it_signs(self, foldtable: Any, tmp_path: Path) -> None:
        first, second, public = (tmp_path / name for name in ("one.pem", "two.pem", "public.pem"))
        ids = [
            foldtable("signing-keys", "create", private, "--public", public).output.strip()
            for private in (first, second)
        ]
        assert first.stat().st_mode & 0o777 == 0o600
        listed = foldtable("signing-keys", "list", public, "--private", first)
        assert listed.output.split("\n")[:2] == [f"{ids[0]} signs", ids[1]]
        published = json.loads(foldtable("signing-keys", "jwks", public).output)
        assert [key["kid"] for key in published["keys"]] == ids
        assert {(key["kty"], key["crv"], key["use"], key["alg"]) for key in published["keys"]} == {
            ("OKP", "Ed25519", "sig", "EdDSA")
        }
        assert "d" not in published["keys"][0], "no private half"

    def test_no_key_is_overwritten(self, foldtable: Any, tmp_path: Path) -> None:
        private, public = tmp_path / "one.pem", tmp_path / "public.pem"
        foldtable("signing-keys", "create", private, "--public", public)
        before = private.read_bytes(), public.read_bytes()
        done = foldtable("signing-keys", "create", private, "--public", public)
        assert done.exit_code == 2
        assert "never overwritten" in done.stderr
        assert (private.read_bytes(), public.read_bytes()) == before

    def test_files_mixed_up_are_named_and_a_private_key_is_not_quoted(
        self, foldtable: Any, tmp_path: Path
    ) -> None:
        private, public = tmp_path / "one.pem", tmp_path / "public.pem"
        foldtable("signing-keys", "create", private, "--public", public)
        other = tmp_path / "two.pem"
        for words in (("list", private), ("jwks", private), ("create", other, "--public", private)):
            done = foldtable("signing-keys", *words)
            assert done.exit_code == 2
            assert "one.pem" in done.stderr
            assert private.read_text().splitlines()[1] not in done.output
        assert not other.exists()
        foldtable("signing-keys", "create", tmp_path / "three.pem", "--public", tmp_path / "other.pem")
        strange = foldtable("signing-keys", "list", tmp_path / "other.pem", "--private", private)
        assert strange.exit_code == 1
        assert "whose public half is not in" in strange.stderr
