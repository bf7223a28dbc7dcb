"""What the environment says, validated at start. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from engine.registry import GAMES
from services.rpc.settings import RpcSettings


class RulesSettings(RpcSettings):
    """Settings of a rules server."""

    games: Annotated[tuple[str, ...], NoDecode] = tuple(GAMES)
    """Ids of the games to serve, separated by commas; all by default."""
    listen: str = "127.0.0.1:7100"
    token_private_key_file: Path
    """Ed25519 private key (PEM) that match tokens are signed with."""
    seat_token_hours: float = Field(default=24, gt=0, le=24 * 365)

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
