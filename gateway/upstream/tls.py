"""TLS to our services: the authorities that the gateway trusts, and the certificate that it presents.

The files are read when the gateway starts; a renewed certificate requires a rolling restart. If a file cannot be used, the
gateway does not start and names the setting. No message quotes a file's content.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import grpc
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization

CA: Final = "FOLDTABLE_TLS_CA_FILE"
CERTIFICATE: Final = "FOLDTABLE_TLS_CERTIFICATE_FILE"
KEY: Final = "FOLDTABLE_TLS_KEY_FILE"
SERVER_NAME: Final = "FOLDTABLE_TLS_SERVER_NAME"


class TlsUnusable(ValueError):  # noqa: N818 - the name says what happened
    """A certificate or key cannot be used. The message begins with the setting that names it."""


@dataclass(frozen=True)
class ClientTls:
    """How to reach services over TLS."""

    authorities: bytes
    """Certificates of the trusted authorities, PEM."""
    chain: bytes | None
    """The certificate chain presented to services, PEM; None: none."""
    key: bytes | None
    server_name: str
    """The name in the services' certificates; empty: the host of each address."""

    def __repr__(self) -> str:
        return f"ClientTls(server_name={self.server_name!r})"

    def credentials(self) -> grpc.ChannelCredentials:
        """Return the credentials for opening a channel."""
        return grpc.ssl_channel_credentials(self.authorities, self.key, self.chain)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Return the further options for opening a channel."""
        return (("grpc.ssl_target_name_override", self.server_name),) if self.server_name else ()


def read_client_tls(
    authorities: Path | None, certificate: Path | None, key: Path | None, server_name: str = ""
) -> ClientTls | None:
    """Return the TLS configuration that the settings name; None for no TLS. Raises TlsUnusable if it cannot be used."""
    if authorities is None:
        for setting, value in ((CERTIFICATE, certificate), (KEY, key), (SERVER_NAME, server_name)):
            if value:
                raise TlsUnusable(f"{CA} is missing beside {setting}")
        return None
    if (certificate is None) != (key is None):
        missing, there = (CERTIFICATE, KEY) if certificate is None else (KEY, CERTIFICATE)
        raise TlsUnusable(f"{missing} is missing beside {there}")
    trusted = _content(authorities, CA)
    _certificates(trusted, CA)
    if certificate is None or key is None:
        return ClientTls(trusted, None, None, server_name)
    chain, private = _content(certificate, CERTIFICATE), _content(key, KEY)
    _check_pair(chain, private)
    return ClientTls(trusted, chain, private, server_name)


def _content(path: Path, setting: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise TlsUnusable(f"{setting}: {path} cannot be read: {problem.strerror}") from None


def _certificates(content: bytes, setting: str) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(content)
    except ValueError:
        raise TlsUnusable(f"{setting} holds no certificates in PEM form") from None


def _check_pair(chain: bytes, key: bytes) -> None:
    """Raises TlsUnusable if the certificate has expired or the key does not belong to it."""
    certificate = _certificates(chain, CERTIFICATE)[0]
    if certificate.not_valid_after_utc < datetime.now(UTC):
        raise TlsUnusable(f"{CERTIFICATE} expired on {certificate.not_valid_after_utc:%Y-%m-%d}")
    try:
        private = serialization.load_pem_private_key(key, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise TlsUnusable(f"{KEY} holds no private key in PEM form that is not encrypted") from None
    if private.public_key() != certificate.public_key():
        raise TlsUnusable(f"{KEY} is not the key of the certificate in {CERTIFICATE}")
