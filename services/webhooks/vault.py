"""Secrets of webhook endpoints. Requests are signed with them, so they have to be stored; they are stored encrypted.

The keys are in a file of their own, one Fernet key (AES-128-CBC and HMAC-SHA256) a line: the first one encrypts, all of
them decrypt. So a copy of the database reveals no secret. To replace a key, put a new line before the old one.
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
    """A secret was encrypted with a key that is not in the file any more."""


class Vault:
    """Encrypts and decrypts secrets."""

    def __init__(self, keys: MultiFernet) -> None:
        self._keys = keys

    def seal(self, secret: str) -> bytes:
        """Return a secret encrypted, as it may be stored."""
        return self._keys.encrypt(secret.encode())

    def open(self, sealed: bytes) -> str:
        """Return a secret decrypted. Raises VaultError if its key is not in the file any more."""
        try:
            return self._keys.decrypt(sealed).decode()
        except InvalidToken:
            raise VaultError("a webhook secret was sealed with a key that is gone") from None


def new_secret() -> str:
    """Return a new secret in the form of Standard Webhooks: `whsec_` and base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def read_vault(path: Path) -> Vault:
    """Return a vault with the keys of a file. Raises OSError if it cannot be read, ValueError if it holds anything else."""
    lines = [line.strip() for line in path.read_text().splitlines() if line.strip()]
    try:
        keys = [Fernet(line) for line in lines]
    except ValueError:  # its text may quote the key
        raise ValueError(f"{path} holds a line that is no Fernet key") from None
    if not keys:
        raise ValueError(f"{path} holds no key")
    return Vault(MultiFernet(keys))


def write_webhook_key(path: Path) -> None:
    """Write a new key to a file that only its owner may read."""
    path.touch(mode=0o600)
    path.write_text(Fernet.generate_key().decode() + "\n")
