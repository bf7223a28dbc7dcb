"""Views, legal actions and moves: complete, for the right eyes, at any version."""

from __future__ import annotations

import base64

import msgspec
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.river_dragons.v1 import actions_pb2, view_pb2
from foldtable.rules.v1 import payload_pb2, table_pb2

REFEREE = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)
TYPED = payload_pb2.PAYLOAD_FORM_TYPED


async def some_moves(tenant: Player, match_id: str, moves: int) -> None:
    for _ in range(moves):
        seat = (await tenant.get(match_id)).to_act[0]
        await tenant.any_move(match_id, seat)


async def test_every_view_back_in_time_is_the_view_that_was_live(stack: Stack, tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    player = stack.player(created.tokens[0].token)
    live = {1: (await player.view(match_id)).view}
    for version in range(2, 14):
        await some_moves(tenant, match_id, 1)
        live[version] = (await player.view(match_id)).view
    other = stack.player(created.tokens[0].token, address=await stack.serve())
    for version in (13, 1, 7, 6, 8, 12):
        seen = await other.view(match_id, at_version=version)
        assert (seen.version, seen.view) == (version, live[version])


async def test_a_view_the_caller_has_already_is_not_sent_again(tenant: Player) -> None:
    match = (await tenant.create(2)).match
    assert (await tenant.view(match.match_id, unless_version=1)).view.WhichOneof("form") is None
    assert (await tenant.view(match.match_id, unless_version=0)).view.json


async def test_an_unrevealed_program_is_seen_by_its_seat_and_the_referee_only(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(3)
    match_id = created.match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=1))
    seen = {
        "own": await stack.player(created.tokens[1].token).view(match_id),
        "other": await stack.player(created.tokens[0].token).view(match_id),
        "public": await tenant.view(match_id),
        "referee": await tenant.view(match_id, audience=REFEREE),
    }
    programs = {name: msgspec.json.decode(one.view.json)["programs"] for name, one in seen.items()}
    whole = [{"seat": 1, "cards": list(FIVE_CARDS)}]
    assert programs == {"own": whole, "other": [], "public": [], "referee": whole}
    for credential, expected in (
        (created.tokens[1].token, list(FIVE_CARDS)),
        (created.tokens[0].token, None),
    ):
        listed = (await stack.player(credential).moves(match_id)).moves[1]
        assert msgspec.json.decode(listed.events.json)[0]["cards"] == expected
        assert listed.HasField("action") == (expected is not None)


async def test_every_listed_action_and_every_sample_can_be_posted_back(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    for seat in (0, 1):
        await tenant.call("Act", act(match_id, program(*FIVE_CARDS), seat + 1, seat=seat))
    (seat,) = (await tenant.get(match_id)).to_act
    legal = await tenant.legal(match_id, seat=seat, samples=5)
    listed = msgspec.json.decode(legal.actions.json)
    assert [action["island"] for action in listed] == [f"I{n:02}" for n in range(1, 28)]
    assert all(sample in listed for sample in msgspec.json.decode(legal.samples.json))
    accepted = await tenant.call("Act", act(match_id, listed[-1], legal.version, seat=seat))
    assert accepted.version == legal.version + 1


async def test_a_seat_without_a_decision_has_nothing_to_do(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 1, seat=0))
    legal = await tenant.legal(match_id, seat=0, samples=3)
    assert not legal.HasField("pending")
    assert (legal.actions.json, legal.templates.json, legal.samples.json) == (b"[]", b"[]", b"[]")


async def test_moves_are_listed_in_pages_without_holes(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await some_moves(tenant, match_id, 9)
    versions, token = [], ""
    while True:
        page = await tenant.moves(match_id, page_size=4, page_token=token)
        versions += [move.version for move in page.moves]
        token = page.next_page_token
        if not token:
            break
    assert versions == list(range(1, 11))
    refusal_of = pb.ListMovesRequest(match_id=match_id, page_token=page.next_page_token or "x")
    assert (await tenant.refused("ListMoves", refusal_of)).reason == "PAGE_TOKEN_INVALID"


async def test_a_forged_page_token_asks_for_nothing_the_log_cannot_answer(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await some_moves(tenant, match_id, 3)
    token = (await tenant.moves(match_id, page_size=1)).next_page_token
    raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    forged = base64.urlsafe_b64encode(b"\xff" * (len(raw) - 4) + raw[-4:]).decode().rstrip("=")
    assert list((await tenant.moves(match_id, page_token=forged)).moves) == []


async def test_a_page_token_is_good_for_its_own_question_only(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    await some_moves(tenant, match_id, 3)
    token = (await tenant.moves(match_id, page_size=1)).next_page_token
    changed = pb.ListMovesRequest(match_id=match_id, page_size=1, page_token=token, audience=REFEREE)
    assert (await tenant.refused("ListMoves", changed)).reason == "PAGE_TOKEN_INVALID"


async def test_the_typed_form_says_the_same(tenant: Player) -> None:
    match_id = (await tenant.create(2)).match.match_id
    view = view_pb2.View()
    assert (await tenant.view(match_id, form=TYPED)).view.typed.Unpack(view)
    plain = msgspec.json.decode((await tenant.view(match_id)).view.json)
    assert [seat.pawn for seat in view.seats] == [seat["pawn"] for seat in plain["seats"]]
    action = actions_pb2.Action()
    for card in FIVE_CARDS:
        action.submit_program.cards.append(
            actions_pb2.SubmitProgram.DESCRIPTOR.fields[0]
            .enum_type.values_by_name["CARD_" + card.upper()]
            .number
        )
    request = act(match_id, b"", 1, seat=0, form=TYPED)
    request.action.typed.Pack(action)
    accepted = await tenant.call("Act", request)
    assert accepted.events.typed.TypeName() == "foldtable.river_dragons.v1.Events"
