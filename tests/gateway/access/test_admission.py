"""Whose bucket a request is taken from: nobody gets a fresh one by making up a credential."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.requests import Request

from gateway.access.admission import Admission, client_network, judge_another_credential, limit_headers
from gateway.access.auth import Authenticator
from gateway.access.rate_limits import Bucket, Holder, Limit, RateLimiter
from gateway.problems.document import ProblemError
from services.identity.match_tokens import MatchTokens
from tests.gateway.requests import request

PRIVATE = Ed25519PrivateKey.generate()
LIMITS = {
    **{(holder, bucket): Limit(3, 60) for holder in (Holder.KEY, Holder.TOKEN) for bucket in Bucket},
    (Holder.ADDRESS, Bucket.ANONYMOUS): Limit(2, 60),
}


@pytest.fixture
def admission() -> Admission:
    return Admission(Authenticator(PRIVATE.public_key()), RateLimiter(LIMITS, clock=lambda: 0.0))


def asking(credential: str | None = None, *, host: str = "192.0.2.1") -> Request:
    asked = request(headers={} if credential is None else {"Authorization": f"Bearer {credential}"})
    asked.scope["client"] = (host, 1234)
    return asked


def token(*, seat: int = 0, **more: Any) -> str:
    tokens = MatchTokens(PRIVATE, lifetime=timedelta(hours=1))
    return tokens.mint(match_id=uuid4(), game="river_dragons", seat=seat, generation=0, **more)[0]


def told(asked: Request) -> str:
    return dict(limit_headers(asked.scope))[b"ratelimit"].decode()


def admitted(admission: Admission, asked: Request, bucket: Bucket = Bucket.READS) -> str:
    admission.admit(asked, bucket)
    return told(asked)


def refused(admission: Admission, asked: Request, bucket: Bucket = Bucket.READS) -> ProblemError:
    with pytest.raises(ProblemError) as limited:
        admission.admit(asked, bucket)
    return limited.value


def test_the_tokens_of_one_seat_have_their_buckets_together(admission: Admission) -> None:
    tokens = MatchTokens(PRIVATE, lifetime=timedelta(hours=1))
    given = {"match_id": uuid4(), "game": "river_dragons", "generation": 0}
    first, again, other = (
        tokens.mint(seat=seat, lifetime=timedelta(hours=hours), **given)[0]
        for seat, hours in ((0, 1), (0, 2), (1, 1))
    )
    assert first != again
    assert [admitted(admission, asking(one)) for one in (first, again, other)] == [
        '"reads";r=2;t=20',
        '"reads";r=1;t=20',
        '"reads";r=2;t=20',
    ]


def test_a_match_token_has_its_own_buckets_at_once(admission: Admission) -> None:
    mine, yours = token(), token()
    for left in (2, 1, 0):
        assert admitted(admission, asking(mine)).startswith(f'"reads";r={left};')
    refused(admission, asking(mine))
    assert admitted(admission, asking(yours)).startswith('"reads";r=2;')
    assert admitted(admission, asking(mine), Bucket.MOVES).startswith('"moves";r=2;')


def test_an_api_key_has_its_own_once_a_service_has_let_it_in(admission: Admission) -> None:
    first = asking("ft_dev_a")
    assert admitted(admission, first).startswith('"anonymous";r=1;')
    admission.learn(first, 200)
    assert admitted(admission, asking("ft_dev_a")).startswith('"reads";r=2;')


@pytest.mark.parametrize(("status", "left"), [(200, '"anonymous"'), (401, '"reads"')])
def test_what_becomes_of_a_ticket_or_of_a_token_in_a_body_says_nothing_of_the_key_beside_it(
    admission: Admission, status: int, left: str
) -> None:
    if status == 401:
        admission.learn(asking("ft_dev_a"), 200)
    asked = asking("ft_dev_a")
    judge_another_credential(asked)
    admission.learn(asked, status)
    assert admitted(admission, asking("ft_dev_a")).startswith(left)


@pytest.mark.parametrize("status", [200, 201, 204, 304, 403])
def test_whoever_is_answered_is_known(admission: Admission, status: int) -> None:
    admission.learn(asking("ft_dev_a"), status)
    assert admitted(admission, asking("ft_dev_a")).startswith('"reads"')


@pytest.mark.parametrize("status", [400, 401, 404, 413, 415, 429, 500, 503])
def test_whoever_was_not_recognised_is_not(admission: Admission, status: int) -> None:
    admission.learn(asking("ft_dev_a"), status)
    assert admitted(admission, asking("ft_dev_a")).startswith('"anonymous"')


def test_a_key_that_is_turned_away_is_nobody_s_again(admission: Admission) -> None:
    admission.learn(asking("ft_dev_a"), 200)
    admission.learn(asking("ft_dev_a"), 401)
    assert admitted(admission, asking("ft_dev_a")).startswith('"anonymous"')


def test_made_up_credentials_share_the_bucket_of_their_sender(admission: Admission) -> None:
    forged = MatchTokens(Ed25519PrivateKey.generate(), lifetime=timedelta(hours=1))
    guess, _ = forged.mint(match_id=uuid4(), game="g", seat=0, generation=0)
    admitted(admission, asking("ft_dev_guess1"))
    admitted(admission, asking(guess))
    for credential in (None, "ft_dev_guess2", token(lifetime=timedelta(seconds=-1)), "nonsense"):
        refused(admission, asking(credential))
    assert admitted(admission, asking(host="192.0.2.2")), "somebody else's requests do not count"


def test_writing_the_same_credential_differently_helps_nobody(admission: Admission) -> None:
    mine = token()
    for spelling in ("Bearer", "bearer ", "BEARER  "):
        asked = asking()
        asked.scope["headers"] = [(b"authorization", f"{spelling} {mine}".encode())]
        admission.admit(asked, Bucket.READS)
    refused(admission, asking(mine))


def test_a_refusal_says_which_bucket_and_when(admission: Admission) -> None:
    mine = token()
    for _ in range(3):
        admitted(admission, asking(mine), Bucket.LOBBY)
    asked = asking(mine)
    problem = refused(admission, asked, Bucket.LOBBY)
    assert (problem.status, problem.reason.name) == (429, "RATE_LIMITED")
    assert problem.members["metadata"] == {"bucket": "lobby", "seconds": "20"}
    assert problem.headers["retry-after"] == "20"
    assert told(asked) == '"lobby";r=0;t=20'


def test_the_oldest_account_is_forgotten_first(admission: Admission, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.access.admission.MAX_ACCOUNTS", 2)
    one, two, three = token(), token(), token()
    for credential in (one, two, one, three):
        admitted(admission, asking(credential))
    assert len(admission._tokens) == 2
    assert '"reads";r=0' in admitted(admission, asking(one)), "it asked later than the second"
    assert '"reads";r=2' in admitted(admission, asking(two)), "it begins anew"


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "20010db800010002::/64"),
        ("2001:db8:1:2::9%eth0", "20010db800010002::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("not:an:address", "not:an:address"),
    ],
)
def test_one_customer_is_one_network(host: str, network: str) -> None:
    assert client_network(asking(host=host)) == network


def test_a_client_without_an_address_has_a_bucket_too() -> None:
    asked = asking()
    asked.scope["client"] = None
    assert client_network(asked) == ""


# ── requests that count for several ────────────────────────────────────────────────────────────────


def test_a_request_that_counts_for_several_takes_them_from_its_holder(admission: Admission) -> None:
    key = "ft_dev_accepted"
    admission.learn(asking(key), 200)
    asked = asking(key)
    admission.admit(asked, Bucket.LOBBY)
    admission.admit_more(asked, Bucket.LOBBY, 0)
    assert '"lobby";r=2' in told(asked)
    admission.admit_more(asked, Bucket.LOBBY, 1)
    assert '"lobby";r=1' in told(asked)
    with pytest.raises(ProblemError) as limited:
        admission.admit_more(asked, Bucket.LOBBY, 2)
    problem = limited.value
    assert (problem.reason.name, problem.headers["retry-after"]) == ("RATE_LIMITED", "20")
    assert problem.members["metadata"] == {"bucket": "lobby", "seconds": "20"}
    assert '"lobby";r=1' in told(asked), "what was refused costs nothing"


def test_a_key_that_no_service_has_accepted_is_not_known(admission: Admission) -> None:
    key, seat = asking("ft_dev_new"), asking(token())
    caller, holder = admission._caller(key), admission._caller(seat)
    assert caller is not None
    assert holder is not None
    assert not admission.knows(caller)
    assert admission.knows(holder)
    admission.admit(key, Bucket.LOBBY)
    admission.admit_more(key, Bucket.LOBBY, 100)
    assert '"anonymous";r=1' in told(key), "it counts as one request of its address"
    admission.learn(key, 200)
    assert admission.knows(caller)
