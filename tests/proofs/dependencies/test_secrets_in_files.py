"""No secret is in the repository or in the image; and one that is planted is found, wherever it lies."""

from __future__ import annotations

import base64
import secrets
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from services.identity.key_format import new_key
from services.webhooks.vault import new_secret
from tests.proofs.dependencies.secrets_in_files import (
    ROOT,
    image_files,
    in_history,
    in_image,
    in_repository,
    in_text,
)


def a_private_key() -> str:
    return (
        Ed25519PrivateKey.generate()
        .private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        .decode()
    )


def a_signed_token() -> str:
    head, body = (
        base64.urlsafe_b64encode(part).decode().strip("=") for part in (b'{"alg":"EdDSA"}', b'{"sub":"seat"}')
    )
    return f"{head}.{body}.{secrets.token_urlsafe(48)}"


PLANTED = {
    "API key of ours": lambda: new_key("live"),
    "webhook secret": new_secret,
    "private key": a_private_key,
    "signed token": a_signed_token,
    "token of AWS": lambda: "AKIA" + "Q7" * 8,
    "token of GitHub": lambda: "ghp_" + "a1" * 18,
    "token of npm": lambda: "npm_" + "a1" * 18,
    "token of PyPI": lambda: "pypi-AgE" + "a1" * 12,
    "address with a password": lambda: "postgresql://foldtable:hunter22@db.example/foldtable",
    "string of chance": lambda: "0aZ9bY8cX7dW6eV5fU4gT3hS2iR1jQ0kPqLm=",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a package in it, and our own rule of what goes into an image."""
    (tmp_path / "services").mkdir()
    (tmp_path / "services" / "berth.py").write_text("LIMIT = 3\n")
    (tmp_path / ".dockerignore").write_text((ROOT / ".dockerignore").read_text())
    subprocess.run(["git", "-C", tmp_path, "init", "--quiet"], check=True)
    commit(tmp_path)
    return tmp_path


def commit(checkout: Path) -> None:
    who = ("-c", "user.name=Ruth", "-c", "user.email=ruth@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", checkout, "add", "--all"], check=True)
    subprocess.run(["git", "-C", checkout, *who, "commit", "--quiet", "--message", "x"], check=True)


def test_the_repository_holds_no_secret() -> None:
    seen, findings = in_repository()
    assert findings == []
    assert seen > 1_000


def test_an_image_is_built_from_no_secret() -> None:
    seen, findings = in_image()
    assert findings == []
    assert seen > 300


@pytest.mark.parametrize("kind", PLANTED)
def test_a_secret_that_is_planted_is_named_by_place_and_kind_and_not_told(kind: str, checkout: Path) -> None:
    secret = PLANTED[kind]()
    (checkout / "services" / "berth.py").write_text(f'LIMIT = 3\nSECRET = """{secret}"""\n')
    _, findings = in_repository(checkout)
    assert ("services/berth.py", 2, kind) in findings
    assert secret not in repr(findings)


def test_a_key_of_the_vault_looks_like_chance() -> None:
    """Fernet keys are 32 bytes in base64."""
    keys = [base64.urlsafe_b64encode(sha256(bytes([number])).digest()).decode() for number in range(100)]
    assert all(list(in_text("x", f'"{key}"')) for key in keys)


def test_a_key_file_is_found_by_its_name_and_in_the_image_though_git_does_not_know_it(checkout: Path) -> None:
    (checkout / "services" / "development_key").write_text("x")
    assert ("services/development_key", 0, "file that holds secrets") in in_image(checkout)[1]
    assert in_repository(checkout)[1] == []


def test_a_secret_that_was_committed_and_removed_is_found_in_the_history(checkout: Path) -> None:
    path = checkout / "services" / "berth.py"
    path.write_text(f'KEY = "{new_key("live")}"\n')
    commit(checkout)
    path.write_text("LIMIT = 3\n")
    commit(checkout)
    assert in_repository(checkout)[1] == []
    assert "API key of ours" in [finding.kind for finding in in_history(checkout)[1]]


def test_examples_in_the_documentation_are_no_secrets() -> None:
    words = 'ft_live_… "whsec_…" postgresql://user:password@host:5432/name https://example.org/a/very/long/path-of-many-words'
    assert list(in_text("docs/x.md", words)) == []


def test_an_image_gets_our_packages_and_nothing_of_the_workplace() -> None:
    files = [path.relative_to(ROOT) for path in image_files()]
    assert {path.parts[0] for path in files} == {
        *("pyproject.toml", "constraints.txt", "README.md", "LICENSE"),
        *(".ci", "proto", "engine", "services", "gateway", "migrations", "clients"),
    }
    client = Path("clients/python/src")
    assert [path for path in files if path.parts[0] == "clients" and not path.is_relative_to(client)] == []
