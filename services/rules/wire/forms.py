"""The form of a response: JSON or typed messages, and the language of its texts."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from engine.kernel.text.texts import LANGUAGES
from foldtable.rules.v1 import payload_pb2
from services.rpc.refusals import malformed

KEYS: Final = "keys"
"""The language of texts without sentences, for clients that make the sentences themselves."""
_LANGUAGES: Final = frozenset({*LANGUAGES, KEYS})


class Form(NamedTuple):
    """The form of a response."""

    kind: int
    """A `PayloadForm`."""
    language: str = ""
    """One of LANGUAGES, or KEYS; empty: no texts."""

    @property
    def typed(self) -> bool:
        return self.kind == payload_pb2.PAYLOAD_FORM_TYPED


PLAIN: Final = Form(payload_pb2.PAYLOAD_FORM_JSON)
"""JSON without texts."""
_PLAIN_BY_KIND: Final = {kind: Form(kind) for kind in payload_pb2.PayloadForm.values()}


class Asking(Protocol):
    """A request that names the form of its response."""

    @property
    def form(self) -> payload_pb2.PayloadForm.ValueType: ...

    @property
    def language(self) -> str: ...


def form_of(request: Asking) -> Form:
    """Return the form that a request asks for. Raises Refused MALFORMED_REQUEST if there are no texts in its language."""
    if not request.language:
        return _PLAIN_BY_KIND.get(request.form, PLAIN)
    return Form(request.form, check_language(request.language))


def check_language(language: str) -> str:
    """Return a language of texts, or empty for none. Raises Refused MALFORMED_REQUEST for any other."""
    if language and language not in _LANGUAGES:
        raise malformed("$.language", f"must be one of {', '.join((*LANGUAGES, KEYS))}, or empty")
    return language
