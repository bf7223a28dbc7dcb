"""Which certificates are trusted, and what is wrong with one that is not."""

from __future__ import annotations

import ssl
import time
from typing import Final

RENEW_SECONDS: Final = 3_600.0
"""How old a context may be. The machine's authorities change without a restart: new ones come, and some are withdrawn."""
PROTOCOLS: Final = ["http/1.1", "h2"]
"""Offered with ALPN. Some front ends speak HTTP/2 only."""
_EXPIRED: Final = frozenset({9, 10})
"""OpenSSL's X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED."""
_WRONG_NAME: Final = frozenset({62, 64})
"""X509_V_ERR_HOSTNAME_MISMATCH and X509_V_ERR_IP_ADDRESS_MISMATCH."""


class Trust:
    """The TLS context of connections to endpoints. TLS 1.2 is the oldest version that it accepts, as Python's default."""

    def __init__(self, fixed: ssl.SSLContext | None = None, *, renew_seconds: float = RENEW_SECONDS) -> None:
        """`fixed` holds the authorities to trust; None: those that this machine trusts, read again now and then."""
        self._is_fixed = fixed is not None
        self._renew_seconds = renew_seconds
        self._read_at = time.monotonic()
        self._context = self._offering(fixed or ssl.create_default_context())

    @property
    def context(self) -> ssl.SSLContext:
        """Return the context for a new connection."""
        now = time.monotonic()
        if not self._is_fixed and now - self._read_at > self._renew_seconds:
            self._context, self._read_at = self._offering(ssl.create_default_context()), now
        return self._context

    @staticmethod
    def _offering(context: ssl.SSLContext) -> ssl.SSLContext:
        context.set_alpn_protocols(PROTOCOLS)
        return context


def problem_of(error: BaseException) -> str:
    """Return why a TLS handshake failed, as a word for the attempt."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    if cause is None:
        return "tls_failed"
    if cause.verify_code in _EXPIRED:
        return "certificate_expired"
    return "certificate_wrong_name" if cause.verify_code in _WRONG_NAME else "certificate_untrusted"
