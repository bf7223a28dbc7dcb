"""Secrets of endpoints. Each request is signed with its endpoint's, so they have to be kept; they are kept sealed.

The key is in a file of its own, a Fernet key a line (AES-128-CBC and HMAC-SHA256): the first seals, all of them open. So
a copy of the database betrays no secret, and the key is replaced by putting a new line before the old one.
"""

from __future__ import annotations

import base64
import secrets
from pathlib import Path
from typing import Final

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
"""Standard Webhooks asks for 24 to 64."""


class VaultError(Exception):
    """A secret was sealed with a key that is not in the file any more."""


class Vault:
    """Seals and opens secrets."""

    def __init__(self, keys: MultiFernet) -> None:
        self._keys = keys

    def seal(self, secret: str) -> bytes:
        """Return what may be stored."""
        return self._keys.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """Return a secret back; VaultError."""
        try:
            return self._keys.decrypt(sealed).decode()
        except InvalidToken:
            raise VaultError("a webhook secret was sealed with a key that is gone") from None


def new_secret() -> str:
    """Make a secret, as Standard Webhooks writes them: `whsec_` and base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def new_vault() -> Vault:
    """Return a vault with a key of its own, kept nowhere."""
    return Vault(MultiFernet([Fernet(Fernet.generate_key())]))


def read_vault(path: Path) -> Vault:
    """Read the keys; OSError, or ValueError for a file without any."""
    lines = [line.strip() for line in path.read_text().splitlines() if line.strip()]
    try:
        keys = [Fernet(line) for line in lines]
    except ValueError:  # its text may quote the key
        raise ValueError(f"{path} holds a line that is no Fernet key") from None
    if not keys:
        raise ValueError(f"{path} holds no key")
    return Vault(MultiFernet(keys))


def write_webhook_key(path: Path) -> None:
    """Make a key that only its owner may read."""
    path.touch(mode=0o600)
    path.write_text(Fernet.generate_key().decode() + "\n")
