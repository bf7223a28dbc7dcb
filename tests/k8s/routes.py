"""From the gateway's settings to the pods that serve a game, through rendered manifests."""

from __future__ import annotations

from typing import Any, Final

from gateway.settings import Settings

GAMES_NAMED: Final = "FOLDTABLE_GAMES"
Manifest = dict[str, Any]


def of_kind(manifests: list[Manifest], kind: str) -> list[Manifest]:
    return [manifest for manifest in manifests if manifest["kind"] == kind]


def selects(selector: dict[str, str], manifest: Manifest) -> bool:
    labels = manifest["spec"]["template"]["metadata"]["labels"]
    return selector.items() <= labels.items()


def settings_of(manifests: list[Manifest]) -> dict[str, dict[str, str]]:
    """Return the environment of every Deployment, by its name, as far as it is written in the manifests."""
    maps = {one["metadata"]["name"]: one["data"] for one in of_kind(manifests, "ConfigMap")}
    found = {}
    for deployment in of_kind(manifests, "Deployment"):
        (container,) = deployment["spec"]["template"]["spec"]["containers"]
        settings: dict[str, str] = {}
        for source in container["envFrom"]:
            settings |= maps[source["configMapRef"]["name"]]
        settings |= {one["name"]: one["value"] for one in container["env"] if "value" in one}
        found[deployment["metadata"]["name"]] = settings
    return found


def routes_of(manifests: list[Manifest]) -> dict[str, str]:
    """Return the address of every game, as the gateway reads it from its environment."""
    settings = settings_of(manifests)["gateway"]
    named = ("rules", "games", "token_public_key_file")
    return Settings(**{name: settings[f"FOLDTABLE_{name.upper()}"] for name in named}).rules  # type: ignore[arg-type]


def games_served_at(address: str, manifests: list[Manifest]) -> list[str]:
    """Return the games of the one Deployment behind an address; it must be of a Service with that port."""
    host, port = address.rsplit(":", 1)
    (service,) = [one for one in of_kind(manifests, "Service") if one["metadata"]["name"] == host]
    assert service["spec"]["ports"][0]["port"] == int(port)
    (deployment,) = [
        one for one in of_kind(manifests, "Deployment") if selects(service["spec"]["selector"], one)
    ]
    return settings_of(manifests)[deployment["metadata"]["name"]][GAMES_NAMED].split(",")
