"""One stream of `MatchService.Follow`, as a gateway would hold it. For tests; imported by name."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from rules_stack import Player, Refusal

from foldtable.matches.v1 import follow_pb2

Update = follow_pb2.FollowUpdate


class Subscriber:
    """One stream, and the updates it received."""

    def __init__(self, player: Player) -> None:
        self.stream = player.matches.Follow(metadata=player.metadata, timeout=60)
        self.updates: list[Update] = []
        self.messages = 0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while isinstance(response := await self.stream.read(), follow_pb2.FollowResponse):
            self.messages += 1
            self.updates += response.updates

    async def command(self, **command: Any) -> None:
        await self.commands(follow_pb2.FollowCommand(**command))

    async def commands(self, *commands: follow_pb2.FollowCommand) -> None:
        await self.stream.write(follow_pb2.FollowRequest(commands=commands))

    async def subscribe(self, follow_id: int, match_id: str, token: str = "", **more: Any) -> Update:
        """Begin a subscription; return its first update."""
        authorization = f"Bearer {token}" if token else ""
        subscribe = follow_pb2.Subscribe(
            follow_id=follow_id, match_id=match_id, authorization=authorization, **more
        )
        await self.command(subscribe=subscribe)
        return (await self.of(follow_id, 1))[0]

    async def of(self, follow_id: int, number: int) -> list[Update]:
        """Wait until a subscription has received `number` updates; return them."""
        async with asyncio.timeout(20):
            while len(updates := self._updates_of(follow_id)) < number:  # noqa: ASYNC110 - a test may poll
                await asyncio.sleep(0.005)
        return updates

    async def versions(self, follow_id: int, number: int) -> list[int]:
        """Wait for so many moves of a subscription."""
        async with asyncio.timeout(20):
            while len(moves := [one for one in self._updates_of(follow_id) if one.HasField("move")]) < number:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.005)
        return [one.move.version for one in moves]

    def _updates_of(self, follow_id: int) -> list[Update]:
        return [one for one in self.updates if one.follow_id == follow_id]

    async def refusal(self, follow_id: int) -> Refusal:
        """Wait until a subscription is refused."""
        async with asyncio.timeout(15):
            while True:
                last = [one for one in self.updates if one.follow_id == follow_id][-1:]
                if last and last[0].WhichOneof("update") == "refused":
                    status = last[0].refused
                    code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
                    return Refusal.of_status(status, code)
                await asyncio.sleep(0.02)

    async def ended(self) -> None:
        async with asyncio.timeout(20):
            await self._reading
