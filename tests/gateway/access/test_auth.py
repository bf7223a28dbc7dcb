"""Credentials: what is refused without asking anybody, and what goes on to the rules server."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from uuid import uuid4

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gateway.access.auth import REMEMBERED_TOKENS, Authenticator
from gateway.problems.document import ProblemError
from services.identity.match_tokens import MatchTokens, Role
from tests.gateway.requests import request

PRIVATE = Ed25519PrivateKey.generate()
MATCH = uuid4()


@pytest.fixture
def authenticator() -> Authenticator:
    return Authenticator(PRIVATE.public_key())


def minted(private: Ed25519PrivateKey = PRIVATE, *, hours: float = 1, seat: int = 1) -> str:
    tokens = MatchTokens(private, lifetime=timedelta(hours=hours))
    return tokens.mint(match_id=MATCH, game="river_dragons", seat=seat, generation=0)[0]


def refusal_of(authenticator: Authenticator, authorization: str | None) -> str:
    headers = {} if authorization is None else {"Authorization": authorization}
    with pytest.raises(ProblemError) as refused:
        authenticator.caller(request(headers=headers))
    assert refused.value.status == 401
    return refused.value.reason.name


def test_a_seat_token_of_ours_says_which_game_it_is_for(authenticator: Authenticator) -> None:
    token = minted(seat=1)
    caller = authenticator.caller(request(headers={"Authorization": f"Bearer {token}"}))
    assert caller.authorization == f"Bearer {token}"
    assert caller.claims is not None
    assert (caller.claims.mid, caller.claims.game, caller.claims.seat) == (str(MATCH), "river_dragons", 1)


def test_a_token_is_good_at_once_where_the_clock_is_behind_the_minters(authenticator: Authenticator) -> None:
    said = jwt.decode(minted(), options={"verify_signature": False})
    ahead = jwt.encode({**said, "iat": said["iat"] + 20}, PRIVATE, algorithm="EdDSA")
    caller = authenticator.caller(request(headers={"Authorization": f"Bearer {ahead}"}))
    assert caller.claims is not None


def test_an_api_key_goes_on_unjudged(authenticator: Authenticator) -> None:
    caller = authenticator.caller(request(headers={"Authorization": "bearer  ft_dev_abc123 "}))
    assert (caller.authorization, caller.claims) == ("Bearer ft_dev_abc123", None)


def test_the_credential_does_not_show_when_a_caller_is_printed(authenticator: Authenticator) -> None:
    caller = authenticator.caller(request(headers={"Authorization": "Bearer ft_dev_abc123"}))
    assert "abc123" not in repr(caller)


@pytest.mark.parametrize("missing", [None, ""])
def test_no_credential(authenticator: Authenticator, missing: str | None) -> None:
    assert refusal_of(authenticator, missing) == "TOKEN_MISSING"


@pytest.mark.parametrize(
    "malformed",
    ["Basic dTpw", "Bearer", "Bearer ", "Bearer a b", "Bearer ä", "Bearer " + "a" * 2049, "ft_dev_abc123"],
)
def test_what_is_no_bearer_credential(authenticator: Authenticator, malformed: str) -> None:
    assert refusal_of(authenticator, malformed) == "TOKEN_INVALID"


def test_a_token_signed_by_somebody_else(authenticator: Authenticator) -> None:
    assert refusal_of(authenticator, f"Bearer {minted(Ed25519PrivateKey.generate())}") == "TOKEN_INVALID"


def test_a_token_that_was_changed(authenticator: Authenticator) -> None:
    head, claims, signature = minted().split(".")
    padded = claims + "=" * (-len(claims) % 4)
    changed = json.loads(base64.urlsafe_b64decode(padded)) | {"seat": 0}
    claims = base64.urlsafe_b64encode(json.dumps(changed).encode()).rstrip(b"=").decode()
    assert refusal_of(authenticator, f"Bearer {head}.{claims}.{signature}") == "TOKEN_INVALID"


@pytest.mark.parametrize("algorithm", ["none", "HS256"])
def test_a_token_of_another_algorithm(authenticator: Authenticator, algorithm: str) -> None:
    """A public key must never be usable as a shared secret, and «none» signs nothing."""
    claims = jwt.decode(minted(), options={"verify_signature": False})
    key = None if algorithm == "none" else "a shared secret of some 32 bytes length"
    token = jwt.encode(claims, key, algorithm=algorithm)
    assert refusal_of(authenticator, f"Bearer {token}") == "TOKEN_INVALID"


@pytest.mark.parametrize("left_out", ["iss", "mid", "game", "seat", "gen", "iat", "exp"])
def test_a_token_that_leaves_something_out(authenticator: Authenticator, left_out: str) -> None:
    claims = jwt.decode(minted(), options={"verify_signature": False})
    del claims[left_out]
    assert refusal_of(authenticator, f"Bearer {jwt.encode(claims, PRIVATE, 'EdDSA')}") == "TOKEN_INVALID"


def test_an_expired_token(authenticator: Authenticator) -> None:
    assert refusal_of(authenticator, f"Bearer {minted(hours=-1)}") == "TOKEN_EXPIRED"


def test_a_token_expires_even_if_its_signature_is_remembered(
    authenticator: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = minted()
    claims = authenticator.caller(request(headers={"Authorization": f"Bearer {token}"})).claims
    assert claims is not None
    monkeypatch.setattr("gateway.access.auth.time.time", lambda: claims.exp)
    assert refusal_of(authenticator, f"Bearer {token}") == "TOKEN_EXPIRED"


def test_remembered_signatures_are_bounded(
    authenticator: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert REMEMBERED_TOKENS > 2
    monkeypatch.setattr("gateway.access.auth.REMEMBERED_TOKENS", 2)
    for seat in range(5):
        authenticator.caller(request(headers={"Authorization": f"Bearer {minted(seat=seat)}"}))
    assert len(authenticator._checked) == 2


@pytest.mark.parametrize(
    ("role", "seat"), [(Role.SEAT, 2), (Role.INVITE, 3), (Role.SPECTATOR, None), (Role.REFEREE, None)]
)
def test_every_role_is_read(authenticator: Authenticator, role: Role, seat: int | None) -> None:
    tokens = MatchTokens(PRIVATE, lifetime=timedelta(hours=1))
    token, _ = tokens.mint(role=role, match_id=MATCH, game="river_dragons", seat=seat, generation=1)
    claims = authenticator.caller(request(headers={"Authorization": f"Bearer {token}"})).claims
    assert claims is not None
    assert (claims.role, claims.seat, claims.gen) == (role.value, seat, 1)


@pytest.mark.parametrize(
    "changed", [{"role": "owner"}, {"role": "referee"}, {"role": "invite", "seat": None}]
)
def test_a_role_and_a_seat_that_do_not_go_together(
    authenticator: Authenticator, changed: dict[str, object]
) -> None:
    claims = jwt.decode(minted(), options={"verify_signature": False}) | changed
    claims = {name: value for name, value in claims.items() if value is not None}
    assert refusal_of(authenticator, f"Bearer {jwt.encode(claims, PRIVATE, 'EdDSA')}") == "TOKEN_INVALID"


def test_a_token_from_before_there_were_roles_is_a_seat_s(authenticator: Authenticator) -> None:
    claims = jwt.decode(minted(seat=4), options={"verify_signature": False})
    del claims["role"]
    token = jwt.encode(claims, PRIVATE, "EdDSA")
    read = authenticator.caller(request(headers={"Authorization": f"Bearer {token}"})).claims
    assert read is not None
    assert (read.role, read.seat) == ("seat", 4)
