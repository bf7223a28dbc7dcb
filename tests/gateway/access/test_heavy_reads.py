"""Reads of whole matches are bounded here too: for each caller, and for the process."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import timedelta
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gateway.access.auth import Authenticator, Caller
from gateway.access.heavy_reads import HeavyReads
from gateway.problems.document import ProblemError
from services.identity.match_tokens import MatchTokens
from tests.gateway.requests import request

PRIVATE = Ed25519PrivateKey.generate()
TOKENS = MatchTokens(PRIVATE, lifetime=timedelta(hours=1))


def caller(credential: str) -> Caller:
    asked = request(headers={"Authorization": f"Bearer {credential}"})
    return Authenticator(PRIVATE.public_key()).caller(asked)


def a_token(**more: str) -> str:
    return TOKENS.mint(match_id=uuid4(), game="g", seat=0, generation=0, **more)[0]  # type: ignore[arg-type]


def refusal(reads: HeavyReads, who: Caller) -> tuple[str, int, str]:
    with pytest.raises(ProblemError) as refused, reads.taken(who):
        pass
    problem = refused.value
    assert problem.headers["retry-after"] == problem.members["metadata"]["seconds"]
    return problem.reason.name, problem.status, problem.members["metadata"]["bucket"]


def test_one_caller_has_so_many_and_another_caller_others() -> None:
    reads = HeavyReads(100, per_key=3, per_token=2)
    key, token = caller("ft_dev_a"), caller(a_token())
    with ExitStack() as stack:
        for who, most in ((key, 3), (token, 2)):
            for _ in range(most):
                stack.enter_context(reads.taken(who))
            assert refusal(reads, who) == ("RATE_LIMITED", 429, "heavy_reads_of_credential")
        with reads.taken(caller("ft_dev_b")), reads.taken(key, if_heavy=False):
            pass
    with reads.taken(key), reads.taken(token):
        pass


def test_other_expensive_requests_have_places_and_names_of_their_own() -> None:
    reads, batches = (
        HeavyReads(2, per_key=1, per_token=1),
        HeavyReads(2, per_key=1, per_token=1, what="batches of matches", bucket="match_batches"),
    )
    key = caller("ft_dev_a")
    with reads.taken(key), batches.taken(key):
        assert refusal(batches, key) == ("RATE_LIMITED", 429, "match_batches_of_credential")
        with pytest.raises(ProblemError) as refused, batches.taken(key):
            pass
        assert refused.value.detail == "this credential has 1 batches of matches under way here"
        with batches.taken(caller("ft_dev_b")):
            assert refusal(batches, caller("ft_dev_c")) == ("SERVER_BUSY", 503, "match_batches_of_gateway")


def test_the_tokens_of_a_fork_are_their_maker_s() -> None:
    reads = HeavyReads(100, per_key=3, per_token=1)
    with reads.taken(caller(a_token(account="somebody"))):
        assert refusal(reads, caller(a_token(account="somebody")))[0] == "RATE_LIMITED"


def test_where_others_hold_all_places_it_is_not_the_caller_who_is_told_off() -> None:
    reads = HeavyReads(2, per_key=2, per_token=2)
    with reads.taken(caller("ft_dev_a")), reads.taken(caller("ft_dev_b")):
        assert refusal(reads, caller("ft_dev_c")) == ("SERVER_BUSY", 503, "heavy_reads_of_gateway")
    with pytest.raises(ZeroDivisionError), reads.taken(caller("ft_dev_a")):
        _ = 1 / 0
    with reads.taken(caller("ft_dev_a")), reads.taken(caller("ft_dev_a")):
        pass
