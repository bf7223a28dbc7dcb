"""Makes one decision of one seat: read, think, move. A bot knows only what its seat's token permits it to see."""

from __future__ import annotations

import secrets
import time
import uuid
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from engine.registry import has
from foldtable_client import ProblemError
from services.bots import metrics
from services.bots.api import Api
from services.bots.pacing import Pause, pause_of
from services.bots.thinking import TABLES, TABLES_OF_OTHERS, RulesStuck, Thinking
from services.process.tracing import begin_own

STALE: Final = frozenset({"VERSION_CONFLICT", "NOT_YOUR_TURN", "WRONG_DECISION"})
"""Refusals after which the seat reads the match again; there may be nothing left to decide."""

MAX_BY_CHANCE: Final = 10_000

_log: Final = structlog.get_logger("foldtable.bots")


@dataclass(frozen=True)
class Seat:
    """A seat that a bot plays."""

    match_id: str
    seat: int
    game: str
    level: str

    @property
    def key(self) -> tuple[str, int]:
        return self.match_id, self.seat


@dataclass(frozen=True)
class Decided:
    """An action, and the version for which it was chosen."""

    version: int
    action: bytes


class Player:
    """Plays seats of one tenant's bots."""

    def __init__(self, api: Api, thinking: Thinking, seconds: float) -> None:
        """`seconds`: how long a level may think about one move."""
        self._api = api
        self._thinking = thinking
        self._seconds = seconds
        self._by_chance: dict[tuple[str, int], None] = {}
        """Seats in which thinking did not return once: they are played by chance from then on, and hold up nobody else's."""

    async def pause(self, seat: Seat) -> Pause | None:
        """Return how long to wait before the turn, and after which version; None: not at all.

        Raises ProblemError if a request is refused, Unreachable if no gateway answers.
        """
        match = await self._api.paced(seat.key)
        return None if match is None else pause_of(match, seat.seat)

    async def turn(self, seat: Seat, after: int | None = None) -> bool:
        """Make a move if the seat has to act; return whether to read the match again at once.

        `after`: the version for whose sake the bot has waited; if the match has a newer one, nothing is done.
        Raises ProblemError if a request is refused, Unreachable if no gateway answers, BrokenProcessPool if a process died.
        """
        begin_own()
        began = time.monotonic()
        try:
            decided = await self._decide(seat, after)
        except _Newer:
            return True
        if decided is None:
            return False
        try:
            moved = await self._api.move(seat.key, decided.action, decided.version, str(uuid.uuid4()))
        except ProblemError as problem:
            if problem.reason not in STALE:
                raise
            metrics.OVERTAKEN.labels(seat.game, seat.level).inc()
            _log.info("overtaken", match_id=seat.match_id, seat=seat.seat, version=decided.version)
            return True
        seconds = time.monotonic() - began
        metrics.MOVES.labels(seat.game, seat.level).inc()
        metrics.ANSWER_SECONDS.labels(seat.game, seat.level).observe(seconds)
        _log.info(
            "moved",
            match_id=seat.match_id,
            seat=seat.seat,
            bot=seat.level,
            version=moved.version,
            ms=round(seconds * 1000, 1),
        )
        return seat.seat in moved.to_act

    async def _decide(self, seat: Seat, after: int | None) -> Decided | None:
        if seat.level == "random" or seat.key in self._by_chance:  # whoever does not think needs no states
            return await self._sample(seat, after)
        count = TABLES.get(seat.level, TABLES_OF_OTHERS)
        answer = await self._api.get(seat.key, "determinizations", count=count, seed=secrets.token_hex(16))
        answered = msgspec.json.decode(answer, type=_Determinizations)
        _must_be(answered.version, after)
        if not has(seat.game, answered.rules_version):
            _log.warning("rules we do not have", match_id=seat.match_id, rules_version=answered.rules_version)
            return await self._sample(seat, after)
        states = tuple(bytes(state) for state in answered.states)
        rules = seat.game, answered.rules_version
        try:
            action = await self._thinking.choose(seat.level, rules, seat.seat, states, self._seconds)
        except RulesStuck as stuck:
            _log.error("rules_stuck", match_id=seat.match_id, seat=seat.seat, error=str(stuck))
            self._by_chance[seat.key] = None
            if len(self._by_chance) > MAX_BY_CHANCE:
                self._by_chance.pop(next(iter(self._by_chance)))
            return await self._sample(seat, after)
        return None if action is None else Decided(answered.version, action)

    async def _sample(self, seat: Seat, after: int | None) -> Decided | None:
        """Return any legal action, drawn by the server."""
        answered = msgspec.json.decode(
            await self._api.get(seat.key, "legal-actions", samples=1), type=_LegalActions
        )
        _must_be(answered.version, after)
        return Decided(answered.version, bytes(answered.samples[0])) if answered.samples else None


class _Newer(Exception):  # noqa: N818 - says what happened; never leaves this module
    """Somebody has moved while the bot waited."""


def _must_be(version: int, after: int | None) -> None:
    if after is not None and version != after:
        raise _Newer


class _LegalActions(msgspec.Struct, frozen=True):
    version: int
    samples: list[msgspec.Raw]


class _Determinizations(msgspec.Struct, frozen=True):
    version: int
    rules_version: str
    states: list[msgspec.Raw]
