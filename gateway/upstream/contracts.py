"""The gRPC contracts of this server and of the games that are served, as one set.

A game that comes in a package of its own brings its messages; its rules server sends them with the game's description.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Final

import structlog
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import DecodeError

from foldtable.rules.v1.rules_service_pb2 import DescribeGameResponse
from gateway.upstream.catalogue import PublicDocument

_log: Final = structlog.get_logger("gateway")


class Contracts:
    """Combines our own contracts with those of games; the last combination is kept while no game changes."""

    def __init__(self) -> None:
        self._own = files("foldtable").joinpath("descriptors.binpb").read_bytes()
        self._made_of: tuple[tuple[str, bytes], ...] = ()
        self._made = PublicDocument.of_bytes(self._own)

    def with_games(self, games: Iterable[DescribeGameResponse]) -> PublicDocument:
        """Return a serialised FileDescriptorSet, in which every file stands after its imports.

        If two have a file of the same name with different contents, the first remains: ours, or that of the game whose id
        comes first. The log says which other game's file is left out.
        """
        brought = tuple((game.summary.game, game.descriptors) for game in games if game.descriptors)
        if brought != self._made_of:
            self._made = PublicDocument.of_bytes(self._combined(brought) if brought else self._own)
            self._made_of = brought
        return self._made

    def _combined(self, brought: tuple[tuple[str, bytes], ...]) -> bytes:
        whole = FileDescriptorSet.FromString(self._own)
        known = {file.name: file for file in whole.file}
        for game, serialised in brought:
            try:
                theirs = FileDescriptorSet.FromString(serialised)
            except DecodeError:
                _log.warning("contract_unreadable", game=game)
                continue
            for file in theirs.file:
                if file.name not in known:
                    known[file.name] = file
                    whole.file.append(file)
                elif file != known[file.name]:
                    _log.warning(
                        "contract_left_out", game=game, file=file.name, why="another file has its name"
                    )
        return whole.SerializeToString(deterministic=True)
