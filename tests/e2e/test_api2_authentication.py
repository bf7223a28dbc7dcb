"""Credentials that are almost right (OWASP API2): at a gateway and at a rules server they are no credentials at all."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from foldtable.matches.v1 import match_service_pb2_grpc
from foldtable.matches.v1.match_service_pb2 import GetMatchRequest
from services.identity.signing_keys import read_private_key
from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow


class Forge:
    """Makes tokens of seat 0 that differ from a good one in one thing."""

    def __init__(self, several: Several) -> None:
        self.private = read_private_key(several.folder / "token_private.pem")
        self.public_pem = (several.folder / "token_public.pem").read_bytes()
        with several.client(several.key) as tenant:
            made = (
                tenant.post("/v1/matches", json={"game": "river_dragons", "seats": 2})
                .raise_for_status()
                .json()
            )
        self.match_id: str = made["match"]["match_id"]
        self.good: str = made["seat_tokens"][0]["token"]
        self.claims: dict[str, Any] = jwt.decode(self.good, options={"verify_signature": False})
        self.kid: str = jwt.get_unverified_header(self.good)["kid"]
        self.of_exports = read_private_key(several.folder / "export_private.pem")
        with several.client(several.key) as tenant:
            export = tenant.get(f"/v1/matches/{self.match_id}/export").json()
        self.under_an_export: str = export["signature"]

    def signed(self, key: Any = None, algorithm: str = "EdDSA", **changed: Any) -> str:
        claims = {name: value for name, value in {**self.claims, **changed}.items() if value is not None}
        return jwt.encode(claims, key or self.private, algorithm=algorithm)

    def retold(self, **changed: Any) -> str:
        """Return the good token with another payload under the same signature."""
        head, _, signature = self.good.split(".")
        payload = json.dumps({**self.claims, **changed}).encode()
        return ".".join([head, base64.urlsafe_b64encode(payload).decode().rstrip("="), signature])

    def headed(self, key: Any = None, **headers: Any) -> str:
        return jwt.encode(self.claims, key or self.private, algorithm="EdDSA", headers=headers)

    def unsigned(self) -> str:
        return jwt.encode(self.claims, None, algorithm="none")

    def by_the_public_key(self) -> str:
        """The public key as the secret of a HMAC: whoever trusts the header's `alg` takes it (RFC 8725 §2.1)."""
        body = self.good.split(".")[1]
        head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
        mac = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
        signature = mac.sign(f"{head}.{body}".encode(), self.public_pem)
        return f"{head}.{body}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}"


@pytest.fixture(scope="module")
def forge(several: Several) -> Forge:
    return Forge(several)


@pytest.fixture(scope="module")
def rules(several: Several) -> Iterator[match_service_pb2_grpc.MatchServiceStub]:
    with grpc.insecure_channel(several.rules_addresses[0]) as channel:
        yield match_service_pb2_grpc.MatchServiceStub(channel)


INVALID = {
    "an unsigned token": lambda forge: forge.unsigned(),
    "a HMAC with the public key": lambda forge: forge.by_the_public_key(),
    "another key": lambda forge: forge.signed(Ed25519PrivateKey.generate()),
    "another key under our key's id": lambda forge: forge.headed(Ed25519PrivateKey.generate(), kid=forge.kid),
    "our key under another id": lambda forge: forge.headed(kid="another"),
    "the key of exports": lambda forge: forge.headed(forge.of_exports),
    "our key, as for an export": lambda forge: forge.headed(typ="foldtable-export+jwt", kid=forge.kid),
    "the signature under an export": lambda forge: forge.under_an_export,
    "another seat under the same signature": lambda forge: forge.retold(seat=1),
    "a role under the same signature": lambda forge: forge.retold(role="referee", seat=None),
    "a longer life under the same signature": lambda forge: forge.retold(exp=forge.claims["exp"] + 1),
    "another issuer": lambda forge: forge.signed(iss="somebody"),
    "no issuer": lambda forge: forge.signed(iss=None),
    "no end": lambda forge: forge.signed(exp=None),
    "no match": lambda forge: forge.signed(mid=None),
    "no generation": lambda forge: forge.signed(gen=None),
    "a seat's token without a seat": lambda forge: forge.signed(seat=None),
    "a referee with a seat": lambda forge: forge.signed(role="referee"),
    "a role nobody has": lambda forge: forge.signed(role="operator"),
    "a seat that is text": lambda forge: forge.signed(seat="0"),
    "a signature cut short": lambda forge: forge.good[:-4],
    "no signature": lambda forge: forge.good.rpartition(".")[0] + ".",
    "two tokens in one": lambda forge: f"{forge.good}.{forge.good}",
    "a key that is none": lambda _: "ft_live_" + "A" * 43,
    "a credential that is much too long": lambda forge: "eyJ" + "A" * 4_000,
}
"""Everything here is told TOKEN_INVALID."""


@pytest.mark.parametrize("name", INVALID)
def test_what_is_almost_a_credential(
    several: Several, forge: Forge, rules: match_service_pb2_grpc.MatchServiceStub, name: str
) -> None:
    credential = INVALID[name](forge)
    with several.client(credential) as client:
        answer = client.get(f"/v1/matches/{forge.match_id}")
    assert (answer.status_code, answer.json()["reason"]) == (401, "TOKEN_INVALID")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert credential not in answer.text
    assert told(rules, forge, f"Bearer {credential}") is grpc.StatusCode.UNAUTHENTICATED


def told(rules: match_service_pb2_grpc.MatchServiceStub, forge: Forge, authorization: str) -> grpc.StatusCode:
    try:
        rules.GetMatch(
            GetMatchRequest(match_id=forge.match_id), metadata=[("authorization", authorization)], timeout=10
        )
    except grpc.RpcError as error:
        code: grpc.StatusCode = error.code()
        return code
    return grpc.StatusCode.OK


def test_a_good_token_is_taken_at_both(
    several: Several, forge: Forge, rules: match_service_pb2_grpc.MatchServiceStub
) -> None:
    """So that the others are refused for what they are."""
    for credential in (forge.good, forge.signed()):
        with several.client(credential) as client:
            assert client.get(f"/v1/matches/{forge.match_id}").status_code == 200
        assert told(rules, forge, f"Bearer {credential}") is grpc.StatusCode.OK


def test_the_end_of_a_token_is_its_end(
    several: Several, forge: Forge, rules: match_service_pb2_grpc.MatchServiceStub
) -> None:
    ended = forge.signed(exp=datetime.now(UTC) - timedelta(seconds=1))
    with several.client(ended) as client:
        answer = client.get(f"/v1/matches/{forge.match_id}")
    assert (answer.status_code, answer.json()["reason"]) == (401, "TOKEN_EXPIRED")
    assert told(rules, forge, f"Bearer {ended}") is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("generation", [-1, 1, 2**31], ids=["before", "after", "much after"])
def test_a_generation_that_does_not_count(several: Several, forge: Forge, generation: int) -> None:
    with several.client(forge.signed(gen=generation)) as client:
        for what in ("", "/view", "/legal-actions"):
            answer = client.get(f"/v1/matches/{forge.match_id}{what}")
            assert (answer.status_code, answer.json()["reason"]) == (403, "SEAT_FORBIDDEN")


@pytest.mark.parametrize("scheme", ["Basic", "Token", "", "Bearer Bearer"])
def test_another_scheme(several: Several, forge: Forge, scheme: str) -> None:
    with several.client(None) as client:
        headers = {"authorization": f"{scheme} {forge.good}".strip()}
        answer = client.get(f"/v1/matches/{forge.match_id}", headers=headers)
    assert (answer.status_code, answer.json()["reason"]) == (401, "TOKEN_INVALID")


def test_a_credential_is_taken_from_its_header_only(several: Several, forge: Forge) -> None:
    """In an address it would end up in logs and histories."""
    with several.client(None) as client:
        for name in ("access_token", "token", "key", "authorization"):
            answer = client.get(f"/v1/matches/{forge.match_id}", params={name: forge.good})
            assert answer.status_code in {400, 401}
        answer = client.get(
            f"/v1/matches/{forge.match_id}", headers={"cookie": f"authorization={forge.good}"}
        )
        assert (answer.status_code, answer.json()["reason"]) == (401, "TOKEN_MISSING")


def test_of_two_credentials_none_is_chosen_silently(several: Several, forge: Forge) -> None:
    """A proxy and a server that pick different ones can be played off against each other."""
    with several.client(None) as client:
        answers: list[httpx.Response] = [
            client.get(
                f"/v1/matches/{forge.match_id}",
                headers=[("authorization", f"Bearer {one}"), ("authorization", f"Bearer {other}")],
            )
            for one, other in (("ft_test_guess", forge.good), (forge.good, "ft_test_guess"))
        ]
    assert {answer.status_code for answer in answers} <= {400, 401}
