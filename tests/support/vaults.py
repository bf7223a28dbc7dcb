"""Vaults of tests."""

from __future__ import annotations

from cryptography.fernet import Fernet, MultiFernet

from services.webhooks.vault import Vault


def new_vault() -> Vault:
    """Return a vault with a new key that is not stored anywhere."""
    return Vault(MultiFernet([Fernet(Fernet.generate_key())]))
