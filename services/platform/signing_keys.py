"""The key pair that match tokens are signed with: Ed25519 (RFC 8032), in PEM files."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def key_id(public: Ed25519PublicKey) -> str:
    """Give the `kid` of a key: the first 16 hex digits of SHA-256 over its raw bytes."""
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return sha256(raw).hexdigest()[:16]


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Read an unencrypted PEM file (PKCS 8); ValueError if it holds another kind of key."""
    key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{path} holds no Ed25519 private key")  # noqa: TRY004 - the file's content, not a type
    return key


def read_public_key(path: Path) -> Ed25519PublicKey:
    """Read a PEM file (SubjectPublicKeyInfo); ValueError if it holds something else."""
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"{path} holds no public key in PEM form") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError(f"{path} holds no Ed25519 public key")  # noqa: TRY004 - as above
    return key


def write_key_pair(private_path: Path, public_path: Path) -> None:
    """Make a new key pair; the private half is readable by its owner only."""
    private = Ed25519PrivateKey.generate()
    private_path.touch(mode=0o600)
    private_path.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    public_path.write_bytes(
        private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
    )
