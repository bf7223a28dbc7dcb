"""The keys that exports are signed with, as the gateway publishes them; and files of keys that it cannot use."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gateway.access.public_keys import (
    KeysUnusable,
    PublishedKeys,
    TokenKeys,
    read_keys,
    read_public_keys,
)
from services.identity.match_tokens import MatchTokens
from services.identity.signing_keys import add_public_key, create_private_key, ensure_key_pair
from services.movelog.export.format import read_document
from services.movelog.export.signature import check_signature
from services.process.public_keys import earlier_key_id, keys_in_jwk_set, thumbprint
from services.process.public_keys import read_public_keys as read_by_services
from tests.gateway.conftest import World
from tests.gateway.table import Table
from tests.support.processes import Process

PATH = "/.well-known/jwks.json"
FIRST, SECOND, THIRD = [Ed25519PrivateKey.generate() for _ in range(3)]


def test_everybody_may_have_the_keys_and_keep_them_for_a_while(anybody: httpx.Client, world: World) -> None:
    answer = anybody.get(PATH)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/jwk-set+json"
    assert answer.headers["cache-control"] == "public, max-age=300"
    (key,) = answer.json()["keys"]
    assert (key["kty"], key["crv"], key["use"], key["alg"]) == ("OKP", "Ed25519", "sig", "EdDSA")
    (ours,) = read_by_services(world.folder / "export_public.pem")
    assert key["kid"] == thumbprint(ours)
    assert jwt.PyJWK(key).key == ours
    (of_tokens,) = read_by_services(world.folder / "token_public.pem")
    assert thumbprint(of_tokens) not in answer.text
    assert anybody.get("/").json()["links"]["signing_keys"] == PATH


def test_whoever_has_them_is_not_sent_them_again(anybody: httpx.Client) -> None:
    etag = anybody.get(PATH).headers["etag"]
    proxied = f'{etag[:-1]}-br"'
    for said, told in ((etag, etag), (f'"other", W/{etag}', f"W/{etag}"), (proxied, proxied), ("*", etag)):
        answer = anybody.get(PATH, headers={"if-none-match": said})
        assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", told)
    for said in ('"v:12"', etag.strip('"'), ""):
        assert anybody.get(PATH, headers={"if-none-match": said}).status_code == 200
    assert anybody.head(PATH).headers["etag"] == etag
    assert anybody.get(f"{PATH}?kid=1").json()["reason"] == "MALFORMED_REQUEST"
    assert anybody.post(PATH).status_code == 405


def test_an_export_is_signed_with_one_of_them(table: Table, anybody: httpx.Client) -> None:
    keys = keys_in_jwk_set(anybody.get(PATH).content)
    table.play_on(2)
    documents = [player.get(f"{table.path}/export").content for player in (table.platform, table.players[0])]
    table.end()
    documents.append(table.platform.get(f"{table.path}/export").content)
    for document in documents:
        found = check_signature(read_document(document), keys)
        assert (found.standing, found.issuer) == ("fits", "https://play.example")
    assert table.platform.get(f"{table.path}/verify").json()["signing_key_id"] in keys


def test_a_signature_of_an_export_is_no_credential(table: Table) -> None:
    signature = table.platform.get(f"{table.path}/export").json()["signature"]
    answer = httpx.get(
        f"{table.platform.base_url}{table.path}", headers={"authorization": f"Bearer {signature}"}
    )
    assert (answer.status_code, answer.json()["reason"]) == (401, "TOKEN_INVALID")


def test_the_keys_of_a_file_are_published_in_its_order(tmp_path: Path) -> None:
    file = tmp_path / "public.pem"
    for key in (FIRST, SECOND, THIRD):
        add_public_key(file, key.public_key())
    read = read_public_keys(file, setting="X")
    assert list(read) == [key.public_key() for key in (FIRST, SECOND, THIRD)]
    published = json.loads(PublishedKeys(read).document)["keys"]
    assert [key["kid"] for key in published] == [thumbprint(key) for key in read]


def minted(private: Ed25519PrivateKey, **headers: Any) -> str:
    tokens = MatchTokens(private, lifetime=timedelta(hours=1))
    token, _ = tokens.mint(match_id=UUID(int=1), game="river_dragons", seat=0, generation=1)
    said = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(said, private, algorithm="EdDSA", headers=headers) if headers else token


def test_a_token_says_which_key_it_was_signed_with() -> None:
    keys = TokenKeys(FIRST.public_key(), SECOND.public_key())
    for key in (FIRST, SECOND):
        assert keys.of(minted(key)) == key.public_key()
        assert keys.of(minted(key, kid=earlier_key_id(key.public_key()))) == key.public_key(), (
            "of releases before"
        )
    said = jwt.decode(minted(FIRST), options={"verify_signature": False})
    assert keys.of(jwt.encode(said, FIRST, algorithm="EdDSA")) == FIRST.public_key(), "none: the first"
    for token in (minted(THIRD), minted(FIRST, kid=""), minted(FIRST, typ="foldtable-export+jwt")):
        with pytest.raises(jwt.InvalidTokenError):
            keys.of(token)


@pytest.mark.parametrize(
    "content", ["", "no key", "-----BEGIN PUBLIC KEY-----", "private", "both", "garbled"]
)
def test_a_file_that_holds_anything_else_is_refused_by_name_and_not_quoted(
    tmp_path: Path, content: str
) -> None:
    ensure_key_pair(tmp_path / "private.pem", tmp_path / "public.pem")
    private, public = (tmp_path / "private.pem").read_text(), (tmp_path / "public.pem").read_text()
    file = tmp_path / "file.pem"
    file.write_text(
        {"private": private, "both": public + private, "garbled": public.replace("MC", "!!")}.get(
            content, content
        )
    )
    for read in (lambda: read_public_keys(file, setting="FOLDTABLE_X"), lambda: read_by_services(file)):
        with pytest.raises(ValueError, match=r"file\.pem") as refused:
            read()
        assert private.splitlines()[1] not in str(refused.value)


def test_a_key_is_for_tokens_or_for_exports(tmp_path: Path) -> None:
    tokens, exports = tmp_path / "tokens.pem", tmp_path / "exports.pem"
    add_public_key(tokens, FIRST.public_key())
    for key in (SECOND, FIRST):
        add_public_key(exports, key.public_key())
    with pytest.raises(KeysUnusable, match=r"FOLDTABLE_EXPORT_PUBLIC_KEY_FILE: .* for match tokens too"):
        read_keys(tokens, exports)


@pytest.mark.slow
class TestARulesServerThatCannotSign:
    """It says at its start what nobody could check later."""

    def refused(self, world: World, **settings: str) -> str:
        process = Process(
            "services.rules", world.folder / "rules_unsigned.log", **world.rules_settings() | settings
        )
        with pytest.raises(AssertionError) as refused:
            process.start()
        return str(refused.value)

    def test_a_key_whose_public_half_nobody_was_given(self, world: World, tmp_path: Path) -> None:
        create_private_key(tmp_path / "next.pem")
        for kind in ("token", "export"):
            settings = {
                f"{kind}_private_key_file": str(tmp_path / "next.pem"),
                f"{kind}_public_key_file": str(world.folder / f"{kind}_public.pem"),
            }
            told = self.refused(world, **settings)
            assert f"FOLDTABLE_{kind.upper()}_PUBLIC_KEY_FILE" in told
            assert "does not hold the public half" in told

    def test_one_key_for_both(self, world: World) -> None:
        both = str(world.folder / "token_private.pem")
        assert "is for match tokens too" in self.refused(world, export_private_key_file=both)

    def test_a_file_that_holds_no_key(self, world: World) -> None:
        told = self.refused(world, export_private_key_file="/dev/null")
        assert "FOLDTABLE_EXPORT_PRIVATE_KEY_FILE: /dev/null holds no private key" in told
