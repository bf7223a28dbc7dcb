"""What a platform notes about a match, as it arrives: what may be noted, by whom, and who is told of it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from services.identity.callers import AnyCaller, TenantCaller
from services.movelog.failures import ReferenceTaken
from services.movelog.notes import NO_METADATA, Notes
from services.process.bounds import (
    MAX_METADATA,
    MAX_METADATA_LEVELS,
    MAX_METADATA_NAME,
    MAX_METADATA_NAMES,
    MAX_REFERENCE,
)
from services.process.reasons import Reason
from services.rpc.free_text import must_be_id
from services.rpc.json_payloads import must_be_alike_for_all
from services.rpc.refusals import Refused, malformed

_WITH_WHITE_SPACE: Final = 4 * MAX_METADATA
"""Bytes that are looked at: no sensible JSON has so much white space."""


def read_notes(caller: AnyCaller, reference: str, metadata: bytes) -> Notes:
    """Return the notes of a request. Raises Refused MALFORMED_REQUEST for a value that cannot be kept, and for any without an API key."""
    if not isinstance(caller, TenantCaller):
        for field, value in (("reference", reference), ("metadata", metadata)):
            if value:
                raise malformed(f"$.{field}", "is for the tenant to say; leave it out")
    return Notes(reference=read_reference(reference), metadata=read_metadata(metadata))


def read_reference(reference: str, at: str = "$.reference") -> str:
    """Return a reference, which is compared exactly and so kept exactly. Raises Refused MALFORMED_REQUEST."""
    must_be_id(reference, at, MAX_REFERENCE)
    return reference


def read_patch(patch: bytes, at: str = "$.metadata") -> bytes:
    """Return a merge patch of metadata; `null`, or no bytes, removes all. Raises Refused MALFORMED_REQUEST.

    A patch is bounded as metadata are: so its result is bounded in depth, and the bounds on the result are checked when it is known.
    """
    kept = read_metadata(patch, at)
    removes_all = not patch or patch.strip() == b"null"
    return b"null" if removes_all else kept


def read_metadata(metadata: bytes, at: str = "$.metadata") -> bytes:
    """Return metadata as they are kept: without white space, names in order. Raises Refused MALFORMED_REQUEST.

    No bytes, `null` and `{}` all mean that there are none. Texts are kept as they are sent.
    """
    if len(metadata) > _WITH_WHITE_SPACE:
        raise _too_long(len(metadata), at)
    if not metadata:
        return NO_METADATA
    must_be_alike_for_all(metadata, at)
    try:
        value = msgspec.json.decode(metadata)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise malformed(at, "is not JSON") from None
    if value is None:
        return NO_METADATA
    if not isinstance(value, dict):
        raise malformed(at, "must be a JSON object")
    if len(value) > MAX_METADATA_NAMES:
        raise malformed(at, f"has {len(value)} names; at most {MAX_METADATA_NAMES} are kept")
    _check(value, at)
    kept = msgspec.json.encode(value, order="sorted")
    if len(kept) > MAX_METADATA:
        raise _too_long(len(kept), at)
    return kept


def _check(value: Any, at: str, level: int = 1) -> None:
    """Refuse what is nested too deeply, names that are empty or too long, and the character that Postgres cannot look for."""
    if isinstance(value, dict | list) and level > MAX_METADATA_LEVELS:
        raise malformed(at, f"is nested deeper than {MAX_METADATA_LEVELS} levels")
    match value:
        case str() if "\0" in value:
            raise malformed(at, "has the character U+0000")
        case dict():
            for name, member in value.items():
                if not 0 < len(name) <= MAX_METADATA_NAME:
                    raise malformed(
                        at, f"has a name of {len(name)} code points; names have 1 to {MAX_METADATA_NAME}"
                    )
                if "\0" in name:
                    raise malformed(at, "has a name with the character U+0000")
                _check(member, f"{at}.{name}", level + 1)
        case list():
            for number, member in enumerate(value):
                _check(member, f"{at}[{number}]", level + 1)


def reference_taken(clash: ReferenceTaken) -> Refused:
    """Return the refusal that names the match with the reference; it is the same tenant's."""
    return Refused(
        Reason.REFERENCE_TAKEN,
        "another match of yours has this reference",
        field="$.reference",
        metadata={"match_id": str(clash.match_id)},
    )


def _too_long(size: int, at: str) -> Refused:
    return malformed(at, f"has {size} bytes; at most {MAX_METADATA} are kept, counted without white space")
