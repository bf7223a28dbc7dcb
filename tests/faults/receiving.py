"""Who hears of everything: a receiver of webhooks, and a client that pulls the feed of events meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import Any, Final

import httpx
import msgspec
from standardwebhooks import Webhook, WebhookVerificationError

from tests.faults.asking import Doors
from tests.faults.house import PASSING
from tests.faults.notes import Arrived, Notebook, Pulled, now
from tests.support.receivers import Answer, Received, Receiver

EVERY_TYPE: Final = ("match.created", "match.started", "match.ended", "turn.started", "move.applied")
REFUSED_SHARE: Final = 0.003
"""Of webhooks that come for the first time: they are refused, and come again after five seconds."""
READY_SECONDS: Final = 30.0
"""For a house that has just started, on a busy machine."""
FEED_WAIT_SECONDS: Final = 5
PAGE: Final = 1_000


class Endpoint:
    """The tenant's endpoint, and what comes there."""

    def __init__(self, receiver: Receiver, notebook: Notebook, whims: Random) -> None:
        self._notebook = notebook
        self._whims = whims
        self._webhook: Webhook | None = None
        self._seen: set[str] = set()
        self._accepted: set[str] = set()
        self.forged = 0
        """Requests whose signature was not good."""
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

    def _answer(self, received: Received) -> Answer:
        assert self._webhook is not None  # nobody knows our address before
        try:
            event: Any = self._webhook.verify(received.body.decode(), received.headers)
        except WebhookVerificationError:
            self.forged += 1
            return Answer(400)
        is_first = event["id"] not in self._seen
        accepted = not (is_first and self._whims.random() < REFUSED_SHARE)
        self._seen.add(event["id"])
        if accepted:
            self._accepted.add(event["id"])
        self._notebook.add(
            Arrived(at=now(), event_id=event["id"], body=received.body.decode(), accepted=accepted)
        )
        return Answer(204 if accepted else 500)


class FeedPage(msgspec.Struct):
    """A page of the feed of events."""

    events: list[msgspec.Raw]
    cursor: str


class _Id(msgspec.Struct):
    id: str


_PAGE: Final = msgspec.json.Decoder(FeedPage)
_ID: Final = msgspec.json.Decoder(_Id)


async def pull(doors: Doors, notebook: Notebook, whims: Random) -> None:
    """Read the feed with its cursor, for ever, through whatever happens."""
    cursor = ""
    while True:
        client = whims.choice(list(doors.rest.values()))
        with suppress(TimeoutError, httpx.TransportError):
            async with asyncio.timeout(FEED_WAIT_SECONDS + 3):
                page = await read_feed(client, doors.house.key, cursor, f"&wait={FEED_WAIT_SECONDS}s")
            if page is not None:
                for event in page.events:
                    notebook.add(Pulled(at=now(), event_id=_ID.decode(event).id))
                cursor = page.cursor
                continue
        await asyncio.sleep(0.2)


async def read_feed(client: httpx.AsyncClient, key: str, after: str, more: str = "") -> FeedPage | None:
    """Read a page of the feed; None where nobody can give it now."""
    begin = f"&after={after}" if after else ""
    answer = await client.get(
        f"/v1/events?limit={PAGE}{begin}{more}", headers={"authorization": f"Bearer {key}"}
    )
    return _PAGE.decode(answer.content) if answer.status_code == 200 else None
