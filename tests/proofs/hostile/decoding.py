"""What a decoder is here: something of ours that reads bytes from outside, how to call it, and how it may say no."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

CORPUS: Final = Path(__file__).with_name("corpus")
"""Inputs that something was wrong with once, in a folder per decoder. They are played back for ever."""
CPU_SECONDS: Final = 1.0
"""Of this thread, for one input of any size a border lets in. Time of the wall would measure the machine's other work."""

CHOICE_BYTES: Final = 2
"""At the beginning of a fuzzer's input: which decoder of several it is for."""

T = TypeVar("T")


class TooSlowError(AssertionError):
    """An answer came, after more work than an input may cost."""


@dataclass(frozen=True)
class Decoder:
    """One reader of what strangers send."""

    name: str
    """Unique; the name of its folder in the corpus."""
    read: Callable[[bytes], object]
    """Reads in this process, without a server."""
    refusals: tuple[type[Exception], ...]
    """How it says no. Anything else that comes out of it is a fault of ours."""
    seeds: tuple[bytes, ...]
    """Good inputs, from which bad ones are made."""
    most: int = 64 * 1024
    """Bytes the border before it lets in."""
    cpu_seconds: float = CPU_SECONDS

    def feed(self, data: bytes) -> bool:
        """Return whether the input was accepted; whatever is neither that nor a refusal comes out as it is. TooSlowError."""
        begun = time.thread_time()
        try:
            self.read(data[: self.most])
        except self.refusals:
            accepted = False
        else:
            accepted = True
        spent = time.thread_time() - begun
        if spent > self.cpu_seconds:
            raise TooSlowError(f"{self.name}: {spent:.1f} s for {len(data)} bytes")
        return accepted

    @property
    def corpus(self) -> list[Path]:
        """Return what was found in it before."""
        return sorted((CORPUS / self.name).glob("*"))


def chosen(found: list[Decoder], data: bytes) -> tuple[Decoder, bytes]:
    """Return the decoder a fuzzer's input is for, and what it is to read."""
    which = int.from_bytes(data[:CHOICE_BYTES], "big")
    return found[which % len(found)], data[CHOICE_BYTES:]


def done(reading: Coroutine[Any, Any, T]) -> T:
    """Run what waits for nothing, without an event loop."""
    try:
        reading.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    reading.close()
    raise AssertionError("it waits for something")
