"""The metrics of a bot worker for Prometheus. Labels hold games and levels, never ids."""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

MOVES: Final = Counter("foldtable_bot_moves", "Moves that were made.", labelnames=("game", "level"))
OVERTAKEN: Final = Counter(
    "foldtable_bot_overtaken", "Moves somebody else was quicker with.", labelnames=("game", "level")
)
FAILURES: Final = Counter("foldtable_bot_failures", "Turns that were given up, for the next poll to find.")
ANSWER_SECONDS: Final = Histogram(
    "foldtable_bot_answer_seconds",
    "From looking at the table to a move that is durable.",
    labelnames=("game", "level"),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
OPEN_FEEDS: Final = Gauge("foldtable_bot_feeds", "Feeds that are open.")
PLAYING: Final = Gauge("foldtable_bot_seats", "Seats that are being played.")
