"""Determinizations: whole states that an audience cannot distinguish from the true one, for bots to search.

What the audience knows stays as it is; what it does not know is dealt again (`Game.redeal`), with luck derived from the
caller's seed and from public facts of the match. The match secret is not used, so many determinizations reveal no more
than one: where two true states look alike, the same seed yields the same determinizations.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from engine.kernel.chance import SeededChance
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.seats import Audience
from foldtable.matches.v1 import bots_pb2
from foldtable.rules.v1 import rules_service_pb2
from services.process.bounds import MAX_SEED, MAX_STATES
from services.rpc.free_text import must_be_readable
from services.rpc.match_messages import audience_message
from services.rpc.refusals import malformed
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache

_DOMAIN: Final = b"foldtable.determinization.v1"


@dataclass(frozen=True, kw_only=True)
class Undealt:
    """What is to be dealt: prepared while the match's lock is held, dealt after it is released."""

    game: AnyGame
    rules_version: str
    state: Any
    version: int
    audience: Audience
    key: bytes
    count: int


async def prepare(
    cache: MatchCache, loaded: LoadedMatch, audience: Audience, request: bots_pb2.DeterminizeRequest
) -> Undealt:
    """Prepare determinizations. Raises Refused MATCH_NOT_STARTED, VERSION_NOT_FOUND, MALFORMED_REQUEST.

    The caller holds the match's lock and has checked the audience.
    """
    if not 1 <= request.count <= MAX_STATES:
        raise malformed("$.count", f"must be from 1 to {MAX_STATES}")
    must_be_readable(request.seed, "$.seed", MAX_SEED)
    version = request.at_version if request.HasField("at_version") else loaded.version
    state = await cache.laid_at(loaded, version)
    return Undealt(
        game=loaded.game,
        rules_version=loaded.match.rules_version,
        state=state,
        version=version,
        audience=audience,
        key=luck_of(loaded.match.known_as, version, audience, request.seed),
        count=request.count,
    )


def deal(wanted: Undealt) -> bots_pb2.DeterminizeResponse:
    """Return as many states as asked for, each dealt separately. Pure but expensive: call it in a thread."""
    states = []
    for number in range(1, wanted.count + 1):
        dealt = encode(wanted.game.redeal(wanted.state, wanted.audience, SeededChance(wanted.key, number)))
        states.append(
            rules_service_pb2.GameState(
                rules_version=wanted.rules_version,
                state=dealt,
                state_hash=hashlib.sha256(dealt).digest(),
            )
        )
    return bots_pb2.DeterminizeResponse(
        version=wanted.version, audience=audience_message(wanted.audience), states=states
    )


def luck_of(match_id: UUID, version: int, audience: Audience, seed: str) -> bytes:
    """Return the secret of the luck that deals what is unknown, derived only from public facts and the caller's seed."""
    seat = -1 if audience.seat is None else audience.seat
    facts = f"{match_id} {version} {audience.kind.value} {seat} ".encode()
    return hmac.digest(_DOMAIN, facts + seed.encode(), "sha256")
