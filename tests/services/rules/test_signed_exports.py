"""A rules server signs what it exports: ended and running matches, forks, and none that it did not see played."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rules_stack import Player, Refusal, Stack

from foldtable.matches.v1 import fork_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.match_tokens import MatchTokens
from services.movelog.export.format import read_document
from services.movelog.export.signature import ExportSigner, Signature, check_signature
from services.movelog.export.verification import verify_document
from services.process.public_keys import by_key_id
from tests.support.match_documents import a_match, document_of

BEFORE, NOW, ELSEWHERE = [Ed25519PrivateKey.generate() for _ in range(3)]
KEYS = by_key_id([BEFORE.public_key(), NOW.public_key()])
SIGNER = ExportSigner(NOW, issuer="https://play.example", known=[BEFORE.public_key()])


@pytest.fixture
async def signing(database_url: str) -> AsyncIterator[Stack]:
    tokens = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
    stack = Stack(database_url, tokens, exports=SIGNER)
    try:
        stack.address = await stack.serve()
        yield stack
    finally:
        await stack.close()


async def exported(player: Player, match_id: str) -> bytes:
    return (await player.call("ExportMatch", pb.ExportMatchRequest(match_id=match_id))).document


async def verified(player: Player, match_id: str) -> Any:
    return await player.call("VerifyMatch", pb.VerifyMatchRequest(match_id=match_id))


def found(document: bytes) -> Signature:
    return check_signature(read_document(document), KEYS)


async def test_a_match_is_signed_for_while_it_runs_and_once_it_has_ended(signing: Stack) -> None:
    """The head of the chain that was signed for first is in the later file: whoever kept one can hold the server to it."""
    tenant = signing.player()
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.any_move(match_id, (await tenant.get(match_id)).to_act[0])
    seat = signing.player(created.tokens[1].token)
    running = [await exported(player, match_id) for player in (tenant, seat)]
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    ended = await exported(tenant, match_id)
    for document in (*running, ended):
        assert (found(document).standing, found(document).issuer) == ("fits", "https://play.example")
    assert verify_document(read_document(ended)).decided_again
    head = read_document(running[0]).moves[-1].hash
    assert [move.hash for move in read_document(ended).moves][1] == head
    assert (await verified(tenant, match_id)).signing_key_id == SIGNER.key_id


async def test_a_match_that_waits_for_players_is_signed_for(signing: Stack) -> None:
    tenant = signing.player()
    match_id = (await tenant.create(2, open_seats=True)).match.match_id
    assert found(await exported(tenant, match_id)).standing == "fits"


async def test_a_fork_is_signed_for_here_whatever_it_began_from(signing: Stack) -> None:
    tenant = signing.player()
    imported = await tenant.import_document(document_of(*a_match(moves=8, match_id=uuid4()), "Ada", "Bo"))
    fork = await tenant.call(
        "ForkMatch", fork_pb2.ForkMatchRequest(match_id=imported.match.match_id, version=4)
    )
    assert found(await exported(tenant, fork.match.match_id)).standing == "fits"


@pytest.mark.parametrize("signed_by", [None, NOW, BEFORE, ELSEWHERE])
async def test_an_imported_match_is_never_signed_for_as_ours(signing: Stack, signed_by: Any) -> None:
    """It was checked against itself, and whoever brought it may have known the secret: nobody here saw it played."""
    tenant = signing.player()
    sign = None if signed_by is None else ExportSigner(signed_by).sign
    document = document_of(*a_match(moves=8, match_id=uuid4()), "Ada", "Bo", sign=sign)
    imported = await tenant.import_document(document)
    match_id = imported.match.match_id
    ours = found(await exported(tenant, match_id))
    assert ours.issuer != "https://play.example"
    assert (await verified(tenant, match_id)).signing_key_id == ""
    assert (await tenant.import_document(document)).replayed


@pytest.mark.parametrize("signed_by", [NOW, BEFORE, ELSEWHERE])
async def test_an_import_whose_signature_does_not_fit_is_refused_and_named(
    signing: Stack, signed_by: Any
) -> None:
    """Another table than was signed needs no key to be seen; a forged signature of one of our keys is seen with it."""
    tenant = signing.player()
    honest = json.loads(
        document_of(*a_match(moves=8, match_id=uuid4()), "Ada", "Bo", sign=ExportSigner(signed_by).sign)
    )
    forged = json.loads(document_of(*a_match(moves=8, match_id=uuid4(), choices_of=2), "Ada", "Bo"))
    stolen = json.dumps(forged | {"signature": honest["signature"]}).encode()
    refusal = await refused(tenant, stolen)
    assert (refusal.reason, refusal.fields) == ("IMPORT_BROKEN", ["$.signature"])


async def test_a_signature_that_pretends_to_be_ours_is_refused(signing: Stack) -> None:
    pretender = ExportSigner(ELSEWHERE)
    pretender.key_id = SIGNER.key_id  # type: ignore[misc]
    document = document_of(*a_match(moves=8, match_id=uuid4()), "Ada", "Bo", sign=pretender.sign)
    refusal = await refused(signing.player(), document)
    assert (refusal.reason, refusal.fields) == ("IMPORT_BROKEN", ["$.signature"])
    assert "not made with the key it names" in refusal.message


async def test_without_a_key_nothing_is_signed(stack: Stack, tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    assert found(await exported(tenant, match_id)).standing == "unsigned"
    assert (await verified(tenant, match_id)).signing_key_id == ""


async def refused(player: Player, document: bytes) -> Refusal:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await player.import_document(document)
    return Refusal.of(failure.value)
