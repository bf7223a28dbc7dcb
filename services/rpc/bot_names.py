"""The bot that plays a seat, stored as one word: a level of the built-in bots, or the name of a tenant's own bot."""

from __future__ import annotations

import re
from typing import Final

from engine.bots import levels
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed

LEVELS: Final = tuple(levels.LEVELS)
"""The levels of the built-in bots, the weakest first."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_.-]{0,31}")


def level_of(bot: str) -> str:
    """Return the level of a built-in bot; empty for a tenant's own bot or none."""
    return bot if bot in LEVELS else ""


def own_name_of(bot: str) -> str:
    """Return the name of a tenant's own bot; empty for a built-in bot or none."""
    return "" if bot in LEVELS else bot


def read_bot(level: str, name: str, *, at: str = "$") -> str:
    """Return the stored word for a requested bot; `at` is its place in the request.

    Raises Refused BOT_UNKNOWN if there is no such level, MALFORMED_REQUEST unless there is one level or one valid name.
    """
    if bool(level) == bool(name):
        raise malformed(f"{at}.level", "or else `bot` says which bot plays: one of the two")
    if name:
        if _NAME.fullmatch(name) is None or name in LEVELS:
            raise malformed(
                f"{at}.bot", "must be a name like `my-bot.2`: at most 32 of a-z, 0-9, `_.-`, and no level's"
            )
        return name
    if level not in LEVELS:
        raise Refused(
            Reason.BOT_UNKNOWN,
            f"{at}.level is none of this server's: {', '.join(LEVELS)}; bots of your own are named by `bot`",
            field=f"{at}.level",
            metadata={"levels": ", ".join(LEVELS)},
        )
    return level
