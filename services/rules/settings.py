"""Settings from the environment, validated at start. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from engine.registry import GAMES, REFUSED
from services.movelog.export.signature import USUAL_ISSUER
from services.rpc.settings import RpcSettings

OFF: Final = "off"
SHORTEST_BOUND: Final = 0.5
"""Processor time is counted in hundredths of a second."""


class RulesSettings(RpcSettings):
    """Settings of a rules server."""

    games: Annotated[tuple[str, ...], NoDecode] = (*GAMES, *REFUSED)
    """Ids of the games to serve, separated by commas; by default all that are installed. One that cannot be used is reported in
    the log and left out."""
    listen: str = "127.0.0.1:7100"
    rules_service_listen: str = ""
    """Address of a gRPC port of its own for RulesService; empty: it is served at `listen`; `off`: its catalogue only. The
    catalogue, which gateways need, is always served at `listen` as well."""
    token_private_key_file: Path
    """Ed25519 private key (PEM) that match tokens are signed with."""
    token_public_key_file: Path | None = None
    """Ed25519 public keys (PEM, one or several) whose tokens are accepted, including the server's own; None: its own only."""
    export_private_key_file: Path | None = None
    """Ed25519 private key (PEM) that signs exports, not the one that signs tokens; None: exports are not signed."""
    export_public_key_file: Path | None = None
    """All public keys for past, present and future signatures of this server's exports; None: its own only."""
    export_issuer: Annotated[str, Field(min_length=1, max_length=200)] = USUAL_ISSUER
    """The signer that signed exports name, such as this server's public address."""
    seat_token_hours: float = Field(default=24, gt=0, le=24 * 365)
    max_forks_per_token: int = Field(default=100, ge=1, le=2**31 - 1)
    """Most forks that the holder of a seat or watch token may make of one match."""
    max_forks_per_tenant: int = Field(default=10_000, ge=1, le=2**31 - 1)
    """Most forks that a tenant may make of one match with its keys."""

    rules_seconds: float = Field(default=10, ge=0, le=3600)
    """Processor time that one call of a game's rules may take. A longer one is recorded, refused from then on, and this process
    is ended; 0: never."""

    @field_validator("rules_seconds")
    @classmethod
    def _measurable(cls, value: float) -> float:
        if 0 < value < SHORTEST_BOUND:
            raise ValueError(f"must be 0, or at least {SHORTEST_BOUND} seconds")
        return value

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
        unknown = sorted(set(value) - {*GAMES, *REFUSED})
        if unknown or not value:
            raise ValueError(f"unknown: {', '.join(unknown) or 'none named'}; there are: {', '.join(GAMES)}")
        return value
