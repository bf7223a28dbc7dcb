"""Write the transcripts of every game of this repository again: `make golden`. The difference is to be reviewed."""

from __future__ import annotations

from importlib import import_module

from tests.support.our_games import OUR_GAMES


def main() -> None:
    """Call each game's `write_log` with the arguments of its TRANSCRIPTS."""
    for game_id in OUR_GAMES:
        writer = import_module(f"tests.golden.{game_id}.write_log")
        for words in writer.TRANSCRIPTS:
            writer.main(words.split())


if __name__ == "__main__":
    main()
