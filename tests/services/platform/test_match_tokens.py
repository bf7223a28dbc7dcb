"""Match tokens: ours and valid, or refused; a token never shows up in what is said about it."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.identity.match_tokens import MatchTokens, Role, TokenReader, TokenRefused
from services.identity.signing_keys import ensure_key_pair, read_private_key

KEY = Ed25519PrivateKey.generate()
MATCH = UUID("019a0000-0000-7000-8000-000000000001")
TOKENS = MatchTokens(KEY, lifetime=timedelta(hours=1))


def claims(**changed: object) -> dict[str, object]:
    now = datetime.now(UTC)
    good = {
        "iss": "foldtable",
        "mid": str(MATCH),
        "game": "river_dragons",
        "seat": 1,
        "gen": 0,
        "iat": now,
        "exp": now + timedelta(minutes=1),
    }
    return {name: value for name, value in {**good, **changed}.items() if value is not None}


def test_a_token_says_which_seat_of_which_match_and_until_when() -> None:
    token, expires_at = TOKENS.mint(match_id=MATCH, game="river_dragons", seat=3, generation=2)
    read = TOKENS.read(token)
    assert (read.match_id, read.game, read.seat, read.generation) == (MATCH, "river_dragons", 3, 2)
    assert read.expires_at == expires_at


def test_a_token_is_good_at_once_where_the_clock_is_behind_the_minters() -> None:
    token = jwt.encode(claims(iat=datetime.now(UTC) + timedelta(seconds=20)), KEY, algorithm="EdDSA")
    assert TOKENS.read(token).match_id == MATCH


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"iss": "somebody"}, id="another issuer"),
        pytest.param({"iss": None}, id="no issuer"),
        pytest.param({"mid": "table 7"}, id="no match id"),
        pytest.param({"seat": "1"}, id="a seat that is no number"),
        pytest.param({"gen": None}, id="no generation"),
        pytest.param({"exp": None}, id="no end"),
        pytest.param({"exp": 10**20}, id="an end after all time"),
    ],
)
def test_a_token_of_ours_that_says_something_else_is_refused(changed: dict[str, object]) -> None:
    token = jwt.encode(claims(**changed), KEY, algorithm="EdDSA")
    with pytest.raises(TokenRefused) as refused:
        TOKENS.read(token)
    assert not refused.value.expired
    assert token not in str(refused.value)


def test_a_token_is_refused_once_its_time_is_over_even_if_it_was_read_before() -> None:
    short = MatchTokens(KEY, lifetime=timedelta(seconds=1))
    token, expires_at = short.mint(match_id=MATCH, game="g", seat=0, generation=0)
    assert short.read(token).seat == 0
    while datetime.now(UTC) < expires_at:
        pass
    with pytest.raises(TokenRefused) as refused:
        short.read(token)
    assert refused.value.expired


@pytest.mark.parametrize(
    "token",
    [
        pytest.param(jwt.encode(claims(), Ed25519PrivateKey.generate(), algorithm="EdDSA"), id="another key"),
        pytest.param(jwt.encode(claims(), "x" * 32, algorithm="HS256"), id="another algorithm"),
        pytest.param(jwt.encode(claims(), "", algorithm="none"), id="no signature"),
        pytest.param("eyJ", id="half a token"),
        pytest.param("eyJ" + "a" * 3000, id="a token too long"),
        pytest.param("", id="nothing"),
    ],
)
def test_what_we_did_not_sign_is_refused(token: str) -> None:
    with pytest.raises(TokenRefused):
        TOKENS.read(token)


def test_keys_are_written_for_their_owner_and_read_back(tmp_path: Path) -> None:
    private, public = tmp_path / "private.pem", tmp_path / "public.pem"
    ensure_key_pair(private, public)
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    token, _ = MatchTokens(read_private_key(private), lifetime=timedelta(hours=1)).mint(
        match_id=MATCH, game="g", seat=0, generation=0
    )
    assert jwt.decode(token, public.read_bytes(), algorithms=["EdDSA"], issuer="foldtable")["seat"] == 0


def test_a_key_of_another_kind_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no Ed25519"):
        read_private_key(_rsa(tmp_path))


def _rsa(folder: Path) -> Path:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    path = folder / "other.pem"
    path.write_bytes(
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return path


@pytest.mark.parametrize(
    ("role", "seat"), [(Role.SEAT, 1), (Role.INVITE, 0), (Role.SPECTATOR, None), (Role.REFEREE, None)]
)
def test_every_role_is_read_back(role: Role, seat: int | None) -> None:
    token, _ = TOKENS.mint(role=role, match_id=MATCH, game="g", seat=seat, generation=7)
    read = TOKENS.read(token)
    assert (read.role, read.seat, read.generation) == (role, seat, 7)


def test_a_token_from_before_there_were_roles_is_a_seat_s() -> None:
    assert "role" not in claims()
    assert TOKENS.read(jwt.encode(claims(), KEY, algorithm="EdDSA")).role is Role.SEAT


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"role": "owner"}, id="no such role"),
        pytest.param({"role": "spectator"}, id="a spectator with a seat"),
        pytest.param({"role": "referee"}, id="a referee with a seat"),
        pytest.param({"role": "invite", "seat": None}, id="an invite to no seat"),
        pytest.param({"seat": None}, id="a seat token without a seat"),
    ],
)
def test_a_role_and_a_seat_that_do_not_go_together_are_refused(changed: dict[str, object]) -> None:
    with pytest.raises(TokenRefused):
        TOKENS.read(jwt.encode(claims(**changed), KEY, algorithm="EdDSA"))


@pytest.mark.parametrize(("role", "seat"), [(Role.SEAT, None), (Role.INVITE, None), (Role.SPECTATOR, 0)])
def test_no_such_token_is_minted(role: Role, seat: int | None) -> None:
    with pytest.raises(ValueError, match="seat"):
        TOKENS.mint(role=role, match_id=MATCH, game="g", seat=seat, generation=0)


def test_a_reader_needs_the_public_key_only() -> None:
    token, expires_at = TOKENS.mint(
        match_id=MATCH, game="g", seat=0, generation=0, lifetime=timedelta(days=7)
    )
    assert TokenReader(KEY.public_key()).read(token).expires_at == expires_at
    assert expires_at - datetime.now(UTC) > timedelta(days=6)
    assert not hasattr(TokenReader, "mint")
