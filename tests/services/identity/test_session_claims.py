"""What the claims of a session must say, and which scopes include which."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.identity.match_tokens import TokenReader, TokenRefused
from services.identity.player_sessions import PlayerSession, SessionScope, read_session_scopes
from services.process.bounds import MAX_PLAYER

KEY: Final = Ed25519PrivateKey.generate()
READER: Final = TokenReader(KEY.public_key())
JOIN, CREATE, PLAY, READ = SessionScope.JOIN, SessionScope.CREATE, SessionScope.PLAY, SessionScope.READ


def read(**changed: object) -> object:
    now = datetime.now(UTC)
    claims = {
        "iss": "foldtable",
        "role": "player",
        "ten": "acme",
        "sub": "ada",
        "scp": ["play", "read"],
        "gen": 2,
        "iat": now,
        "exp": now + timedelta(minutes=1),
    }
    good = {name: value for name, value in {**claims, **changed}.items() if value is not None}
    return READER.read(jwt.encode(good, KEY, algorithm="EdDSA"))


@pytest.mark.parametrize("player", ["a", "ada", "é" * MAX_PLAYER])
def test_a_session_says_whose_it_is(player: str) -> None:
    session = read(sub=player)
    assert isinstance(session, PlayerSession)
    assert (session.tenant, session.player, session.generation) == ("acme", player, 2)
    assert session.scopes == {PLAY, READ}


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"sub": ""}, id="an empty player"),
        pytest.param({"sub": "a" * (MAX_PLAYER + 1)}, id="a player whose name is too long"),
        pytest.param({"sub": None}, id="no player"),
        pytest.param({"ten": ""}, id="an empty tenant"),
        pytest.param({"ten": None}, id="no tenant"),
        pytest.param({"scp": []}, id="no scope"),
        pytest.param({"scp": ["admin"]}, id="an unknown scope"),
        pytest.param({"gen": None}, id="no generation"),
    ],
)
def test_a_session_that_names_nobody_or_nothing_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(TokenRefused):
        read(**changed)


@pytest.mark.parametrize(
    ("names", "scopes"),
    [
        ([], {READ, PLAY, JOIN, CREATE}),
        (["read"], {READ}),
        (["play"], {READ, PLAY}),
        (["join"], {READ, PLAY, JOIN}),
        (["create"], {READ, PLAY, CREATE}),
    ],
)
def test_whoever_may_take_a_seat_may_play_and_everybody_may_read(
    names: list[str], scopes: set[SessionScope]
) -> None:
    assert read_session_scopes(names) == scopes


def test_an_unknown_scope_is_refused() -> None:
    with pytest.raises(ValueError, match="a session has scopes of create, join, play, read"):
        read_session_scopes(["read", "admin"])
