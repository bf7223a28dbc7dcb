"""The levels a bot can be asked for, by name, the weakest first."""

from __future__ import annotations

from typing import Final

from engine.bots.bot import Bot, RandomBot
from engine.bots.greedy import GreedyBot
from engine.bots.search import SearchBot

LEVELS: Final[dict[str, Bot]] = {"random": RandomBot(), "greedy": GreedyBot(), "search": SearchBot()}
"""Bots keep nothing between moves: one of each level serves every seat of every match."""
