"""What everybody saw of the golden matches, as one hash per match.

A match goes on under its rules, so what it shows must not change with newer ones. The hashes may be rewritten on
purpose, when views say more than they did: `python -m tests.golden.views`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, Seat, seat_audience
from engine.match.replay import states_after_each
from engine.registry import GAMES
from tests.support.stored_logs import GOLDEN, game_id_of, game_of, golden_logs, read

VIEWS: Final = GOLDEN / "views.json"


def log_key(log: Path) -> str:
    """Give the name under which a log's hash is kept."""
    return f"{game_id_of(log)}/{log.parent.name}/{log.stem}"


def digest_of_views(log: Path) -> str:
    """Give the SHA-256 of what the public, the referee and each seat see after every move."""
    game, (header, moves, _) = game_of(log), read(log)
    audiences = (PUBLIC, REFEREE, *(seat_audience(Seat(seat)) for seat in range(header["seats"])))
    seen = hashlib.sha256()
    for _, state in states_after_each(game, moves):
        for audience in audiences:
            seen.update(encode(game.view(state, audience)))
    return seen.hexdigest()


def main() -> None:
    """Write the hashes of all logs."""
    told = {log_key(log): digest_of_views(log) for game_id in GAMES for log in golden_logs(game_id)}
    VIEWS.write_bytes(msgspec.json.format(msgspec.json.encode(told, order="sorted"), indent=2) + b"\n")


if __name__ == "__main__":
    main()
