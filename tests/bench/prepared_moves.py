"""Moves that are ready to be sent before the clock starts, so that a client of a benchmark has next to nothing to do.

Every match is created over REST; its set-up, which alone holds luck in the game measured here, is read as the referee
sees it, and the rest of a random match is played ahead with a copy of the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar
from uuid import uuid4

import httpx
import msgspec

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.match.replay import fold
from engine.registry import game as registered_game
from tests.bench.targets import Target

GAME: Final = "river_dragons"
Request = TypeVar("Request")


class PreparedMove(NamedTuple):
    """A legal move, and the version it is made on."""

    match_id: str
    seat: int
    token: str
    """The seat's own."""
    version: int
    request_id: str
    action: bytes
    """JSON."""


def prepare(
    target: Target,
    options: Mapping[str, Any],
    seats: int,
    moves: int,
    write: Callable[[PreparedMove], Request],
) -> list[Request]:
    """Create matches and play them ahead, until there are so many ready requests, one after another."""
    requests: list[Request] = []
    headers = {"Authorization": f"Bearer {target.key}"}
    with httpx.Client(base_url=target.address, headers=headers, timeout=30, trust_env=False) as client:
        while (missing := moves - len(requests)) > 0:
            body = {"game": GAME, "seats": seats, "options": options}
            created = client.post("/v1/matches", json=body).raise_for_status().json()
            match_id = created["match"]["match_id"]
            tokens = {given["seat"]: given["token"] for given in created["seat_tokens"]}
            first = client.get(f"/v1/matches/{match_id}/moves", params={"audience": "referee"})
            setup = msgspec.json.encode(first.raise_for_status().json()["moves"][0]["events"])
            requests += map(write, islice(played_ahead(match_id, setup, tokens), missing))
    return requests


def played_ahead(match_id: str, setup: bytes, tokens: Mapping[int, str]) -> Iterator[PreparedMove]:
    """Yield the moves of a random match from its set-up to its end."""
    game = registered_game(GAME)
    state = fold(game, game.event_codec.decode_many(setup))
    choices = SeededChance(sha256(match_id.encode()).digest(), 0)
    version = 1
    while waited_for := game.to_act(state):
        seat = waited_for[choices.below(len(waited_for))]
        action = game.sample(state, seat, choices)
        yield PreparedMove(match_id, seat, tokens[seat], version, str(uuid4()), encode(action))
        state = fold(game, game.decide(state, seat, action, ScriptedChance()), state)
        version += 1
