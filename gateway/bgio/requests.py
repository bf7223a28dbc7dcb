"""Dependencies of the routes under `/bgio`: the match in the path, and the player in the body."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from foldtable.matches.v1 import match_pb2
from gateway.access.admission import judge_another_credential
from gateway.dependencies import AskedMatch, GatewayParts, Match, RequestTrace
from gateway.http.path_parameters import NO_SUCH_MATCH, Game
from gateway.problems.document import ProblemError
from gateway.schemas import bgio


@dataclass(frozen=True)
class GameMatch(AskedMatch):
    """The match in the path, which must belong to the game in the path."""

    game: str
    _request: Request

    async def find(self, language: str = "") -> match_pb2.Match:
        """Return the match. Raises ProblemError for a match of another game, as for one that does not exist."""
        found = await super().find(language)
        self.must_be_of(found.game)
        return found

    def must_be_of(self, game: str) -> None:
        """Raises ProblemError MATCH_NOT_FOUND if the match's game is not the one in the path."""
        if game != self.game:
            raise ProblemError("MATCH_NOT_FOUND", NO_SUCH_MATCH)

    def as_player(self, body: bgio.BgioSeatRequest) -> GameMatch:
        """Return the match, called on behalf of the player whose token the body holds.

        Raises ProblemError SEAT_FORBIDDEN if the token is not that seat's.
        """
        judge_another_credential(self._request)
        player = self._gateway.authenticator.read(f"Bearer {body.credentials}")
        claims = player.claims
        if claims is None or (claims.role, claims.mid, str(claims.seat)) != (
            "seat",
            self.match_id,
            body.player_id,
        ):
            raise ProblemError("SEAT_FORBIDDEN", "`credentials` do not belong to this seat")
        return replace(self, caller=player)


async def _match_of_game(
    match: Match, gateway: GatewayParts, trace: RequestTrace, game: Game, request: Request
) -> GameMatch:
    return GameMatch(match.caller, gateway, trace, match.match_id, game, request)


MatchOfGame = Annotated[GameMatch, Depends(_match_of_game, scope="function")]
"""The match that `{match_id}` names, which must belong to the game that `{game}` names."""
