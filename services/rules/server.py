"""The rules server: its gRPC services over a log, its sweeper, and its heartbeat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final, Self

import structlog

from engine.registry import SHADOWED, distribution
from foldtable.matches.v1 import match_service_pb2
from foldtable.rules.v1 import rules_service_pb2, rules_service_pb2_grpc
from services.identity.callers import Callers, Keys
from services.identity.key_ring import KeyRing
from services.identity.match_tokens import MatchTokens
from services.identity.service_table import add_service
from services.movelog.export.signature import ExportSigner
from services.movelog.postgres.log import PostgresLog
from services.process.ending import end
from services.rpc.server import RpcServer
from services.rules.api.heavy_reads import HeavyBounds, HeavyReads
from services.rules.api.match_service import match_service
from services.rules.api.rules_servicer import RulesServicer
from services.rules.forgetting.api import Forgetting
from services.rules.match.downtimes import Heartbeat
from services.rules.match.forking import ForkBounds
from services.rules.match.match_cache import MatchCache
from services.rules.players import Players
from services.rules.seats.bot_seats import stand_in
from services.rules.served_games import NoGames, usable_games
from services.rules.settings import OFF, RulesSettings
from services.rules.sweeps.expiring import expire
from services.rules.sweeps.reminding import remind
from services.rules.sweeps.sweeping import Sweeper
from services.rules.sweeps.vacation_rows import PostgresVacations
from services.rules.sweeps.vacations import VacationSweeper
from services.rules.watchdog.guarded import WATCHED_HERE
from services.rules.watchdog.known_calls import known_by_content
from services.rules.watchdog.stuck_calls import StuckCalls

_MATCH_SERVICE: Final = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
_RULES_SERVICE: Final = rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"]
SERVICES: Final = (
    _RULES_SERVICE.full_name,
    _MATCH_SERVICE.full_name,
)
COMPUTING: Final = tuple(
    f"/{_RULES_SERVICE.full_name}/{name}"
    for name in ("StartGame", "DecideAction", "FoldEvents", "GetLegalActions", "GetView")
)
"""The calls of RulesService that compute something from what a caller sends, and need no credential."""
BOUNDS: Final = HeavyBounds(at_once=8, of_caller=6, waiting=1_024, waiting_of_caller=512)
"""How many of them are read and answered at the same time. With messages of at most 4 MiB this is what bounds their memory."""


class RulesServer:
    """RulesService and MatchService for the games of the settings, and the sweeper of their clocks."""

    def __init__(
        self,
        settings: RulesSettings,
        log: PostgresLog,
        keys: Keys,
        tokens: MatchTokens,
        exports: ExportSigner | None = None,
        *,
        players: Players | None = None,
    ) -> None:
        """`players` is what is known of players beyond a match; None: the database of the log, with a cache.

        Raises NoGames if none of the games in the settings can be used.
        """
        turns = HeavyReads(BOUNDS, what="calls of RulesService", bucket="rules_calls")
        in_turns = dict.fromkeys(COMPUTING, turns)
        elsewhere = COMPUTING if settings.rules_service_listen else ()
        self._server = server = RpcServer(settings, SERVICES, in_turns=in_turns, closed=elsewhere)
        self._apart = _apart(settings, in_turns)
        games, refused = usable_games(settings.games, WATCHED_HERE.guarded)
        for problem in (*refused, *(one for one in SHADOWED if one.game_id in settings.games)):
            structlog.get_logger("foldtable.rules").error(
                "game_refused", game=problem.game_id, why=str(problem)
            )
        if not games:
            raise NoGames(refused)
        self.games = tuple(games)
        """The games that it serves."""
        self.rules_service_address = ""
        """Where RulesService has a port of its own, once it listens."""
        self.distributions = {game_id: distribution(game_id) for game_id in games}
        """Who brings each of them."""
        self._stuck = StuckCalls(log.pool, self.distributions)
        self._cache = MatchCache(log, games.get)
        self._games = tuple(games.values())
        self._heartbeat = Heartbeat(log.clocks, tuple(games.values()), self._cache.downtimes)
        self._beating: asyncio.Task[None] | None = None
        self._sweeper = Sweeper(
            self._cache, tuple(games.values()), hand_over=stand_in, stopped=lambda: self._stuck.matches
        )
        self._sweeping: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._proposals = log.proposals
        self._expiring: asyncio.Task[None] | None = None
        self._reminding: asyncio.Task[None] | None = None
        self._vacations = VacationSweeper(
            self._cache, PostgresVacations(log.pool), self._games, stopped=lambda: self._stuck.matches
        )
        self._resting: asyncio.Task[None] | None = None
        forks = ForkBounds(of_token=settings.max_forks_per_token, of_tenant=settings.max_forks_per_tenant)
        players = players or Players.on(log.pool)
        callers = Callers(keys, tokens, players.sessions)
        heavy = HeavyReads()
        matches = match_service(
            self._cache,
            callers,
            players,
            tokens,
            games.get,
            server.drain,
            forks,
            exports,
            forgetting=Forgetting.on(log),
            heavy=heavy,
        )
        add_service(server.grpc, _MATCH_SERVICE, matches)
        rules = known_by_content(RulesServicer(games, heavy), _RULES_SERVICE)
        for one in (server, self._apart):
            if one is not None:
                rules_service_pb2_grpc.add_RulesServiceServicer_to_server(rules, one.grpc)

    @classmethod
    def on(
        cls, settings: RulesSettings, log: PostgresLog, tokens: MatchTokens, exports: ExportSigner | None
    ) -> Self:
        """Return a server that knows API keys and players from the database of the log, and remembers them for a short time.

        Processes take it, and so do the proofs.
        """
        return cls(settings, log, KeyRing(log.pool), tokens, exports)

    async def start(self) -> str:
        """Start listening and sweeping; return the address with the actual port. Raises DatabaseUnavailable."""
        await self._stuck.load()
        WATCHED_HERE.stuck = self._stuck
        await self._heartbeat.look()
        self._beating = asyncio.create_task(self._heartbeat.run(after=self._server.called), name="heartbeat")
        address = await self._server.start()
        if self._apart is not None:
            self.rules_service_address = await self._apart.start()
        self._sweeping = asyncio.create_task(self._sweeper.run(), name="sweeper")
        self._reading = asyncio.create_task(self._stuck.keep(), name="stuck calls")
        self._expiring = asyncio.create_task(expire(self._proposals), name="expiring proposals")
        self._reminding = asyncio.create_task(remind(self._cache.log.clocks), name="reminding")
        self._resting = asyncio.create_task(self._vacations.run(), name="vacations")
        return address

    async def stop(self) -> None:
        """Drain, then close."""
        await self.stop_sweeping()
        await end(self._expiring)
        await end(self._reminding)
        await end(self._resting)
        if self._apart is not None:
            await self._apart.stop()
        await self._server.stop()
        await end(self._beating)
        await end(self._reading)
        await self._cache.close()
        if WATCHED_HERE.stuck is self._stuck:
            WATCHED_HERE.stuck = None

    async def stop_sweeping(self) -> None:
        """Stop sweeping; other servers sweep the clocks."""
        await end(self._sweeping)


def _apart(settings: RulesSettings, in_turns: Mapping[str, HeavyReads]) -> RpcServer | None:
    """Return the server of RulesService at a port of its own; None: the settings want none."""
    listen = settings.rules_service_listen
    if listen in {"", OFF}:
        return None
    own = settings.model_copy(update={"listen": listen, "health_listen": ""})
    return RpcServer(own, SERVICES[:1], in_turns=in_turns)
