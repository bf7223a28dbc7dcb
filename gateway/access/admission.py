"""Which holder's bucket a request counts against, and whether that bucket has a request left.

A match token with a valid signature has its own buckets; all tokens of one seat share theirs, and so do all sessions of one
player. An API key has its own buckets
once a service has accepted it: until then, and after a service has rejected it, its requests count against the client's
address. So nobody gets a fresh bucket by making up a credential.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Final, cast

from fastapi import Depends
from starlette.requests import Request
from starlette.types import Scope

from gateway.access.auth import Authenticator, Caller
from gateway.access.networks import client_network
from gateway.access.rate_limits import Account, Bucket, HeaderLine, Holder, Limit, RateLimiter, Taken
from gateway.headers import header
from gateway.problems.document import ProblemError

MAX_ACCOUNTS: Final = 16_384
"""Accounts kept per kind of holder. The least recently used one is dropped first; its holder then starts with full buckets."""
LIMIT_HEADERS: Final = "foldtable.rate_limit"
"""Key of the request's scope under which the rate-limit header fields wait for the response."""
_ANOTHER_CREDENTIAL: Final = "foldtable.another_credential"


class _Accounts:
    """The accounts of one kind of holder."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder
        self._accounts: OrderedDict[str, Account] = OrderedDict()

    def __len__(self) -> int:
        return len(self._accounts)

    def get(self, name: str) -> Account | None:
        """Return the account of that name, or None if there is none."""
        account = self._accounts.get(name)
        if account is not None:
            self._accounts.move_to_end(name)
        return account

    def of(self, name: str) -> Account:
        """Return an account; open it if there is none."""
        account = self.get(name)
        if account is None:
            account = self._accounts[name] = Account(self._holder)
            if len(self._accounts) > MAX_ACCOUNTS:
                self._accounts.popitem(last=False)
        return account

    def close(self, name: str) -> None:
        self._accounts.pop(name, None)


class Admission:
    """Admits requests, or refuses them until their bucket has refilled."""

    def __init__(self, authenticator: Authenticator, limiter: RateLimiter) -> None:
        self._authenticator = authenticator
        self._limiter = limiter
        self._keys = _Accounts(Holder.KEY)
        self._tokens = _Accounts(Holder.TOKEN)
        self._addresses = _Accounts(Holder.ADDRESS)

    def admit(self, request: Request, bucket: Bucket) -> None:
        """Take one request out of its holder's bucket. Raises ProblemError RATE_LIMITED if the bucket is empty."""
        caller = self._caller(request)
        account = None if caller is None else self._account_of(caller)
        if account is None:
            bucket, account = Bucket.ANONYMOUS, self._addresses.of(client_network(request))
        self._take(request, account, bucket)

    def admit_more(self, request: Request, bucket: Bucket, more: int) -> None:
        """Take further requests out of a bucket, for an admitted request that counts for several.

        Raises ProblemError RATE_LIMITED if so many are not left. Nothing more is taken for a key that no service has accepted.
        """
        caller = self._caller(request)
        account = None if caller is None else self._account_of(caller)
        if account is not None and more > 0:
            taken = self._limiter.take_more(account, bucket, more)
            self._answer(request, bucket, taken, f"the bucket `{bucket}` does not have {more + 1} left")

    def knows(self, caller: Caller) -> bool:
        """Return whether the caller has an account, and not only an address: a token with a valid signature, or an accepted key."""
        return self._account_of(caller) is not None

    def _take(self, request: Request, account: Account, bucket: Bucket) -> None:
        self._answer(request, bucket, self._limiter.take(account, bucket), f"the bucket `{bucket}` is empty")

    def _answer(self, request: Request, bucket: Bucket, taken: Taken, why: str) -> None:
        """Note what is left for the response. Raises ProblemError RATE_LIMITED if nothing was taken."""
        request.scope[LIMIT_HEADERS] = taken.headers()
        if taken.wait_seconds:
            seconds = str(taken.wait_seconds)
            raise ProblemError(
                "RATE_LIMITED",
                f"{why}; try again in {seconds} s",
                headers={"retry-after": seconds},
                members={"metadata": {"bucket": bucket.value, "seconds": seconds}},
            )

    def learn(self, request: Request, status: int) -> None:
        """Learn from a request's outcome whether its API key is valid: services decide that, and the status shows it."""
        caller = self._caller(request)
        if caller is None or not caller.is_key or _ANOTHER_CREDENTIAL in request.scope:
            return
        if status == 401:
            self._keys.close(caller.authorization)
        elif status < 400 or status == 403:  # 403 means the key was recognised
            self._keys.of(caller.authorization)

    def standing(self, request: Request) -> list[tuple[Bucket, Limit, int]]:
        """Return the buckets of a request's sender, each with its limit and the number of requests left."""
        caller = self._caller(request)
        account = None if caller is None else self._account_of(caller)
        return self._limiter.standing(account or self._addresses.of(client_network(request)))

    def _account_of(self, caller: Caller) -> Account | None:
        """Return the account of a token's holder, or of a key that a service has accepted; None: it counts by address."""
        return self._keys.get(caller.authorization) if caller.is_key else self._tokens.of(caller.holder)

    def _caller(self, request: Request) -> Caller | None:
        if header(request, b"authorization") is None:
            return None
        try:
            return self._authenticator.caller(request)
        except ProblemError:
            return None  # the route decides whether that matters


def judge_another_credential(request: Request) -> None:
    """Mark a request whose outcome depends on a ticket or a token in its body, and so proves nothing about its header's API key."""
    request.scope[_ANOTHER_CREDENTIAL] = True


class CountedFor:
    """A dependency that counts the request against a bucket: `APIRouter(dependencies=[counted_for(Bucket.ADMIN)])`."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket = bucket

    async def __call__(self, request: Request) -> None:
        """Take one request out of the bucket. Raises ProblemError RATE_LIMITED if it is empty."""
        admission_of(request.scope).admit(request, self.bucket)


def counted_for(bucket: Bucket) -> Any:
    """Return the dependency that counts requests against a bucket. It runs before all others."""
    return Depends(CountedFor(bucket))


def admission_of(scope: Scope) -> Admission:
    """Return the Admission of the gateway that serves a request."""
    return cast("Admission", scope["app"].state.gateway.admission)


def limit_headers(scope: Scope) -> list[HeaderLine]:
    """Return the header fields that report the state of the sender's bucket; none if the request was not counted."""
    return cast("list[HeaderLine]", scope.get(LIMIT_HEADERS, []))
