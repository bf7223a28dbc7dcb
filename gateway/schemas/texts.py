"""Words for people: a message of a game's catalogue with its arguments."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType


class Text(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message of the game's catalogue (`GET /v1/games/{game}/texts/{lang}`) with its arguments. It says no more than the data beside it."""

    key: str
    args: Annotated[
        dict[str, int | str | Text | list[Text]],
        Meta(
            description="What belongs into the message: numbers, words, texts within the text, lists of texts. `none` stands for what is absent."
        ),
    ] = {}
    sentence: (
        Annotated[str, Meta(description="The whole sentence; absent with `lang=keys`, and in inner texts.")]
        | UnsetType
    ) = UNSET


Texts = Annotated[
    list[Text],
    Meta(
        description="Words for each of them, in the same order; only if a language is asked for, and there are any."
    ),
]
