"""What the environment says to the platform service. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path

from services.rpc.settings import RpcSettings


class PlatformSettings(RpcSettings):
    """Settings of a platform service."""

    listen: str = "127.0.0.1:7200"
    token_public_key_file: Path
    """Ed25519 public key (PEM) that match tokens are checked with; this process signs none."""
