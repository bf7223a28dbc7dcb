"""The comments of the .proto files that a game's JSON Schemas use as descriptions, so that each is written only once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.kernel.package import GamePackage
from services.process.contract_comments import comments_of
from services.rules.wire.contract import descriptors_of, server_descriptors


@cache
def contract_comments(package: GamePackage) -> Mapping[str, str]:
    """Return the comments of a game's contract and of the server's, by the full names of what they are about."""
    return {**_server(), **comments_of(descriptors_of(package))}


@cache
def _server() -> Mapping[str, str]:
    return comments_of(server_descriptors())
