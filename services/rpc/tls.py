"""TLS of a gRPC server: its certificate, and who may call it.

The files are read when the process starts, and again when one of them has changed: a certificate that is renewed in
time needs no restart. If a file cannot be used, the process does not start, and the error names the setting; later this is
only logged, and the previous certificate stays in use. No message quotes a file's content.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import grpc
import structlog
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization

CERTIFICATE: Final = "FOLDTABLE_TLS_CERTIFICATE_FILE"
KEY: Final = "FOLDTABLE_TLS_KEY_FILE"
CLIENT_CA: Final = "FOLDTABLE_TLS_CLIENT_CA_FILE"

_log: Final = structlog.get_logger("foldtable.tls")


class TlsUnusable(ValueError):  # noqa: N818 - the name says what happened
    """A certificate or key cannot be used. The message begins with the setting that names it."""


@dataclass(frozen=True)
class ServerTls:
    """The files of a server's certificate, and of the authority that certifies its callers."""

    certificate_file: Path
    """PEM: the server's certificate, then the intermediate certificates."""
    key_file: Path
    """PEM, not encrypted."""
    client_ca_file: Path | None = None
    """PEM: callers need a certificate of one of these authorities. None: callers need no certificate."""

    def credentials(self) -> grpc.ServerCredentials:
        """Read the files and return the credentials of a port. Raises TlsUnusable if they cannot be used."""
        # Made before the first reading, so that a file which changes meanwhile is read again.
        renewing = _Renewing(self)
        return grpc.dynamic_ssl_server_credentials(
            self.read(),
            renewing.fetch,  # type: ignore[arg-type]  # grpc's documentation: None for no change
            require_client_authentication=self.client_ca_file is not None,
        )

    def stamps(self) -> list[tuple[int, int]]:
        """Return a stamp that changes when one of the files does."""
        files = (self.certificate_file, self.key_file, self.client_ca_file)
        return [_stamp(path) for path in files if path is not None]

    def read(self) -> grpc.ServerCertificateConfiguration:
        """Read the files. Raises TlsUnusable if they cannot be used."""
        chain, key = _content(self.certificate_file, CERTIFICATE), _content(self.key_file, KEY)
        _check_pair(chain, key)
        authorities = None
        if self.client_ca_file is not None:
            authorities = _content(self.client_ca_file, CLIENT_CA)
            _certificates(authorities, CLIENT_CA)
        return grpc.ssl_server_certificate_configuration([(key, chain)], root_certificates=authorities)


class _Renewing:
    """Fetches a renewed certificate; gRPC calls it at every handshake, in a thread of its own."""

    def __init__(self, tls: ServerTls) -> None:
        self._tls = tls
        self._stamps = tls.stamps()

    def fetch(self) -> grpc.ServerCertificateConfiguration | None:
        """Return the files' new content; None if they have not changed or cannot be used."""
        stamps = self._tls.stamps()
        if stamps == self._stamps:
            return None
        self._stamps = stamps
        try:
            configuration = self._tls.read()
        except TlsUnusable as problem:
            _log.warning("certificate not renewed", problem=str(problem))
            return None
        _log.info("certificate renewed")
        return configuration


def server_tls(certificate: Path | None, key: Path | None, client_ca: Path | None) -> ServerTls | None:
    """Return the files that the settings name; None: no TLS. Raises ValueError if one is missing beside the others."""
    if certificate is None and key is None and client_ca is None:
        return None
    if certificate is None or key is None:
        missing, there = (
            (CERTIFICATE, KEY if key else CLIENT_CA) if certificate is None else (KEY, CERTIFICATE)
        )
        raise ValueError(f"{missing} is missing beside {there}")
    return ServerTls(certificate, key, client_ca)


def _stamp(path: Path) -> tuple[int, int]:
    """Return a file's stamp. A missing file has one as well, since reading it reports the error."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_ino


def _content(path: Path, setting: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise TlsUnusable(f"{setting}: {path} cannot be read: {problem.strerror}") from None


def _certificates(content: bytes, setting: str) -> list[x509.Certificate]:
    try:
        found = x509.load_pem_x509_certificates(content)
    except ValueError:
        raise TlsUnusable(f"{setting} holds no certificates in PEM form") from None
    return found


def _check_pair(chain: bytes, key: bytes) -> None:
    """Raises TlsUnusable if the certificate has expired, or if the key cannot be read or is not the certificate's."""
    certificate = _certificates(chain, CERTIFICATE)[0]
    if certificate.not_valid_after_utc < datetime.now(UTC):
        raise TlsUnusable(f"{CERTIFICATE} expired on {certificate.not_valid_after_utc:%Y-%m-%d}")
    try:
        private = serialization.load_pem_private_key(key, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise TlsUnusable(f"{KEY} holds no private key in PEM form that is not encrypted") from None
    if private.public_key() != certificate.public_key():
        raise TlsUnusable(f"{KEY} is not the key of the certificate in {CERTIFICATE}")
