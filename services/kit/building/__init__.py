"""The derived files of a game package: the descriptors of its contract, and what its paragraphs say."""

from __future__ import annotations

from services.kit.building.build import NotInAFolder, build
from services.kit.building.contract import ContractRefused, ToolsMissing, compiled

__all__ = ["ContractRefused", "NotInAFolder", "ToolsMissing", "build", "compiled"]
