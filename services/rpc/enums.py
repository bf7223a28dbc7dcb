"""Maps enums of records to those of contracts. Both use the same names; in the contract they have a prefix (AIP-126)."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any, TypeVar

from google.protobuf.descriptor import EnumDescriptor

Member = TypeVar("Member", bound=Enum)


def numbers_of(kind: type[Member], enum: EnumDescriptor) -> dict[Member, Any]:
    """Return the number of each member in a contract's enum, such as that of `MATCH_STATUS_RUNNING` for `Status.RUNNING`.

    Raises TypeError if the contract lacks a member.
    """
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", enum.name).upper()
    values = enum.values_by_name
    try:
        return {member: values[f"{prefix}_{member.name}"].number for member in kind}
    except KeyError as unknown:
        raise TypeError(f"{enum.full_name} has no {unknown}") from None


def members_of(
    kind: type[Member], enum: EnumDescriptor, *, unspecified: Member | None = None
) -> dict[Any, Member]:
    """Return the members by their numbers; `unspecified` is the member for the number 0, if there is one."""
    said = {number: member for member, number in numbers_of(kind, enum).items()}
    return said if unspecified is None else {0: unspecified, **said}
