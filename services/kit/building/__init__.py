"""The derived files of a game package: its contract with the descriptors, and what its paragraphs say."""

from __future__ import annotations

from services.kit.building.build import NotInAFolder, build
from services.kit.building.contract import ContractRefused, ToolsMissing, compiled
from services.kit.contracts.wanted import NoMessage

__all__ = ["ContractRefused", "NoMessage", "NotInAFolder", "ToolsMissing", "build", "compiled"]
