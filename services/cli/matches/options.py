"""`--option NAME=VALUE` on the command line: the options of a match, for games that have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.cli.console import fail

HELP = (
    "Option of the game, NAME=VALUE, such as patrons=draft; may be repeated. VALUE is JSON or a plain word."
)


def read_options(words: Sequence[str]) -> dict[str, Any]:
    """Return the options of `name=value` words; end with a message for another form or a repeated name."""
    options: dict[str, Any] = {}
    for word in words:
        name, separator, value = word.partition("=")
        if not separator or not name:
            fail(f"--option: {word!r} is not of the form NAME=VALUE", code=2)
        if name in options:
            fail(f"--option: {name} is given twice", code=2)
        try:
            options[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[name] = value
    return options


def known_options(options: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return those options that a game's options schema (JSON Schema, `$ref` into `$defs`) has a property for."""
    definitions = (schema, *schema.get("$defs", {}).values())
    top = schema.get("$ref", "").rpartition("/")[2]
    shape = schema["$defs"][top] if top else definitions[0]
    return {name: value for name, value in options.items() if name in shape.get("properties", {})}
