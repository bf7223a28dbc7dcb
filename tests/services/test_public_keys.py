"""Public keys that somebody else published are read, or refused in a sentence."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.kernel.codec import encode
from services.process.public_keys import MAX_BYTES, jwk_set, keys_in_jwk_set, thumbprint

KEY = Ed25519PrivateKey.generate().public_key()


def test_a_set_is_read_by_key_ids() -> None:
    assert [*keys_in_jwk_set(encode(jwk_set([KEY])))] == [thumbprint(KEY)]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'{"keys": []}', "holds no Ed25519 key"),
        (b"[]", "holds no JWK set"),
        (b'{"keys": 1}', "holds no JWK set"),
        (b" " * (MAX_BYTES + 1), "holds more than"),
        (b'{"more": ' + b"[" * 10_000 + b"]" * 10_000 + b', "keys": []}', "is nested deeper than 32 levels"),
        (b'{"more": ' + b"[" * 30_000, "is nested deeper than 32 levels"),
    ],
    ids=["empty", "a list", "a number", "long", "deep in a member nobody reads", "deep and without an end"],
)
def test_anything_else_is_refused_in_a_sentence(data: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        keys_in_jwk_set(data)
