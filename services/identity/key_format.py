"""What an API key looks like: `ft_<environment>_<random>_<checksum>`.

The prefix lets scanners find a key that was published by mistake. The checksum only serves to refuse garbage without a
query of the database; it proves nothing. The key itself is never stored, only its SHA-256: 190 random bits need no slow
hash.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
from typing import Final
from zlib import crc32

ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
RANDOM_LENGTH: Final = 32
"""Each character is one of 62: together 190 bits."""
CHECKSUM_LENGTH: Final = 6
"""Enough for a CRC-32: 62^6 is more than 2^32."""
SHOWN_LENGTH: Final = 6
"""How many of the random characters may be shown, to distinguish keys."""
ENVIRONMENT: Final = re.compile(r"[a-z]{2,8}")
_KEY: Final = re.compile(
    rf"(ft_[a-z]{{2,8}}_[0-9A-Za-z]{{{RANDOM_LENGTH}}})_([0-9A-Za-z]{{{CHECKSUM_LENGTH}}})", re.ASCII
)


def new_key(environment: str) -> str:
    """Return a new key. Raises ValueError for an environment that is not 2 to 8 lower-case letters."""
    if ENVIRONMENT.fullmatch(environment) is None:
        raise ValueError("an environment is 2 to 8 lower-case letters, such as live, test, dev")
    body = f"ft_{environment}_{''.join(secrets.choice(ALPHABET) for _ in range(RANDOM_LENGTH))}"
    return f"{body}_{_checksum(body)}"


def is_well_formed(key: str) -> bool:
    """Return whether a text has the form of an API key, with the right checksum."""
    found = _KEY.fullmatch(key)
    return found is not None and _checksum(found[1]) == found[2]


def hash_of(key: str) -> bytes:
    """Return the hash that is stored instead of a key."""
    return hashlib.sha256(key.encode()).digest()


def shown_prefix(key: str) -> str:
    """Return the beginning of a key, which may be shown."""
    environment = key.split("_")[1]
    return key[: len(f"ft_{environment}_") + SHOWN_LENGTH]


def _checksum(body: str) -> str:
    rest = crc32(body.encode())
    digits = ""
    for _ in range(CHECKSUM_LENGTH):
        rest, digit = divmod(rest, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits
