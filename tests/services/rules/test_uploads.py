"""Exports that are being sent take up memory: so much of it, for so long, and nobody takes up all the room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1.history_pb2 import ImportMatchRequest
from services.rpc.refusals import Refused
from services.rules.wire.uploads import AT_ONCE, AT_ONCE_OF_TENANT, RETRY_SECONDS, UploadRoom, read_upload
from tests.support.match_documents import a_match, document_of


def an_export() -> bytes:
    return document_of(*a_match(moves=12, match_id=uuid4()), "Ada", "Bo")


async def begun(player: Player) -> Any:
    """Begin an upload, and leave it so."""
    upload = player.matches.ImportMatch(metadata=player.metadata, timeout=30)
    await upload.write(ImportMatchRequest(chunk=b"{"))
    return upload


async def test_a_tenant_has_so_many_imports_under_way_and_others_have_theirs(
    stack: Stack, tenant: Player
) -> None:
    uploads = [await begun(tenant) for _ in range(AT_ONCE_OF_TENANT)]
    error = await until_full(tenant)
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    refusal = Refusal.of(error)
    assert (refusal.reason, refusal.info.metadata["bucket"]) == ("RATE_LIMITED", "imports_of_tenant")
    assert retry_seconds(error) == RETRY_SECONDS
    assert (await stack.player("ft_test_two").import_document(an_export())).match.version

    uploads.pop().cancel()
    imported = await until_there_is_room(tenant)
    assert imported.match.version
    for upload in uploads:
        upload.cancel()


async def until_full(player: Player) -> grpc.aio.AioRpcError:
    """Uploads are counted once their first piece has come, a little after it was sent."""
    for _ in range(50):
        try:
            await player.import_document(an_export())
        except grpc.aio.AioRpcError as error:
            return error
        await asyncio.sleep(0.02)
    raise AssertionError("an import was taken in with all others under way")


async def until_there_is_room(player: Player) -> Any:
    document = an_export()
    for _ in range(50):
        try:
            return await player.import_document(document)
        except grpc.aio.AioRpcError as error:
            if Refusal.of(error).reason != "RATE_LIMITED":
                raise
        await asyncio.sleep(0.02)
    raise AssertionError("who goes away leaves no room")


def retry_seconds(error: grpc.aio.AioRpcError) -> int:
    (raw,) = [value for key, value in error.trailing_metadata() if key == "grpc-status-details-bin"]
    retry = error_details_pb2.RetryInfo()
    (detail,) = [one for one in status_pb2.Status.FromString(raw).details if one.Is(retry.DESCRIPTOR)]
    detail.Unpack(retry)
    return retry.retry_delay.seconds


def test_the_room_of_a_process_is_bounded_whoever_asks() -> None:
    room = UploadRoom()
    held = [room.taken(f"tenant {number // 2}") for number in range(AT_ONCE)]
    for one in held:
        one.__enter__()
    with pytest.raises(Refused, match="too many imports") as failure, room.taken("another"):
        pass
    assert failure.value.metadata["bucket"] == "imports_of_process"
    held[0].__exit__(None, None, None)
    with room.taken("another"):
        pass


async def test_a_document_that_does_not_come_is_not_waited_for() -> None:
    async def chunks() -> AsyncIterator[ImportMatchRequest]:
        yield ImportMatchRequest(chunk=b"{")
        await asyncio.Event().wait()

    with pytest.raises(Refused, match="not whole after 0 seconds") as failure:
        await read_upload(chunks(), seconds=0.05)
    assert failure.value.field == "$.chunk"
