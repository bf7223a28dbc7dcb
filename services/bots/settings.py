"""Settings of a bot worker from the environment, validated at the start. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from services.process.structured_logs import LogFormat
from services.rpc.bot_names import LEVELS


class BotsSettings(BaseSettings):
    """Settings of a bot worker."""

    model_config = SettingsConfigDict(env_prefix="FOLDTABLE_", hide_input_in_errors=True)

    gateway: str = "http://127.0.0.1:8080"
    """Address of a gateway."""
    bots_key_file: Path
    """API keys with the scope `bots:play`, one a line, each of a different tenant."""
    bot_levels: Annotated[tuple[str, ...], NoDecode] = LEVELS
    """Levels to play, separated by commas; all by default."""
    bot_seconds: float = Field(default=0.5, gt=0, le=60)
    """How long the level `search` may think about one move."""
    bot_processes: int = Field(default=1, ge=1, le=64)
    """How many processes compute moves."""
    bot_poll_seconds: float = Field(default=15, ge=0.1, le=600)
    """Interval for listing the matches that wait for a bot, in case the feed has missed one."""
    metrics_listen: str = ""
    """Address of the Prometheus endpoint; empty: none."""
    log_level: str = "info"
    log_format: LogFormat = LogFormat.JSON
    drain_seconds: float = Field(default=10, ge=0, le=300)

    @field_validator("bot_levels", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(part.strip() for part in value.split(",") if part.strip())

    @field_validator("bot_levels")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = sorted(set(value) - set(LEVELS))
        if unknown or not value:
            raise ValueError(f"unknown: {', '.join(unknown) or 'none named'}; there are: {', '.join(LEVELS)}")
        return value


def read_keys(path: Path) -> tuple[str, ...]:
    """Return the keys of a file, one a line. Raises ValueError if there are none, OSError if it cannot be read."""
    keys = tuple(line.strip() for line in path.read_text().splitlines() if line.strip())
    if not keys:
        raise ValueError(f"{path} holds no API key")
    return keys
