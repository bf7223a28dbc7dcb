"""The response body that publishes the signing keys."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Jwk(Struct, frozen=True, kw_only=True):
    """A public Ed25519 key as a JSON Web Key (RFC 8037)."""

    kid: Annotated[
        str,
        Meta(
            description="The key's id, which a signature names: its thumbprint (RFC 7638).",
            examples=["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"],
        ),
    ]
    kty: Annotated[Literal["OKP"], Meta(description="The key type: octet key pair (RFC 8037).")] = "OKP"
    crv: Annotated[Literal["Ed25519"], Meta(description="Its curve.")] = "Ed25519"
    x: Annotated[
        str,
        Meta(
            description="The key itself, 32 bytes as base64url.",
            examples=["11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
        ),
    ]
    use: Annotated[Literal["sig"], Meta(description="Its use: signatures.")] = "sig"
    alg: Annotated[Literal["EdDSA"], Meta(description="The algorithm it signs with.")] = "EdDSA"


class JwkSet(Struct, frozen=True, kw_only=True):
    """Public keys, in the order of their first use."""

    keys: Annotated[list[Jwk], Meta(description="The keys; empty if this server does not sign exports.")]
