"""Who hears of everything: a receiver of webhooks, and a client that pulls the feed of events meanwhile."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, Final

import httpx
import msgspec
from standardwebhooks import Webhook, WebhookVerificationError

from tests.proofs.faults.answers import denial_of
from tests.proofs.faults.asking import Doors
from tests.proofs.faults.notes import Arrived, Denied, Forged, Notebook, Pulled, now
from tests.proofs.faults.system import PASSING
from tests.support.receivers import Received, Receiver, ReceiverAnswer

EVERY_TYPE: Final = ("match.created", "match.started", "match.ended", "turn.started", "move.applied")
REFUSED_SHARE: Final = 0.003
"""Of webhooks that come for the first time: they are refused, and come again after five seconds."""
READY_SECONDS: Final = 30.0
"""For a system that has just started, on a busy machine."""
FEED_WAIT_SECONDS: Final = 5
PAUSE_SECONDS: Final = 0.2
PAGE: Final = 1_000


class Endpoint:
    """The tenant's endpoint, and what comes there."""

    def __init__(self, receiver: Receiver, notebook: Notebook, whims: Random) -> None:
        self._notebook = notebook
        self._whims = whims
        self._webhook: Webhook | None = None
        self._seen: set[str] = set()
        self._accepted: set[str] = set()
        self._receiver = receiver
        receiver.answer = self._answer

    @property
    def arrived(self) -> int:
        """How many different events have come and were taken."""
        return len(self._accepted)

    async def register(self, client: httpx.AsyncClient, key: str) -> None:
        """Ask to be told everything, here and in the feed."""
        headers = {"authorization": f"Bearer {key}"}

        async def ask(method: str, path: str, body: dict[str, Any]) -> httpx.Response:
            deadline = now() + READY_SECONDS
            while True:
                answer = await client.request(method, path, json=body, headers=headers)
                if answer.status_code not in PASSING or now() > deadline:
                    answer.raise_for_status()
                    return answer
                await asyncio.sleep(0.2)

        await ask("PUT", "/v1/events/recording", {"event_types": EVERY_TYPE})
        wanted = {"url": self._receiver.url, "event_types": EVERY_TYPE, "description": "receiver"}
        made = await ask("POST", "/v1/webhooks/endpoints", wanted)
        self._webhook = Webhook(made.json()["secret"])

    def _answer(self, received: Received) -> ReceiverAnswer:
        assert self._webhook is not None  # nobody knows our address before
        try:
            event: Any = self._webhook.verify(received.body.decode(), received.headers)
        except WebhookVerificationError:
            self._notebook.add(Forged(at=now()))
            return ReceiverAnswer(400)
        is_first = event["id"] not in self._seen
        accepted = not (is_first and self._whims.random() < REFUSED_SHARE)
        self._seen.add(event["id"])
        if accepted:
            self._accepted.add(event["id"])
        self._notebook.add(
            Arrived(at=now(), event_id=event["id"], body=received.body.decode(), accepted=accepted)
        )
        return ReceiverAnswer(204 if accepted else 500)


class FeedPage(msgspec.Struct):
    """A page of the feed of events."""

    events: list[msgspec.Raw]
    cursor: str


class _Id(msgspec.Struct):
    id: str


_PAGE: Final = msgspec.json.Decoder(FeedPage)
_ID: Final = msgspec.json.Decoder(_Id)


class NoPage(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The feed was not given."""

    def __init__(self, denial: str | None) -> None:
        """`denial`: why not; None: not now."""
        super().__init__(denial or "not now")
        self.denial = denial


class Pulling:
    """Reads the feed with its cursor, through whatever happens."""

    def __init__(self, doors: Doors, notebook: Notebook, whims: Random) -> None:
        self._doors = doors
        self._notebook = notebook
        self._whims = whims
        self._cursor = ""
        self.pulled = 0
        """Events."""

    async def pull(self) -> None:
        """Pull for ever."""
        while True:
            try:
                async with asyncio.timeout(FEED_WAIT_SECONDS + 3):
                    page = await self._page()
            except NoPage as no:
                if no.denial:
                    self._notebook.add(Denied(at=now(), who="Pulling", what="/v1/events", reason=no.denial))
                await asyncio.sleep(PAUSE_SECONDS)
            except (TimeoutError, httpx.TransportError):
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                self._take(page)

    async def _page(self) -> FeedPage:
        client = self._whims.choice(list(self._doors.rest.values()))
        return await read_feed(client, self._doors.system.key, self._cursor, f"&wait={FEED_WAIT_SECONDS}s")

    def _take(self, page: FeedPage) -> None:
        for event in page.events:
            self._notebook.add(Pulled(at=now(), event_id=_ID.decode(event).id))
        self.pulled += len(page.events)
        self._cursor = page.cursor


async def read_feed(client: httpx.AsyncClient, key: str, after: str, more: str = "") -> FeedPage:
    """Read a page of the feed; NoPage where it is not given."""
    begin = f"&after={after}" if after else ""
    answer = await client.get(
        f"/v1/events?limit={PAGE}{begin}{more}", headers={"authorization": f"Bearer {key}"}
    )
    if answer.status_code != 200:
        raise NoPage(denial_of(answer))
    return _PAGE.decode(answer.content)
