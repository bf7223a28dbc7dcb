"""Secrets are kept sealed, and the key of the vault is not in the database."""

from __future__ import annotations

import base64
import stat
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from services.webhooks.vault import VaultError, new_secret, read_vault, write_webhook_key
from tests.support.vaults import new_vault


def test_a_secret_is_what_standard_webhooks_asks_for() -> None:
    secret = new_secret()
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert secret != new_secret()


def test_what_is_stored_does_not_show_the_secret() -> None:
    vault, secret = new_vault(), new_secret()
    sealed = vault.seal(secret)
    assert secret.encode() not in sealed
    assert base64.b64decode(secret.removeprefix("whsec_")) not in sealed
    assert vault.open(sealed) == secret
    with pytest.raises(VaultError) as error:
        new_vault().open(sealed)
    assert secret not in str(error.value)


def test_the_key_is_replaced_by_a_new_line_before_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "webhook_key"
    write_webhook_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    sealed = read_vault(path).seal("whsec_old")
    path.write_text(Fernet.generate_key().decode() + "\n" + path.read_text())
    both = read_vault(path)
    assert both.open(sealed) == "whsec_old"
    path.write_text(path.read_text().splitlines()[0])
    assert read_vault(path).open(both.seal("whsec_new")) == "whsec_new"
    with pytest.raises(VaultError):
        read_vault(path).open(sealed)


@pytest.mark.parametrize(("content", "wrong"), [("", "no key"), ("\n \n", "no key"), ("guess", "Fernet")])
def test_a_file_without_a_key_is_refused_and_not_quoted(tmp_path: Path, content: str, wrong: str) -> None:
    path = tmp_path / "webhook_key"
    path.write_text(content)
    with pytest.raises(ValueError, match=wrong) as error:
        read_vault(path)
    assert "guess" not in str(error.value)
