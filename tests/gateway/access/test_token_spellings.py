"""A token has one spelling. Another one of the same token would be another key of buckets, caches and streams."""

from __future__ import annotations

from datetime import timedelta
from string import ascii_lowercase, ascii_uppercase, digits
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gateway.access.auth import Authenticator
from gateway.problems.document import ProblemError
from services.identity.match_tokens import MatchTokens, Role, TokenRefused
from tests.gateway.requests import request

PRIVATE = Ed25519PrivateKey.generate()
TOKENS = MatchTokens(PRIVATE, lifetime=timedelta(hours=1))
ALPHABET = ascii_uppercase + ascii_lowercase + digits + "-_"
"""Of base64 for URLs, in its order (RFC 4648 §5)."""


def a_token(*, with_dash: bool = False) -> str:
    """Mint a spectator's token, if wanted one whose signature has a `-` or a `_`."""
    while True:
        token, _ = TOKENS.mint(role=Role.SPECTATOR, match_id=uuid4(), game="g", generation=0)
        signature = token.rpartition(".")[2]
        if not with_dash or ("-" in signature and "_" in signature):
            return token


def other_spellings() -> dict[str, str]:
    """Return other spellings of tokens that a lenient base64 decoder reads as the same bytes."""
    token = a_token(with_dash=True)
    head, claims, signature = token.split(".")
    loose = next(
        other
        for other in ALPHABET
        if other != signature[-1] and ALPHABET.index(other) >> 4 == ALPHABET.index(signature[-1]) >> 4
    )
    return {
        "padding": token + "==",
        "one sign of padding": token + "=",
        "trailing bits": token[:-1] + loose,
        "the other alphabet": f"{head}.{claims}.{signature.replace('-', '+').replace('_', '/')}",
        "a sign of no alphabet": f"{head}.{claims}.{signature[:40]}~{signature[40:]}",
        "padded claims": f"{head}.{claims}=.{signature}",
        "padded head": f"{head}=.{claims}.{signature}",
    }


SPELLINGS = other_spellings()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_gateway_refuses_another_spelling(spelling: str) -> None:
    authenticator = Authenticator(PRIVATE.public_key())
    with pytest.raises(ProblemError) as refused:
        authenticator.caller(request(headers={"Authorization": f"Bearer {SPELLINGS[spelling]}"}))
    assert refused.value.reason.name == "TOKEN_INVALID"


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_service_refuses_another_spelling(spelling: str) -> None:
    with pytest.raises(TokenRefused):
        TOKENS.read(SPELLINGS[spelling])


def test_every_token_that_is_minted_has_the_one_spelling() -> None:
    authenticator = Authenticator(PRIVATE.public_key())
    for _ in range(64):
        token = a_token()
        assert TOKENS.read(token).role is Role.SPECTATOR
        assert authenticator.caller(request(headers={"Authorization": f"Bearer {token}"})).claims is not None


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER   ", "Bearer "])
def test_scheme_and_blanks_make_no_other_caller(scheme: str) -> None:
    token = a_token()
    authenticator = Authenticator(PRIVATE.public_key())
    asked = request(headers={"Authorization": f"{scheme}{token} "})
    assert authenticator.caller(asked).authorization == f"Bearer {token}"
