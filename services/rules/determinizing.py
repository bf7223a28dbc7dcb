"""Determinizations: whole states that an audience cannot tell from the true one, for bots to think with.

What the audience knows stays as it is; what it does not know is dealt again (`Game.redeal`), with luck made of what the
caller says and of what everybody knows of the match. The match secret has no part in it, so nobody learns from many of
them what one does not show: where two true states look alike, the same seed gives the same determinizations.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final
from uuid import UUID

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import Audience
from foldtable.matches.v1 import bots_pb2
from foldtable.rules.v1 import rules_service_pb2
from services.rpc.match_messages import audience_message
from services.rpc.refusals import malformed
from services.rules.tables import Table, Tables

MOST_AT_ONCE: Final = 16
MAX_SEED: Final = 64
_DOMAIN: Final = b"foldtable.determinization.v1"


async def determinize(
    tables: Tables, table: Table, audience: Audience, request: bots_pb2.DeterminizeRequest
) -> bots_pb2.DeterminizeResponse:
    """Give as many states as asked for, each dealt by itself; Refused MATCH_NOT_STARTED, VERSION_NOT_FOUND.

    The caller holds the table and has judged who looks.
    """
    if not 1 <= request.count <= MOST_AT_ONCE:
        raise malformed("$.count", f"must be from 1 to {MOST_AT_ONCE}")
    if len(request.seed) > MAX_SEED or not request.seed.isprintable():
        raise malformed("$.seed", f"must have at most {MAX_SEED} printable characters")
    version = request.at_version if request.HasField("at_version") else table.version
    state = await tables.laid_at(table, version)
    key = luck_of(table.match.id, version, audience, request.seed)
    states = []
    for number in range(1, request.count + 1):
        dealt = encode(table.game.redeal(state, audience, SeededChance(key, number)))
        states.append(
            rules_service_pb2.GameState(
                rules_version=table.match.rules_version,
                state=dealt,
                state_hash=hashlib.sha256(dealt).digest(),
            )
        )
    return bots_pb2.DeterminizeResponse(version=version, audience=audience_message(audience), states=states)


def luck_of(match_id: UUID, version: int, audience: Audience, seed: str) -> bytes:
    """Give the key of the luck that unknown things are dealt with: of public facts and the caller's seed, nothing else."""
    seat = -1 if audience.seat is None else audience.seat
    facts = f"{match_id} {version} {audience.kind.value} {seat} ".encode()
    return hmac.digest(_DOMAIN, facts + seed.encode(), "sha256")
