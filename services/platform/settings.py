"""Settings of the platform service from the environment. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from services.rpc.settings import RpcSettings


class PlatformSettings(RpcSettings):
    """Settings of a platform service."""

    listen: str = "127.0.0.1:7200"
    token_public_key_file: Path
    """Ed25519 public keys (PEM, one or several) to verify match tokens with; this process signs none."""
    webhook_key_file: Path
    """The keys that encrypt the secrets of webhook endpoints (services/webhooks/vault.py)."""
    webhook_lanes: int = Field(default=32, ge=0, le=1_000)
    """How many lanes of webhooks this process serves at the same time; 0: it leaves webhooks to other processes."""
    webhook_lease_seconds: float = Field(default=60, ge=2, le=3_600)
    """How long the deliveries of a process that died wait until another process sends them."""
    webhook_loopback: bool = False
    """For development only: webhooks may go to this machine, and without TLS. Never set it where others can create endpoints."""
    event_days: int = Field(default=30, ge=1, le=3_650)
    """How long events are stored, for the feed and for sending again."""
