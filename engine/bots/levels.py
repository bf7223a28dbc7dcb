"""The levels of the built-in bots, by name, the weakest first."""

from __future__ import annotations

from typing import Final

from engine.bots.bot import Bot, RandomBot
from engine.bots.greedy import GreedyBot
from engine.bots.search import SearchBot

LEVELS: Final[dict[str, Bot]] = {"random": RandomBot(), "greedy": GreedyBot(), "search": SearchBot()}
"""Bots are stateless, so one bot of each level serves every seat of every match."""
