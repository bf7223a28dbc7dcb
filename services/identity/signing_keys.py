"""Key pairs that match tokens and exports are signed with: Ed25519 (RFC 8032), in PEM files, one pair for each purpose.

A private key has a file of its own; all public keys are in another file. The public half of the next key is added there
before that key signs. The public half of a key that no longer signs stays there while its signatures are to be accepted.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.process.public_keys import by_key_id, read_public_keys, thumbprint

TOKEN_SETTING: Final = "FOLDTABLE_TOKEN"  # noqa: S105 - the name of a setting
EXPORT_SETTING: Final = "FOLDTABLE_EXPORT"


class KeysUnusable(ValueError):  # noqa: N818 - reads as a sentence where it is raised
    """Keys cannot be read or do not match. The message begins with the setting's name."""


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Return the key of an unencrypted PEM file (PKCS 8). Raises ValueError if it holds something else, without quoting it."""
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise ValueError(f"{path} holds no private key in PEM form, not encrypted") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 private key")  # noqa: TRY004 - the file's content, not a type
    return key


def read_pair(
    private_path: Path, public_path: Path | None, *, setting: str
) -> tuple[Ed25519PrivateKey, tuple[Ed25519PublicKey, ...]]:
    """Return the key that signs, and the public keys of their file; without such a file, only the key's own public half.

    Raises KeysUnusable if a file cannot be read, or if the public half of the key is not in the file: nobody could check
    what it signs. The names of the settings begin with `setting`.
    """
    try:
        private = read_private_key(private_path)
    except (OSError, ValueError) as error:
        raise KeysUnusable(f"{setting}_PRIVATE_KEY_FILE: {error}") from error
    own = private.public_key()
    if public_path is None:
        return private, (own,)
    keys = read_keys(public_path, setting=setting)
    if thumbprint(own) not in by_key_id(keys):
        raise KeysUnusable(
            f"{setting}_PUBLIC_KEY_FILE: {public_path} does not hold the public half of {setting}_PRIVATE_KEY_FILE: "
            "nobody could check what it signs. Add the public half first, here and wherever it is checked"
        )
    return private, keys


def read_keys(path: Path, *, setting: str) -> tuple[Ed25519PublicKey, ...]:
    """Return the public keys of a file. Raises KeysUnusable if they cannot be read."""
    try:
        return read_public_keys(path)
    except (OSError, ValueError) as error:
        raise KeysUnusable(f"{setting}_PUBLIC_KEY_FILE: {error}") from error


def keep_apart(tokens: Iterable[Ed25519PublicKey], exports: Iterable[Ed25519PublicKey]) -> None:
    """Raises KeysUnusable if a key is for both match tokens and exports: a signature must be for one purpose only."""
    both = by_key_id(tokens).keys() & by_key_id(exports).keys()
    if both:
        raise KeysUnusable(
            f"{EXPORT_SETTING}_…: the key {min(both)} is for match tokens too; exports need one of their own"
        )


def ensure_key_pair(private_path: Path, public_path: Path) -> None:
    """Make a key pair if there is none; earlier public keys stay in their file.

    Raises ValueError if there is only a private key and it cannot be read.
    """
    if not private_path.exists():
        add_public_key(public_path, create_private_key(private_path).public_key())
    elif not public_path.exists():
        add_public_key(public_path, read_private_key(private_path).public_key())


def create_private_key(path: Path) -> Ed25519PrivateKey:
    """Return a new key, and write it to a file that only its owner may read. Raises FileExistsError if the file exists."""
    private = Ed25519PrivateKey.generate()
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(
            private.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
    return private


def add_public_key(path: Path, public: Ed25519PublicKey) -> None:
    """Append a key to a file, or make the file. The file is replaced in one step, so that nobody reads a part of it.

    Raises ValueError if the file holds anything but public keys.
    """
    before = path.read_bytes() if path.exists() else b""
    if before:
        read_public_keys(path)
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.write_bytes(before + (b"" if before.endswith(b"\n") or not before else b"\n") + pem)
    unfinished.replace(path)
