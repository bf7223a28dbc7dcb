"""What the environment says, validated at start. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from engine.registry import GAMES
from services.structured_logs import LogFormat


class RulesSettings(BaseSettings):
    """Settings of a rules server."""

    model_config = SettingsConfigDict(env_prefix="FOLDTABLE_", hide_input_in_errors=True)

    games: Annotated[tuple[str, ...], NoDecode] = tuple(GAMES)
    """Ids of the games to serve, separated by commas; all by default."""
    listen: str = "127.0.0.1:7100"
    """Address of the gRPC port; port 0 takes any free one."""
    database_url: str = Field(min_length=1)
    token_private_key_file: Path
    """Ed25519 private key (PEM) that seat tokens are signed with."""
    seat_token_hours: float = Field(default=24, gt=0, le=24 * 365)
    metrics_listen: str = ""
    """Address of the Prometheus endpoint; empty: none."""
    reflection: bool = True
    log_level: str = "info"
    log_format: LogFormat = LogFormat.JSON
    drain_seconds: float = Field(default=10, ge=0, le=300)

    @field_validator("games", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return (
            tuple(part.strip() for part in value.split(",") if part.strip())
            if isinstance(value, str)
            else value
        )

    @field_validator("games")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        unknown = sorted(set(value) - set(GAMES))
        if unknown or not value:
            raise ValueError(f"unknown: {', '.join(unknown) or 'none named'}; there are: {', '.join(GAMES)}")
        return value
