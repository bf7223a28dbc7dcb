"""A certificate authority that lives as long as a test. For tests; used by name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.x509.oid import NameOID

LOOPBACK: Final = "127.0.0.1"
A_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Certified:
    """A certificate and its key, in files."""

    certificate: Path
    key: Path


class ThrowawayCa:
    """Signs whatever it is given."""

    def __init__(self, folder: Path, name: str = "throwaway") -> None:
        self._folder = folder
        self._key = generate_private_key(SECP256R1())
        self._name = _named(name)
        now = datetime.now(UTC)
        self._certificate = (
            _certificate(self._name, self._name, self._key, now - A_DAY, now + A_DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self.file = folder / f"{name}_ca.pem"
        """Its own certificate."""
        self.file.write_bytes(_pem(self._certificate))

    def certify(
        self, name: str, *hosts: str, ended: timedelta = -A_DAY, replacing: Certified | None = None
    ) -> Certified:
        """Certify a name, for these hosts besides; `ended` ago, or not yet. `replacing` keeps the files' names."""
        key = generate_private_key(SECP256R1())
        end = datetime.now(UTC) - ended
        found = [x509.DNSName(name), *(x509.IPAddress(ip_address(host)) for host in hosts or (LOOPBACK,))]
        certificate = (
            _certificate(_named(name), self._name, key, end - 30 * A_DAY, end)
            .add_extension(x509.SubjectAlternativeName(found), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        files = replacing or Certified(self._folder / f"{name}.pem", self._folder / f"{name}_key.pem")
        files.certificate.write_bytes(_pem(certificate))
        files.key.write_bytes(_private_pem(key))
        files.key.chmod(0o600)  # Postgres refuses one that others may read
        return files


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, begin: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(end)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _private_pem(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
