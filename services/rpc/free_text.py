"""Free text of requests: the rule of `services/free_text`, with refusals that name the field."""

from __future__ import annotations

from services.free_text.rule import TextRefused, check_characters, check_id, stored
from services.rpc.refusals import malformed


def read_text(text: str, at: str, most: int) -> str:
    """Return text as it is stored. Raises Refused MALFORMED_REQUEST if it cannot be taken."""
    try:
        return stored(text, most)
    except TextRefused as problem:
        raise malformed(at, str(problem)) from None


def must_be_id(text: str, at: str, most: int) -> None:
    """Raises Refused MALFORMED_REQUEST unless an id can be stored exactly as it was sent."""
    try:
        check_id(text, most)
    except TextRefused as problem:
        raise malformed(at, str(problem)) from None


def must_be_readable(text: str, at: str, most: int) -> None:
    """Raises Refused MALFORMED_REQUEST for text with characters that are refused everywhere.

    It is for what is only compared with stored ids: those that earlier releases took stay known by what they are.
    """
    try:
        check_characters(text, most)
    except TextRefused as problem:
        raise malformed(at, str(problem)) from None
