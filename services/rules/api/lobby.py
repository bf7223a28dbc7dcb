"""The seats of a match: joining, leaving, names, the start, and another player for a seat."""

from __future__ import annotations

from engine.match.commands import AnswerReplacement, AskToReplace
from foldtable.matches.v1 import lobby_pb2, replacing_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.administration import own_player
from services.identity.callers import PlayerCaller
from services.identity.match_tokens import MatchTokens
from services.identity.player_sessions import SessionScope
from services.movelog.records import Status
from services.process.bounds import MAX_PLAYER
from services.rpc.free_text import must_be_id
from services.rpc.refusals import malformed
from services.rules.api.commands import Commands
from services.rules.api.creating import GameOf, game_named
from services.rules.api.shown_matches import ShownMatches
from services.rules.match import starting
from services.rules.match.access import MatchAccess, Purpose, request_id
from services.rules.match.changing import change_match
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import key_only, must_have, tenant_only
from services.rules.seats import joining, minting, player_data, replacing
from services.rules.seats.own_seats import own_request_id
from services.rules.seats.waiting_seats import room_for
from services.rules.wire.forms import check_language
from services.rules.wire.payloads import payloads_of
from services.rules.wire.texts import add_outcome_texts


class Lobby:
    """Serves joining, leaving, players' names, data and readiness, the start, and the current match."""

    def __init__(
        self,
        cache: MatchCache,
        access: MatchAccess,
        shown: ShownMatches,
        tokens: MatchTokens,
        game_of: GameOf,
    ) -> None:
        self._cache = cache
        self._log = cache.log
        self._access = access
        self._commands = Commands(cache, access)
        self._shown = shown
        self._tokens = tokens
        self._game_of = game_of

    async def get(self, request: pb.GetMatchRequest, authorization: str | None) -> pb.GetMatchResponse:
        """Return a match, and its rematch if there is one. With a language, its outcome has texts."""
        language = check_language(request.language)
        entered = await self._access.enter(authorization, request.match_id, Purpose.READ)
        message = await self._shown.message(entered.match, entered.seating, entered.caller)
        if entered.match.status is Status.ENDED:
            following = await self._log.lobby.rematch_of(entered.match.id)
            message.next_match_id = "" if following is None else str(following.id)
            game = self._game_of(entered.match.game) if language else None
            if game is not None and message.HasField("outcome"):
                add_outcome_texts(game, message.outcome, language)
        return pb.GetMatchResponse(match=message)

    async def join(self, request: pb.JoinMatchRequest, authorization: str | None) -> pb.JoinMatchResponse:
        """Take a seat, and start the match if that was the last free one."""
        invite = self._access.invite(request.invite) if request.invite else None
        async with self._access.open_to_join(authorization, request.match_id, invite) as (caller, loaded):
            player = caller if isinstance(caller, PlayerCaller) else None
            if player is None and invite is not None:
                raise malformed(
                    "$.invite", "is for a session; authorize with the invite itself, or leave it out"
                )
            asked = joining.Joining(
                seat=request.seat if request.HasField("seat") else None,
                player=request.player,
                name=request.name,
                data=request.data,
                request_id=_request_id(player, request.request_id),
                invite=invite,
            )
            claim = await joining.join(self._cache, loaded, caller, asked)
            await starting.start_when_full(self._cache, loaded)
            match_id = loaded.match.id
        match, seated = await self._shown.now(match_id)
        return pb.JoinMatchResponse(
            match=await self._shown.message(match, seated, caller),
            token=minting.seat_token(self._tokens, match, claim, player),
        )

    async def quick_join(
        self, request: lobby_pb2.QuickJoinRequest, authorization: str | None
    ) -> lobby_pb2.QuickJoinResponse:
        """Take a seat in the oldest public match that fits, or in one created for the request."""
        caller = await self._access.caller(authorization)
        player = caller if isinstance(caller, PlayerCaller) else None
        if player is None:
            tenant = tenant_only(caller).tenant
            must_be_id(request.player, "$.player", MAX_PLAYER)
        else:
            must_have(player, SessionScope.JOIN)
            own_player(player, request.player, "$.player")
            tenant = player.tenant
        game = game_named(self._game_of, request.game)
        has_options = request.HasField("options")
        asked = joining.LookingForMatch(
            tenant=tenant,
            game=game,
            seats=request.seats if request.HasField("seats") else None,
            options=payloads_of(game).read_options(request.options) if has_options else None,
            player=request.player if player is None else player.player,
            name=request.name,
            create_if_none=request.create_if_none,
            request_id=_request_id(player, request.request_id),
            rule=None if player is None else room_for(player),
        )
        joined, claim = await joining.quick_join(self._log, asked)
        match, seated = await self._shown.started(joined)
        return lobby_pb2.QuickJoinResponse(
            match=await self._shown.message(match, seated, caller),
            token=minting.seat_token(self._tokens, match, claim, player),
        )

    async def leave(
        self, request: lobby_pb2.LeaveMatchRequest, authorization: str | None
    ) -> lobby_pb2.LeaveMatchResponse:
        """Give up a seat before the match begins."""
        seat = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=seat, fresh=True) as (
            caller,
            loaded,
        ):
            await joining.leave(self._cache, loaded, caller, seat)
            match_id = loaded.match.id
        return lobby_pb2.LeaveMatchResponse(match=await self._shown.message_now(match_id, caller))

    async def update_seat(
        self, request: lobby_pb2.UpdateSeatRequest, authorization: str | None
    ) -> lobby_pb2.UpdateSeatResponse:
        """Change a player's name, data or readiness."""
        seat = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=seat) as (caller, loaded):
            name = request.name if request.HasField("name") else None
            data = request.data if request.HasField("data") else None
            ready = request.ready if request.HasField("ready") else None
            await player_data.update_seat(
                self._cache, loaded, caller, seat, name=name, data=data, ready=ready
            )
            match_id = loaded.match.id
        return lobby_pb2.UpdateSeatResponse(match=await self._shown.message_now(match_id, caller))

    async def update(
        self, request: lobby_pb2.UpdateMatchRequest, authorization: str | None
    ) -> lobby_pb2.UpdateMatchResponse:
        """Change a match's title, its visibility, or what its platform notes about it."""
        key_only(await self._access.caller(authorization))
        entered = await self._access.enter(authorization, request.match_id)
        caller = tenant_only(entered.caller)
        await change_match(self._log, entered.match, request)
        return lobby_pb2.UpdateMatchResponse(match=await self._shown.message_now(entered.match.id, caller))

    async def replace_player(
        self, request: replacing_pb2.ReplacePlayerRequest, authorization: str | None
    ) -> replacing_pb2.ReplacePlayerResponse:
        """Give a seat of a running match to another player, and return the player's token."""
        key_only(await self._access.caller(authorization))
        asked = replacing.Asked(
            seat=request.seat,
            player=request.player,
            name=request.name,
            data=request.data,
            request_id=request_id(request.request_id),
            consent=request.consent,
        )
        async with self._access.open(authorization, request.match_id) as (caller, loaded):
            held = await replacing.replace_player(self._cache, loaded, caller, asked)
            match_id = loaded.match.id
        match, seated = await self._shown.now(match_id)
        return replacing_pb2.ReplacePlayerResponse(
            match=await self._shown.message(match, seated, caller),
            token=minting.seat_token(self._tokens, match, held),
        )

    async def ask_to_replace(
        self, request: replacing_pb2.AskToReplaceRequest, authorization: str | None
    ) -> replacing_pb2.AskToReplaceResponse:
        """Ask all other seats whether another player may have a seat."""
        result = await self._commands.run(request, AskToReplace(), authorization)
        return replacing_pb2.AskToReplaceResponse(result=result)

    async def answer_replacement(
        self, request: replacing_pb2.AnswerReplacementRequest, authorization: str | None
    ) -> replacing_pb2.AnswerReplacementResponse:
        """Agree or object to another player for a seat."""
        command = AnswerReplacement(accept=request.accept)
        result = await self._commands.run_decided(request, command, authorization)
        return replacing_pb2.AnswerReplacementResponse(result=result)

    async def start(
        self, request: lobby_pb2.StartMatchRequest, authorization: str | None
    ) -> lobby_pb2.StartMatchResponse:
        """Start a match with the players who have joined."""
        async with self._access.open(authorization, request.match_id, fresh=True) as (caller, loaded):
            await starting.start_on_demand(self._cache, loaded, caller)
            match_id = loaded.match.id
        return lobby_pb2.StartMatchResponse(match=await self._shown.message_now(match_id, caller))


def _request_id(player: PlayerCaller | None, text: str) -> str:
    checked = request_id(text)
    return checked if player is None else own_request_id(player, checked)
