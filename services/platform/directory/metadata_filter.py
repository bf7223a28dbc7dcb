"""Lists by metadata: which members the metadata of a match must have."""

from __future__ import annotations

from typing import Final

import msgspec

from services.process.bounds import MAX_METADATA, MAX_METADATA_FILTERS, MAX_METADATA_NAME
from services.rpc.json_payloads import must_be_alike_for_all
from services.rpc.refusals import malformed

_AT: Final = "$.metadata"


def read_filter(text: bytes) -> str:
    """Return the members that metadata must have, as JSON; empty for any. Raises Refused MALFORMED_REQUEST.

    Values are those for which "contains" and "equals" are the same: no objects and no lists.
    """
    if not text:
        return ""
    if len(text) > MAX_METADATA:
        raise malformed(_AT, f"has {len(text)} bytes; at most {MAX_METADATA} are read")
    must_be_alike_for_all(text, _AT)
    try:
        wanted = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise malformed(_AT, "is not JSON") from None
    if not isinstance(wanted, dict) or not 0 < len(wanted) <= MAX_METADATA_FILTERS:
        raise malformed(_AT, f"must be a JSON object with 1 to {MAX_METADATA_FILTERS} names")
    for name, value in wanted.items():
        if isinstance(value, dict | list):
            raise malformed(
                f"{_AT}.{name[:MAX_METADATA_NAME]}", "must be a string, a number, true, false or null"
            )
        if "\0" in name or (isinstance(value, str) and "\0" in value):
            raise malformed(_AT, "has the character U+0000")
    return msgspec.json.encode(wanted).decode()
