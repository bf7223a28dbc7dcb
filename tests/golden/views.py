"""What everybody saw of the golden matches, as one hash per match.

A match goes on under its rules, so what it shows must not change with newer ones. The hashes may be rewritten on
purpose, when views say more than they did: `python -m tests.golden.views`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from services.kit.records.stored_logs import digest_of_views, read, states_of
from tests.support.our_games import OUR_GAMES
from tests.support.stored_logs import GOLDEN, game_id_of, game_of, golden_logs

VIEWS: Final = GOLDEN / "views.json"


def log_key(log: Path) -> str:
    """Give the name under which a log's hash is kept."""
    return f"{game_id_of(log)}/{log.parent.name}/{log.stem}"


def views_of(log: Path) -> str:
    """Give the SHA-256 of what the public, the referee and each seat see after every move."""
    game, stored = game_of(log), read(log.read_bytes())
    return digest_of_views(game, states_of(game, stored), stored.header["seats"])


def main() -> None:
    """Write the hashes of all logs."""
    told = {log_key(log): views_of(log) for game_id in OUR_GAMES for log in golden_logs(game_id)}
    VIEWS.write_bytes(msgspec.json.format(msgspec.json.encode(told, order="sorted"), indent=2) + b"\n")


if __name__ == "__main__":
    main()
