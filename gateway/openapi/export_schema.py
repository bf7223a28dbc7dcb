"""The schema of an exported match, as a separate document and as components of the OpenAPI document."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import msgspec

from gateway.openapi.games import COMPONENT, Schema, renamed

EXPORT: Final = "MatchExport"
"""The component for the whole document; its parts are `MatchExport.<part>`."""
EXPORT_SCHEMA: Final = files("gateway.schemas").joinpath("match-export.schema.json").read_bytes()

_ROOT: Final = "MatchDocument"
_DEFINITION: Final = "#/$defs/"


def export_components() -> dict[str, Schema]:
    """Return the components."""
    definitions: dict[str, Schema] = msgspec.json.decode(EXPORT_SCHEMA)["$defs"]
    return {
        _name(name): renamed(
            definition, lambda reference: COMPONENT + _name(reference.removeprefix(_DEFINITION))
        )
        for name, definition in definitions.items()
    }


def _name(definition: str) -> str:
    return EXPORT if definition == _ROOT else f"{EXPORT}.{definition}"
