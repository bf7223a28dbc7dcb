"""The correspondence of names: which field of a protobuf message is which field in REST, and likewise for values of enums.

The contracts follow Google's AIPs: a time is `create_time` (AIP-142), a value of an enum `MATCH_STATUS_RUNNING` (AIP-126).
REST uses `created_at` and `running`. Everything else has the same name on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from google.protobuf.descriptor import EnumDescriptor

IMPERATIVES: Final[Mapping[str, str]] = {
    "created": "create",
    "disabled": "disable",
    "expires": "expire",
    "recorded": "record",
    "replaced": "replace",
    "revoked": "revoke",
    "started": "start",
    "updated": "update",
}
"""Past participles in REST to the verbs that AIP-142 uses in names of times."""


def fields_for(name: str) -> Iterator[str]:
    """Yield the names that a message may have for a field of REST, the most likely first."""
    yield name
    if name.endswith("_at"):
        *words, last = name.removesuffix("_at").split("_")
        yield "_".join([*words, IMPERATIVES.get(last, last), "time"])
    yield f"{name}_time"
    if name.endswith("_seconds"):
        yield name.removesuffix("_seconds")
    if name == "seconds":
        yield "time"


def value_name(enum: str, value: str) -> str:
    """Return REST's name of a value of an enum."""
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", enum).upper() + "_"
    return value.removeprefix(prefix).lower()


def enum_names(descriptor: EnumDescriptor) -> dict[Any, Any]:
    """Return REST's names of an enum's values, by number, without the unspecified one."""
    return {
        value.number: value_name(descriptor.name, value.name) for value in descriptor.values if value.number
    }


def enum_values(descriptor: EnumDescriptor) -> dict[Any, Any]:
    """Return the numbers of an enum's values, by REST's names."""
    return {name: number for number, name in enum_names(descriptor).items()}
