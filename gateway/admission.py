"""Whose bucket a request is taken from, and whether there is anything left in it.

A match token whose signature holds has buckets of its own, a seat's tokens have them together. So has an API key, once a service has let it in: until then,
and after a service has turned it away, its requests are taken from the bucket of the client's address. So nobody gets a
fresh bucket by making up a credential.
"""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Address, ip_address
from typing import Final, cast

from starlette.requests import Request
from starlette.types import Scope

from gateway.auth import Authenticator, Caller
from gateway.headers import header
from gateway.problem_documents import ProblemError
from gateway.rate_limits import Account, Bucket, HeaderLine, Holder, Limit, RateLimiter

MOST_ACCOUNTS: Final = 16_384
"""Remembered per kind of holder; the one that asked longest ago is forgotten first, and begins anew."""
LIMIT_HEADERS: Final = "foldtable.rate_limit"
"""Where the header fields of an answer wait in the scope of its request."""
_ANOTHER_CREDENTIAL: Final = "foldtable.another_credential"

_NETWORK: Final = 64
"""Bits of an IPv6 address that one customer gets as a whole."""


class _Accounts:
    """The accounts of one kind of holder."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder
        self._accounts: OrderedDict[str, Account] = OrderedDict()

    def __len__(self) -> int:
        return len(self._accounts)

    def get(self, name: str) -> Account | None:
        """Give an account there is."""
        account = self._accounts.get(name)
        if account is not None:
            self._accounts.move_to_end(name)
        return account

    def of(self, name: str) -> Account:
        """Give an account; open it if there is none."""
        account = self.get(name)
        if account is None:
            account = self._accounts[name] = Account(self._holder)
            if len(self._accounts) > MOST_ACCOUNTS:
                self._accounts.popitem(last=False)
        return account

    def close(self, name: str) -> None:
        self._accounts.pop(name, None)


class Admission:
    """Lets requests in, or tells them to wait."""

    def __init__(self, authenticator: Authenticator, limiter: RateLimiter) -> None:
        self._authenticator = authenticator
        self._limiter = limiter
        self._keys = _Accounts(Holder.KEY)
        self._tokens = _Accounts(Holder.TOKEN)
        self._addresses = _Accounts(Holder.ADDRESS)

    def admit(self, request: Request, bucket: Bucket) -> None:
        """Take the request out of its holder's bucket; ProblemError RATE_LIMITED if that is empty."""
        account = self._account(request)
        if account.holder is Holder.ADDRESS:
            bucket = Bucket.ANONYMOUS
        taken = self._limiter.take(account, bucket)
        request.scope[LIMIT_HEADERS] = taken.headers()
        if taken.wait_seconds:
            seconds = str(taken.wait_seconds)
            raise ProblemError(
                "RATE_LIMITED",
                f"the bucket `{bucket}` is empty; try again in {seconds} s",
                headers={"retry-after": seconds},
                members={"metadata": {"bucket": bucket.value, "seconds": seconds}},
            )

    def learn(self, request: Request, status: int) -> None:
        """Take note of what became of a request: an API key is known by whether services let it in."""
        caller = self._caller(request)
        if caller is None or caller.claims is not None or _ANOTHER_CREDENTIAL in request.scope:
            return
        if status == 401:
            self._keys.close(caller.authorization)
        elif status < 400 or status == 403:  # whoever is told that it may not has been recognised
            self._keys.of(caller.authorization)

    def standing(self, request: Request) -> list[tuple[Bucket, Limit, int]]:
        """Give the buckets of whoever sent a request, with their limits and what is left."""
        return self._limiter.standing(self._account(request))

    def _account(self, request: Request) -> Account:
        caller = self._caller(request)
        if caller is not None:
            if caller.claims is not None:
                return self._tokens.of(caller.holder)
            known = self._keys.get(caller.authorization)
            if known is not None:
                return known
        return self._addresses.of(client_network(request))

    def _caller(self, request: Request) -> Caller | None:
        if header(request, b"authorization") is None:
            return None
        try:
            return self._authenticator.caller(request)
        except ProblemError:
            return None  # whether that matters, the route says


def judge_another_credential(request: Request) -> None:
    """Say that what becomes of a request says nothing of its header's key: a ticket or a token in its body decides."""
    request.scope[_ANOTHER_CREDENTIAL] = True


def client_network(request: Request) -> str:
    """Give the address of a client, of IPv6 only the network; empty if there is none."""
    host = "" if request.client is None else request.client.host
    if ":" not in host:
        return host
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return f"{int(address) >> (128 - _NETWORK):x}::/{_NETWORK}"


def admission_of(scope: Scope) -> Admission:
    """Give the admission of the gateway that serves a request."""
    return cast("Admission", scope["app"].state.gateway.admission)


def limit_headers(scope: Scope) -> list[HeaderLine]:
    """Give the header fields that tell a request's sender how its bucket stands; none if it was not counted."""
    return cast("list[HeaderLine]", scope.get(LIMIT_HEADERS, []))
