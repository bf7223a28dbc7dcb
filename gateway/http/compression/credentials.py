"""The operations whose responses carry a credential, and are therefore not compressed (BREACH)."""

from __future__ import annotations

from typing import Final

WITH_CREDENTIALS: Final = frozenset(
    {
        "createEndpoint",
        "createFeedTicket",
        "createKey",
        "createLoginCode",
        "createMatch",
        "createMatches",
        "createMatchesTicket",
        "createPlayerSession",
        "createStreamTicket",
        "forkMatch",
        "inviteToSeat",
        "issueSeatToken",
        "issueWatchToken",
        "joinMatch",
        "quickJoin",
        "redeemLoginCode",
        "rematch",
        "replacePlayer",
        "rotateEndpointSecret",
        "rotateKey",
    }
)
"""By operation id. A test finds them by the fields of their responses."""
