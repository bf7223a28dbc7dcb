"""The OpenAPI document as a gateway serves it for the games of this repository, made without starting one."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import msgspec

from engine.registry import game
from foldtable.rules.v1.rules_service_pb2 import DescribeGameRequest, DescribeGameResponse
from gateway.openapi.document import OpenapiDocument
from gateway.routes import ROUTES
from services.rules.api.heavy_reads import HeavyReads
from services.rules.api.rules_servicer import RulesServicer
from tests.support.our_games import OUR_GAMES


def served_document() -> dict[str, Any]:
    """Return the document."""
    document: dict[str, Any] = msgspec.json.decode(_rendered())
    return document


def _rendered() -> bytes:
    return OpenapiDocument(ROUTES).render(asyncio.run(_described()))


async def _described() -> list[DescribeGameResponse]:
    servicer = RulesServicer({name: game(name) for name in OUR_GAMES}, HeavyReads())
    return [await servicer.DescribeGame(DescribeGameRequest(game=name), None) for name in sorted(OUR_GAMES)]


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(_rendered())
