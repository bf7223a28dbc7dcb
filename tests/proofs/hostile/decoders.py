"""Every decoder of ours that strangers reach."""

from __future__ import annotations

from functools import cache
from typing import Final

from tests.proofs.hostile import decoders_of_gateway as gateway
from tests.proofs.hostile import decoders_of_platform as platform
from tests.proofs.hostile import decoders_of_rules as rules
from tests.proofs.hostile.decoding import Decoder

FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    "bodies and queries": ("body.", "query."),
    "heads": ("header.", "path.", "client.", "ticket"),
    "credentials and cursors": ("token", "key", "credential", "cursor", "page_token", "webhook.", "events."),
    "messages": ("message.",),
    "documents": ("document.",),
    "payloads": ("payload.",),
    "states": ("rules.",),
}
"""Decoders that are fuzzed together, and how their names begin."""


@cache
def decoders() -> dict[str, Decoder]:
    """Return them by name."""
    found = (
        *gateway.bodies(),
        *gateway.queries(),
        *gateway.heads(),
        *rules.games(),
        *rules.documents(),
        *platform.credentials(),
        *platform.cursors(),
        *platform.outside(),
        *platform.messages(),
    )
    named = {decoder.name: decoder for decoder in found}
    assert len(named) == len(found), "two decoders have one name"
    return named


def members(family: str) -> list[Decoder]:
    """Return the decoders of a family."""
    return [decoder for name, decoder in decoders().items() if name.startswith(FAMILIES[family])]
